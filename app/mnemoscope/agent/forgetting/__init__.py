"""Forgetting as the window asks for it: nothing else is at work meanwhile, and what changed is announced.

Begin with `forgetting`. It imports `turn`, `prompt`, `search`, `commits` and `tasks` of the agent, and `memory`.
"""

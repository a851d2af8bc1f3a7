"""Forgetting as the window asks for it: nothing else is at work meanwhile, and what changed is announced.

Begin with `forgetting`. It imports `turn`, `search` and `commits` of the agent, and `memory`.
"""

"""Tasks on the event loop: work that a person may stop, checks that are repeated, and what models cost that they ask.

Begin with `stop_sign`. It imports nothing else of the agent.
"""

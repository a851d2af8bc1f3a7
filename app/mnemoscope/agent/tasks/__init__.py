"""Tasks on the event loop: work that a person may stop, and checks that are repeated.

Begin with `stop_sign`. It imports nothing else of the agent.
"""

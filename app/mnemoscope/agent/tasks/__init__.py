"""Tasks on the event loop: work that a person may stop, checks that are repeated, writes that are tried again, and what
models cost.

Begin with `stop_signal`. It imports nothing else of the agent.
"""

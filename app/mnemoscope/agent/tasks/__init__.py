"""Tasks on the event loop: work that a person may stop, and work that is looked at now and then.

Begin with `stop_sign`. It imports nothing else of the agent.
"""

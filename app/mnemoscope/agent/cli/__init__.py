"""The commands that need no window: `mnemoscope audit`, `capture` and `install-desktop`; what the window would miss.

Begin with `audit`, which looks at everything in a workspace and writes nothing. It imports nothing else of the agent.
"""

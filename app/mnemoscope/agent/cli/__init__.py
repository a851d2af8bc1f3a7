"""The commands that need no window: `mnemoscope audit`, `capture`, `doctor`, `install-desktop`; missing libraries.

Begin with `audit`, which looks at everything in a workspace and writes nothing. It imports nothing else of the agent.
"""

"""Other agents on this computer, looked at in a window of their own, which only reads.

Begin with `agents_controller`. Imports `chat`, whose transcript shows what was said, and what stands below it.
"""

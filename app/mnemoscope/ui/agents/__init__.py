"""Other agents on this computer, looked at in a window of their own, which only reads.

Begin with `agents_controller`. It may import `timeline`, `history` and `chat`, whose panes show what was said, and what
stands below them.
"""

"""The domain holds values and decisions: nothing in it does I/O, reads a clock, starts a thread or knows Qt.

Begin with `conversation/message`, then with the room of what is to be changed: the rooms are named after capabilities.
It imports the standard library alone; which room may import which is held by import-linter (pyproject.toml).
"""

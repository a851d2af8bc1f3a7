"""The window: the only layer that imports PySide6 or qasync."""

"""The window: the one layer that imports Qt.

Begin with `shell`, where the window and everything in it is made and joined, or with the room of a pane. It may import
the core; a pane imports `support`, `widgets`, `translation` and what stands below it among the panes, never the window.
"""

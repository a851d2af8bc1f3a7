"""The window: the one layer that imports Qt.

Begin with `shell`, where the window and everything in it is made and joined, or with the room of a pane. A pane imports
`support` and `widgets`, and what stands below it among the panes; never the window.
"""

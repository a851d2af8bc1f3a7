"""The docks beside the chat: what is in each, how they are arranged, and how a pane is scrolled where it is low.

Begin with `inspector`, which makes a dock for each pane; `pane_layouts` has the three arrangements and the maximised
pane. It may import `ui.widgets`.
"""

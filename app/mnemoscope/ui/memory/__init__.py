"""The memory pane: editor, preview, review and conflicts."""

"""The timeline pane: every message as a row, the pointer as one line."""

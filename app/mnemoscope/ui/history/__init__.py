"""The history pane: entries, searched as one types."""

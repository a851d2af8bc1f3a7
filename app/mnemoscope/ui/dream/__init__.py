"""The Dream pane: what waits to be dreamed, when the next run comes, and what the last ones did."""

"""The search over everything: its sheet, its rows, and the way to what was found."""

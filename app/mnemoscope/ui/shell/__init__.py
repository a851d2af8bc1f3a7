"""The window around the panes: application, menus, settings, palette."""

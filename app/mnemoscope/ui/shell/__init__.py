"""The window around the panes: the application, one window for each open workspace, menus, commands and the palette.

Begin with `workspace_window`, which makes the controllers of a window and joins them, then `window_commands`, which
says which of them carries out which command, then `application`, which opens windows; the room `docks` holds the panes
beside the chat, `palette` finds commands by typing, `help` has what the Help menu opens, `trust` asks about a folder
that decides where words go. It may import every room of `ui` below it, and the core; nothing but the program and the
tour imports it.
"""

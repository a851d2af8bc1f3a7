"""The command palette: commands, conversations, folders and headings, found by typing.

Begin with `palette_controller`, which fills it; `command_palette` shows it, and `command_words` has the words that find
a command beside its name. Imports `memory`, `sessions`, `support` and `widgets` of the window, and of the shell its
commands and what it asks of the application.
"""

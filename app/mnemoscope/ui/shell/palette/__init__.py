"""The command palette: commands, conversations, folders and headings, found by typing.

Begin with `palette_controller`, which fills it; `command_palette` shows it, and `command_words` has the words that find
a command beside its name. Imports `memory`, `sessions`, `support` and `widgets` of the window, of the shell its
commands (`actions`) and what it asks of the application (`application_actions`), and the core.
"""

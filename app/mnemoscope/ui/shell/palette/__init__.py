"""The command palette: commands, conversations, folders and headings, found by typing.

Begin with `palette_controller`, which fills it; `command_palette` shows it, and `command_words` has the words that find
a command beside its name. It may import `ui.shell.actions`, `ui.shell.application_actions`, `ui.sessions`, `ui.memory`,
`ui.support`, `ui.widgets` and the core.
"""

"""The Help menu's dialogs: the keys, which are changed here too, the words, the diagnostics, and what the program is.

Begin with `help_controller`, which opens them; each larger one is a module. It may import `ui.shell.actions`, every
room of `ui` whose parts have keys of their own, and the core.
"""

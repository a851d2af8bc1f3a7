"""The Help menu's dialogs: the keys, which are changed here too, the words, the diagnostics, and what the program is.

Begin with `help_controller`, which opens them; each larger one is a module. Imports `manual`, `support` and `widgets`
of the window, of the shell its commands (`actions`), and the core.
"""

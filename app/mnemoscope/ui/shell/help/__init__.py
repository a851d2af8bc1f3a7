"""The Help menu's dialogs: the keys, which are changed here too, the words, the diagnostics, and what the program is.

Begin with `help_controller`; `keys_dialog` and `diagnostics_dialog` are the two dialogs that hold more than words.
Imports `chat`, `manual`, `support` and `widgets` of the window, and of the shell its commands.
"""

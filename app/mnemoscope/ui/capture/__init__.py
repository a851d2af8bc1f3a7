"""The workbench of capture: what rules find in a chat, what is right of it, and how edited rules would do.

Begin with `capture_workbench_controller`, which opens the dialog and runs its trials. May import ui.memory.captures,
ui.support, ui.widgets and the core.
"""

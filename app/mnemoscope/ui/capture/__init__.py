"""The workbench of capture: what rules find in a chat, what is right of it, and how edited rules would do.

Begin with `capture_workbench_controller`, which opens the dialog and runs its trials. It may import `ui.memory`,
`ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

"""The settings of the open workspace in a dialog of sections.

Begin with `settings_controller`, which opens `settings_dialog` and carries its changes to the core; each section builds
on `section`. It may import `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

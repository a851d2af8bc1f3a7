"""The settings of the open workspace in a dialog of sections.

Begin with `settings_controller`, which opens `settings_dialog` and carries its changes to the core; each section
builds on `section`. Imports `support` and `widgets`, and no pane.
"""

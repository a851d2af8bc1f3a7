"""The pane of memory's health: what memory costs, how it grew, and its lines with a fault.

Begin with `health_controller`. It may import `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

"""The pane of memory's health: what memory costs, how it grew, and its lines with a fault.

Begin with `health_controller`. May import ui.support, ui.widgets and the core.
"""

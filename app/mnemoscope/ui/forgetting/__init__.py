"""Forgetting in the window: the places that have words are listed and chosen, and the receipts are shown.

Begin with `forgetting_controller`. May import ui.support, ui.widgets and the core.
"""

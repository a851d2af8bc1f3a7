"""Forgetting in the window: the places that have words are listed and chosen, and the receipts are shown.

Begin with `forgetting_controller`. It may import `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

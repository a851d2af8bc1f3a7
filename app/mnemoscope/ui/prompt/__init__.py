"""The prompt pane: what would be sent now, what was sent, and what it costs, part by part.

Begin with `prompt_controller`, then `prompt_pane`. Imports `support` and `widgets`, and no other pane.
"""

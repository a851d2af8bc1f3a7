"""The prompt pane: what would be sent now, what was sent, and what it costs, part by part.

Begin with `prompt_controller`, then `prompt_pane`. It may import `ui.support`, `ui.widgets`, `ui.translation` and the
core.
"""

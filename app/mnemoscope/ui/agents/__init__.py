"""Other agents on this computer, looked at in a window of their own, which only reads.

Begin with `agents_controller`. It may import `ui.health`, `ui.history`, `ui.memory`, `ui.timeline`, `ui.chat`,
`ui.markdown`, `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

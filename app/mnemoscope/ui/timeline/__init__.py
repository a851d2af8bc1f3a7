"""The timeline pane: every message of a conversation as a row, the pointer as one line, and what its entries became.

Begin with `timeline_controller`, which keeps the pane true to the conversation, and `timeline_model`, which turns a
conversation into rows; `timeline_view` shows them through `timeline_scene` and `timeline_painter`. It may import
`ui.chat`, `ui.dream`, `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

"""The timeline pane: every message of a conversation as a row, the pointer as one line, and what its entries became.

Begin with `timeline_controller`, which keeps the pane true to the conversation, and `timeline_model`, which turns a
conversation into rows; `timeline_view` shows them through `timeline_scene` and `timeline_painter`. May import ui.dream
(the words of an entry's way), ui.chat (the transcript that a row leads to), ui.support, ui.widgets and the core.
"""

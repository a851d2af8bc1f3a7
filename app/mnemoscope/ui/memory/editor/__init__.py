"""The text of one memory file: its source with gutter and search, the preview beside it, and the state of the text.

Begin with `source_and_preview`; `working_copy` decides what becomes of the text when somebody else wrote the file. It
may import `ui.memory.versions`, `ui.markdown`, `ui.support`, `ui.widgets` and the domain.
"""

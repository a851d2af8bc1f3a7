"""The memory pane: MEMORY.md and the files beside it, edited here while consolidations, tools and other programs write.

Begin with `memory_controller`, which keeps the pane true to its files, and `document_controller`, which loads and saves
one of them; a `memory_document` is the file as it is shown, and `editor/working_copy` what is known of its text; the
modules here put the rooms together: `review`, `blame` and `captures` stand above `editor`, and that above `versions`.
It may import `ui.chat`, `ui.markdown`, `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

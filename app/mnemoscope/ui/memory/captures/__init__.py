"""Lists what was captured of conversations, and holds the words for it.

Begin with `captures_view`; `capture_words` are the same words for the workbench of rules. It may import
`ui.memory.versions`, `ui.markdown`, `ui.support`, `ui.widgets` and the domain.
"""

"""Shows what waits for the person: suggestions, conflicts, and changes that came while they were typing.

Begin with `suggestion_review`; `conflicts` and `incoming` are built the same, a bar that leads to a page, and
`review_controller` leads through all that waits in a dialog. It may import `ui.memory.editor`,
`ui.memory.memory_sentences`, `ui.memory.services`, `ui.memory.versions`, `ui.support`, `ui.widgets`, `ui.translation`
and the core.
"""

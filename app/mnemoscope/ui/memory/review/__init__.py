"""Shows what waits for the person: suggestions, conflicts, and changes that came while they were typing.

Begin with `suggestion_review`; `conflicts` and `incoming` are built the same, a bar that leads to a page, and
`review_controller` leads through all that waits in a dialog. May import ui.memory.editor, ui.memory.versions,
ui.memory.memory_sentences, ui.memory.services, ui.support, ui.widgets and the core.
"""

"""Shows what waits for the person: suggestions, conflicts, and changes that came while they were typing.

Begin with `suggestion_review`; `conflicts` and `incoming` are built the same: a bar that leads to a page. May import
ui.memory.editor, ui.memory.versions, ui.widgets and the domain.
"""

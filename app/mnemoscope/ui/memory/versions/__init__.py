"""The versions of one memory file: the commits of git and, above them, the changes that have no commit yet.

Begin with `versions_controller`, which loads, compares and restores them; `version_row` is what the list holds and
`version_words` how it is told. It may import `ui.memory.services`, `ui.support`, `ui.widgets` and the core.
"""

"""The question whether a folder may decide where words go, asked where one does that nobody agreed to.

Begin with `trust_controller`; `trust_dialog` shows all of it, `trust_words` says it. It may import `ui.chat`,
`ui.support`, `ui.widgets` and the core.
"""

"""The question whether a folder may decide where words go, asked where one does that nobody agreed to.

Begin with `trust_controller`; `trust_dialog` shows all of it, `trust_words` says it. Imports `chat`, `support` and
`widgets` of the window and the core, and nothing of the shell around it.
"""

"""Lets the person write: holds the field, its drafts, its slash commands, and what of its text was pasted.

Begin with `composer`. It may import `ui.markdown`, `ui.support`, `ui.widgets` and the domain.
"""

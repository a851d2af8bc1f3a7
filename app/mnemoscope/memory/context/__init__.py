"""Keeps a long conversation's thread: notes of each day, the working buffer, compactions and their summaries.

Begin with `context_records`. May import `memory.files` and `memory.search` of the rooms of `memory`.
"""

"""A memory file states facts; here are the facts, the changes of MEMORY.md, what waits for the person, the entries
of the history logs, and the records that link all of these to messages.

Begin with `facts`, then `change`; `file_registry` lists the files, `history_entries` is the format of HISTORY.md and
`journal_entry` that of history.jsonl. It imports `conversation` and `text` of the domain.
"""

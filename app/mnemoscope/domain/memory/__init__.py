"""A memory file states facts; here are the facts, the changes of MEMORY.md, and the records that link both to messages.

Begin with `facts`, then `change`; `file_registry` lists the files, `history_entries` reads and writes the entries of
HISTORY.md. It imports `conversation` and `text` of the domain.
"""

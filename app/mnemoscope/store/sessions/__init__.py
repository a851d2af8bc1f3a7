"""Conversations on disk: append-only files that nanobot reads too.

Begin with `session_manager`, the door, and `session`; `session_writer` appends, `repair` mends, `session_moves` puts
aside, `branches` forks and switches, and `file_format` is a single file, read and indexed. May import
`store.transactions`, `store.capture` and what stands below them.
"""

"""Conversations on disk: append-only files that nanobot reads too.

Begin with `session_manager`, the door, and `session`. `session_file` with `session_index` and `message_log` reads,
`writer` appends, `repair` mends, `moves` puts aside, `branches` forks and switches; the others are pieces of the
format. May import `store.transactions`, `store.capture` and what stands below them.
"""

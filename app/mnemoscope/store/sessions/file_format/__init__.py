"""One session file as nanobot writes it too: its name, its lines, where its messages lie, and what others did to it.

Begin with `session_file`, the file as this process last saw it, and `message_log`, which decodes a message when it is
looked at; `record_line` says how a record is written. May import `store.transactions`, `store.files` and the domain,
and nothing of what stands around it in `store.sessions`.
"""

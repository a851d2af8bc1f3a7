"""Logs that are added to: the history logs, and what the program notes for itself.

Begin with `history_log`, how the three history logs are read, and `journal`, history.jsonl. May import
`store.workspace` and `store.files`.
"""

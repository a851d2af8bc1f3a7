"""Append-only logs: the history logs, and the records that the program keeps of its own work.

Begin with `history_log`, how the three history logs are read, and `journal`, history.jsonl. May import
`store.workspace` and `store.files`.
"""

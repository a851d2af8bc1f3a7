"""Files that another program writes, read without trust: bounded, never locked, and through no link that leads out.

Begin with `store_files`, which reads memory files, and with `json_lines` or `sqlite_copy`, which read transcripts.
Knows no format of an agent; may import `store.files` and the domain.
"""

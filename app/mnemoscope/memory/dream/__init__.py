"""Dream: reads what waits in history.jsonl and edits the memory files, in runs that can be undone.

Begin with `dreamer`, which is one run; `dream_memory` is the door to it. May import `memory.transactions`,
`memory.structured_output` and `memory.files`.
"""

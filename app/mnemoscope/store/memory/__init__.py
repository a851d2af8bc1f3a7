"""The files of long-term memory: MEMORY.md and its like, the texts they had, the log of their changes, suggestions.

Begin with `memory_file`, which replaces a text by compare-and-swap, then `text_versions`, what it held before. May
import `store.logs`, `store.workspace` and `store.files`.
"""

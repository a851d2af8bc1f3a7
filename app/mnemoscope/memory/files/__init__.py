"""The memory files: MEMORY.md, SOUL.md, USER.md, Dream's guide and skills, each with one writer and a log of its
changes.

Begin with the four files of a save: `memory_editing` (who asks, and what is announced), `memory_writer` (what is
merged, held and written), `memory_changes` (whose change it was), and `store/memory/memory_file` (compare-and-swap).
May import nothing of the other rooms of `memory`.
"""

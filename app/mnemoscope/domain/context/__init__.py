"""The context window is guarded: compaction, recovery, the working buffer, the notes of the day; and prompts are shown.

Begin with `compaction`, whose ContextTracker measures how full the context is. It imports `conversation`, `secrets` and
`text` of the domain.
"""

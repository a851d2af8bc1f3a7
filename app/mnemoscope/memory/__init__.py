"""Long-term memory: what is known, what happened, and how the one becomes the other.

Begin with `memory_store` (`MemoryStore`, the public door), whose constructor shows what memory is made of; the rooms,
low to high, are `files` and `structured_output`, `transactions`, then `capture`, `dream` and `search`, and
`consolidation` and `context`. May import `store` and `domain`; a model is a Protocol of the domain.
"""

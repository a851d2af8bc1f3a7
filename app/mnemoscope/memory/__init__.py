"""Long-term memory: what is known, what happened, and how the one becomes the other.

Begin with `store` (`MemoryStore`, the public door), whose constructor shows what memory is made of. The rooms, low to
high: `files`; `transactions`; `capture`, `dream` and `search`; `consolidation` and `context`. May import `store` and
`domain`; a model is a Protocol of the domain.
"""

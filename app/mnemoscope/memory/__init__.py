"""Long-term memory: what is known, what happened, and how the one becomes the other.

Begin with `store` (`MemoryStore`, the public door) and `wiring`, which shows what it is made of. The rooms, low to
high: `files` and `context`; `capture` and `transactions`; `dream`; `consolidation`; `search` stands beside them. May
import `store` and `domain`; a model is a Protocol of the domain.
"""

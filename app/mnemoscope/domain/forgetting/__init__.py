"""Forgetting: words are found and taken out, their places and the receipt are values, and a tombstone knows a forgotten
fact when it comes back in other words; of rejected facts some are chosen for a model to be told of.

Begin with `forgotten_text`, which finds words and takes them out, and with `tombstone`. It imports `capture`,
`conversation`, `memory`, `review`, `search`, `secrets` and `text` of the domain.
"""

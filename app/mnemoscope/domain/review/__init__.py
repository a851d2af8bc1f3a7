"""A model's new memory text is reviewed before it is written: nothing that only a tool or a file said gets in unseen.

Begin with `memory_review`, the list of reasons to hold a text; `evidence` asks whether the person said it. It imports
`memory`, `conversation`, `secrets` and `text` of the domain.
"""

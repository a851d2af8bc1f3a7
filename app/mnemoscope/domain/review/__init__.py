"""A model's new memory text is reviewed before it is written, so that nothing a tool or a file said gets into it unseen.

Begin with `memory_review`, the list of reasons to hold a text; `evidence` asks whether the person said it. It imports
`memory`, `conversation`, `secrets` and `text` of the domain.
"""

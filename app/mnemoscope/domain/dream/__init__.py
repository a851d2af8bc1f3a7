"""Dream reads the journal, in batches from a position, and edits copies of a few files; here are its values.

Begin with `run`, then `files`; `position` says which entries of the journal a batch takes. It imports `answers`,
`commits`, `llm`, `memory` and `text` of the domain.
"""

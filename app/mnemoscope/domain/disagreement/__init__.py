"""Two facts that cannot both be true are found: the same subject, and another value of it, or "no longer".

Begin with `fact_comparison`, which compares two facts; `memory_check` compares the lines of whole texts, and
`settlement` carries out what a person chooses. It imports `cancellation`, `capture`, `memory`, `merge`, `review`,
`search` and `text` of the domain.
"""

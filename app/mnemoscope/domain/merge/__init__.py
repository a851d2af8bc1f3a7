"""MEMORY.md is merged three ways, unit by unit; conflicts are settled, and what the person deleted stays deleted.

Begin with `three_way`, which walks over the `units` of the texts. It imports `commits`, `memory`, `review` and `text`
of the domain.
"""

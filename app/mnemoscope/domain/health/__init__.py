"""The health of a memory text is examined: its lines that repeat one another, went out of date or belong to a task.

Begin with `examination`, then `report`, which names the kinds of findings. It imports `cancellation`, `capture`,
`disagreement`, `memory`, `search` and `text` of the domain.
"""

"""Consolidation: older messages become an entry of the history log and facts in MEMORY.md.

Begin with `consolidator`, then `strategies`, the two ways of asking a model and judging its answer. May import
`memory.dream`, `memory.transactions`, `memory.structured_output` and `memory.files`.
"""

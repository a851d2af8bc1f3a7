"""Writes a fact to the memory file of another agent: the one case in which a store that is not ours is written to.

Begin with `fact_files`. May import `files` and the domain; only `agent.foreign` may import it.
"""

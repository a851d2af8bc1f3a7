"""The stores that hold memory and no conversations: notes in Markdown, and the graph of the reference MCP server.

Begin with `memory_only`, which says what these stores have in common; each format is one module. May import
`store.foreign.reading` and what stands below it.
"""

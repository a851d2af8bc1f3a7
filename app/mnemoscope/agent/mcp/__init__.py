"""Memory in reach of other agents: `mnemoscope mcp WORKSPACE` serves it over the Model Context Protocol (MCP).

Begin with `shared_memory`, which answers and owns nothing: it opens the workspace for reading with every call, and a
proposal is a file in the inbox; `tool_calls` knows the tools and checks what they are given, and `server` alone imports
the protocol's package. It may import `prompt` and `search` of the agent, and all that stands below it.
"""

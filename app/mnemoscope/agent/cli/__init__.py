"""The commands that need no window: `audit`, `capture`, `export`, `mcp`, `doctor` and `install-desktop`.

Begin with `audit`, which looks at everything in a workspace and writes nothing. Of the rest of the agent it imports
`export` and `mcp` alone.
"""

"""The commands that need no window: `audit`, `capture`, `export`, `doctor`, `install-desktop`; missing libraries.

Begin with `audit`, which looks at everything in a workspace and writes nothing. Of the rest of the agent it imports
`export` alone.
"""

"""The commands that need no window, a module each; `__main__` of the program knows them by their words.

Begin with `audit`, which looks at everything in a workspace, or through `foreign_audit` at another agent's store, and
writes nothing; `audit_report` describes what it found, `audit_text` writes it for a terminal. Of the rest of the agent
it imports `bench`, `export`, `importing`, `mcp`, `prompt`, `search`, `tools` and `commits`.
"""

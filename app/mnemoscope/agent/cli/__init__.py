"""The commands that need no window: `audit`, `bench`, `capture`, `export`, `mcp`, `doctor` and `install-desktop`.

Begin with `audit`, which looks at everything in a workspace, or through `foreign_audit` at another agent's store, and
writes nothing; `audit_report` describes what it found, `audit_text` writes it for a terminal. Of the rest of the agent
it imports `bench`, `export`, `mcp`, `prompt` and `commits`.
"""

"""Files: everything that reads or writes the disk, below any decision of what they are to say.

Begin with `files`, how bytes get onto the disk and stay there. The rooms, low to high: `files`, `workspace`,
`journals`, `memory`, `transactions`, `capture`, `sessions`; `git` and `search` stand above. May import `domain`.
"""

"""Files: everything that reads or writes the disk, below any decision of what they are to say.

Begin with `files`, how bytes get onto the disk and stay there; the rooms, low to high, are `files`, `workspace`,
`logs`, `memory`, `transactions`, `capture` and `sessions`, then `git` and `search`, and `forgetting` above all,
while `copying`, `foreign` and `spelling` stand beside `workspace`. It may import `domain`.
"""

"""A workspace folder: where its files are, who owns it, its settings and keys, and what the disk does to it.

Begin with `paths` and `workspace`. May import `store.files`.
"""

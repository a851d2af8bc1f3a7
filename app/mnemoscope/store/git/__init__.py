"""Commits of the memory files in a git repository of our own, which is derived: never the only copy of anything.

Begin with `git_store`; of this room only `repository` speaks to dulwich, and `opening` loads it with the first one
that is opened; `commit_history` reads with the help of `commit_index`. May import `store.memory` and what stands
below it.
"""

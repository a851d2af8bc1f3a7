"""The index of everything a workspace remembers, in one database: history logs as lists, and ranked passages.

Begin with `worker`, the one thread that answers, then `workspace_search`: `log_search` finds entries newest first by
exact text or expression, `passage_search` finds passages by their words and meaning, best first. It may import
`store.logs`, `store.capture`, `store.sessions`, `store.transactions`, `store.workspace` and `store.files`; the
ranking itself is in `domain.search`.
"""

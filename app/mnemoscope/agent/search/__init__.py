"""The search as window and agent ask for it: on a thread of its own, kept current by what happens in the workspace.

Begin with `search_service`; `passage_embedder` has passages and questions embedded for the search by meaning. It may
import `memory.search`, `store.search` and the domain.
"""

"""litellm and the embedding model of this computer run in a child process; here are both of its ends.

Begin with `process`, the window's end, then `host`, which runs in the child and speaks lines of JSON with it;
`model_request` says when a request that failed is retried. It imports `failures` and `model_catalog` of this layer, and
the domain.
"""

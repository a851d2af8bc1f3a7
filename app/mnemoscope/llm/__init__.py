"""Here are the adapters behind the port `domain.llm.LLMProvider`: the built-in model, and any model litellm knows.

Begin with `router`, which picks the provider of a request; `remote` hands requests to the child process in
`model_process`, the only place that imports litellm. It imports the domain alone.
"""

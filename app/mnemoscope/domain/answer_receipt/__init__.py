"""An answer's receipt says what of memory stood in its prompt, and what of it the answer likely rests on.

Begin with `memory_use`, which reads a prompt; `likely` compares an answer with what it finds there by words, and
`likely_meaning` by meaning; `sent_request` makes the whole request of a prompt. It imports `llm`, `capture`,
`context`, `conversation`, `memory`, `review`, `search` and `text` of the domain.
"""

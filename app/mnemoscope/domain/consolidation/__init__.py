"""A consolidation takes a slice of a conversation, tells it to a model, and judges the model's answer.

Begin with `planning` (which messages, and when), then `save_memory_tool` (what the model is asked for) and
`save_memory` (what becomes of the answer); `archiving` does the same for the dream profile. It imports `review`,
`answers` and the rooms below those.
"""

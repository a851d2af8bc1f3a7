"""What a model is sent: the system prompt, the messages, what is left out of them, and how that is remembered.

Begin with `context_builder`; `prompt_guard` compacts and recovers while a context fills up. It may import only tasks.
"""

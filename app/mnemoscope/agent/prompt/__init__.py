"""Builds what a model is sent: the system prompt and the messages; remembers what is left out of them.

Begin with `context_builder`; `prompt_guard` compacts and recovers while a context fills up. It may import only tasks.
"""

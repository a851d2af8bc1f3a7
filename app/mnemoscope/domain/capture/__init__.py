"""Capture decides what of a person's message is worth keeping, by rules that are data, before it is answered.

Begin with `scan`, which reads one message; `rules` says what a rule is, and `file_changes` what a capture does to the
files. It imports `conversation`, `memory`, `secrets`, `text` and `errors` of the domain.
"""

"""Capture: what the person says that is worth keeping is on the disk before a model is asked.

Begin with `captures`, the door; `capture_writer` keeps and takes back, and `active_states` reads what of it a
conversation has not left. May import `memory.files`.
"""

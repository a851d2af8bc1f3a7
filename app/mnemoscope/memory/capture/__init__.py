"""Capture: what the person says that is worth keeping is on the disk before a model is asked.

Begin with `captures`, the door; `capture_writer` keeps and takes back. May import `memory.files`.
"""

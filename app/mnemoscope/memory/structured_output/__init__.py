"""Asks a model for an object in the output mode that it supports: by a tool call, by a schema, or in its text.

Begin with `structured_request`; `output_modes` remembers which way worked. May import no other room of memory.
"""

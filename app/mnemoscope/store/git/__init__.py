"""Versions of the memory files in a git repository of our own. Derived: never the only copy of anything."""

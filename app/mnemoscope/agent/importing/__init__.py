"""Conversations and memories of other assistants are taken into a workspace, in one step that can be undone.

Begin with `importer`; `import_sources` opens what can be imported. It may import the stores and memory.
"""

"""Tells who wrote a line of a memory file, and from which conversation it came.

Begin with `blame_controller`; `blame_card` is what it shows over the window. It may import `ui.memory.editor`,
`ui.memory.services`, `ui.memory.versions`, `ui.support`, `ui.widgets` and the core.
"""

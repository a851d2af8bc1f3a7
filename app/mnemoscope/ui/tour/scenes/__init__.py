"""The chapters of the tour, a module each.

Begin with `chat`. A scene acts through its stage, and fails where the window does not show what it should. Imports
`stage`, `driver` and `folders` of the tour, and what it looks at.
"""

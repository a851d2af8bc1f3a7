"""The chapters of the tour, a module each, whose scenes act through their stage and fail where the window does not show
what it should.

Begin with `chat`. Imports `stage`, `driver` and `folders` of the tour, and what it looks at.
"""

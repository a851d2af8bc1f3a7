"""The chapters of the tour, a module each, whose scenes act through their stage and fail where the window does not show
what it should.

Begin with `chat`. Imports `stage`, `driver`, `folders`, `model_server`, `one_slot_server`, `tour_disk` and `tour_model`
of the tour, and whatever it looks at.
"""

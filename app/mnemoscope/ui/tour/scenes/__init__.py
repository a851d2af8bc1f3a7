"""The chapters of the tour, a module each, whose scenes act through their stage and fail where the window does not show
what it should.

Begin with `chat`. It may import `ui.tour.driver`, `ui.tour.folders`, `ui.tour.model_server`, `ui.tour.one_slot_server`,
`ui.tour.stage`, `ui.tour.tour_disk`, `ui.tour.tour_model`, every room of `ui` that it looks at, and the core.
"""

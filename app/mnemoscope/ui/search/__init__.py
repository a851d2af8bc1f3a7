"""The search over everything: one sheet with a field, what was found as rows, and the way to the place where it stands.

Begin with `search_sheet`, which holds the rows; `search_controller` asks the core and goes to what was chosen. It may
import `ui.markdown`, `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

"""The manual in the window: its pages, the search over them, and F1.

Begin with `manual_controller`, which opens `manual_window`; `manual` holds the pages and knows nothing of Qt. It may
import `ui.markdown`, `ui.support`, `ui.widgets` and the core.
"""

"""Text as Qt counts, directs and searches it: offsets, scripts, finding and replacing, the bar one finds with, and an
edit with a hint.

Begin with `search`, which finds and replaces, and `offsets`, the way from Python's characters to Qt's units. It may
import `ui.widgets.accessibility`, `ui.widgets.square_button` and `ui.widgets.theme`.
"""

"""The list of conversations: new, switch, search, rename, delete with a way back, and closed ones to be read.

Begin with `sessions_controller`, which keeps `sessions_pane` true to the files; the trash is in `deletions`. It may
import `ui.timeline`, `ui.chat`, `ui.markdown`, `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

"""The Dream pane: what waits to be dreamed, when the next run comes, and what the last ones did.

Begin with `dream_controller`, which joins the pane to the core; `entry_words` tells where an entry of the journal
stands, for the timeline and the history too. It may import `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

"""The history pane: the entries of all history logs, newest first, found as one types, with their messages.

Begin with `pane`, then `model` (what is asked of the search and what came back) and `view` (the cards, walked by
keyboard and mouse); `controller` joins the pane to the core. It may import `ui.dream` for how entries of the journal
are called, `ui.support` and `ui.widgets`, never `ui.shell`.
"""

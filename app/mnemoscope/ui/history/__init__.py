"""The history pane: the entries of all history logs, newest first, found as one types, with their messages.

Begin with `history_pane`, then `history_model` (what is asked of the search and what came back) and `history_view` (the
cards, walked by keyboard and mouse); `history_controller` joins the pane to the core. It may import `ui.dream` for how
entries of the journal are called, `ui.support` and `ui.widgets`, never `ui.shell`.
"""

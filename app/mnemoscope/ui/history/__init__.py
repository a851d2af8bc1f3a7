"""The history pane: the entries of all history logs, newest first, found as one types, with their messages.

Begin with `history_pane`, then `history_model` (what is asked of the search and what came back) and `history_view` (the
cards, walked by keyboard and mouse); `history_controller` joins the pane to the core. It may import `ui.dream`,
`ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

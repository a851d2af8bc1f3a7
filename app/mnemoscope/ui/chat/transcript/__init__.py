"""The messages of one conversation on screen: written into one document, paged in and out, and acted upon.

Begin with `transcript`, the pane, then `transcript_document`, which holds the rows, and `message_drawer`, which draws
one. It may import `ui.chat.cards`, `ui.chat.message_actions`, `ui.chat.transcript_words`, `ui.markdown`, `ui.support`,
`ui.widgets`, `ui.translation` and the core.
"""

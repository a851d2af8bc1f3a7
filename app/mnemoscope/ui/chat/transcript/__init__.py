"""The messages of one conversation on screen: written into one document, paged in and out, and acted upon.

Begin with `transcript`, the pane, then `transcript_document`, which holds the rows, and `message_drawer`, which draws
one. It may import the cards, `message_actions` and `transcript_words` of the chat, and what stands below the chat.
"""

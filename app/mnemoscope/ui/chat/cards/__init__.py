"""Draws the cards of the chat: questions above the composer, and calls of tools in the transcript.

Begin with `tool_card` or `approval_card`. It may import the composer, `message_actions` and `transcript_words` of the
chat, and what stands below the chat.
"""

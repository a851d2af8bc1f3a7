"""Draws the cards of the chat: questions above the composer, and calls of tools in the transcript.

Begin with `tool_card` or `approval_card`. It may import `ui.chat.composer`, `ui.chat.message_actions`,
`ui.chat.transcript_words`, `ui.markdown`, `ui.support`, `ui.widgets` and the core.
"""

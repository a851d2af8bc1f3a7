"""The conversation: the transcript, the composer below it, and the controllers that join both to the core.

Begin with `chat_column`, which holds the parts, and `message_sender`, which takes a message to the assistant;
`answer_controller` shows what comes back. It may import `ui.markdown`, `ui.support`, `ui.widgets`, `ui.translation` and
the core.
"""

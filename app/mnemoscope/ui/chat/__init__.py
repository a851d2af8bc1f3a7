"""The conversation: the transcript, the composer below it, and the controllers that join both to the core.

Begin with `chat_column`, which holds the parts, and `turn_controller`, which takes a message to the model and its
answer back. It may import `ui.markdown`, `ui.support` and `ui.widgets`, no other pane and never the shell.
"""

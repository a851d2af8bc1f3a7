"""Shows the receipt of an answer: what of memory its prompt held, what was cut, what the answer likely rests on.

Begin with `answer_receipt_controller`; `answer_receipt_dialog` is what it shows, and `comparison` the page on which the
question is asked again with another memory. May import `chat_column`, `message_actions` and `transcript_words` of
the chat, `ui.support`, `ui.widgets` and the core.
"""

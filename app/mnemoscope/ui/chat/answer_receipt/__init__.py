"""Shows the receipt of an answer: what of memory its prompt held, what was cut, what the answer likely rests on.

Begin with `answer_receipt_controller`; `answer_receipt_dialog` is what it shows, and `comparison` the page on which the
question is asked again with another memory. It may import `ui.chat.chat_column`, `ui.chat.message_actions`,
`ui.chat.transcript_words`, `ui.support`, `ui.widgets`, `ui.translation` and the core.
"""

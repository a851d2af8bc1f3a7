"""A conversation is a list of messages; here is what a message is, whose words it holds, which ones are sent, and what
is left of one that is deleted.

Begin with `message`, then `history_selection`. It imports `text` and `errors` of the domain.
"""

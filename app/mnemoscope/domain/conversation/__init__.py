"""A conversation is a list of messages; here is what a message is, whose words it holds, and which ones are sent.

Begin with `message`, then `history_selection`. It imports `text` of the domain alone.
"""

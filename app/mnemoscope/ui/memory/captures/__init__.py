"""What was captured of a conversation: the list of it and the words for it."""

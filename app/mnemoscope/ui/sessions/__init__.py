"""The list of conversations and the trash."""

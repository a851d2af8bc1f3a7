"""The text of one memory file: source, preview, and the state the text is edited from."""

"""The versions of one memory file: the list, the comparison of two texts, and the words for them."""

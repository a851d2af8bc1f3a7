"""Here is what several rooms know of text: sets of characters, fences, differences, Markdown made plain or harmless.

Begin with `characters` and `fences`, which list invisible characters, apostrophes, scripts without spaces and fences;
`domain.memory.facts` alone keeps a list of its own, because hashes on the disk were made with it. It imports nothing of
the domain.
"""

"""Here is what several rooms know of text: sets of characters, fences, differences, Markdown made plain or harmless.

Begin with `characters` and `fences`: no other module lists invisible characters, apostrophes, scripts without spaces or
fences of its own. It imports nothing of the domain.
"""

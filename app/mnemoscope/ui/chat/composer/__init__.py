"""Where the person writes: the field, its drafts, its slash commands, and what of its text was pasted.

Begin with `composer`. It may import what stands below the chat, and no other part of it.
"""

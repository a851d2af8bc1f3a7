"""The dictionaries of the system and the person's own words: whether a word is spelled as a dictionary has it.

Begin in `enchant`. May import the files room and the domain.
"""

"""Keys, tokens and passwords are found in text and masked.

Begin with `detection`, which knows the `secret_formats` of keys; `stated_passwords` finds what people call a password
in plain words, and numbers of cards, for what is captured or noted. It imports `text` of the domain alone.
"""

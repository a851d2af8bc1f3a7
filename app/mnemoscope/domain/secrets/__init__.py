"""Keys, tokens and passwords are found in text and masked.

Begin with `detection`, which knows the `secret_formats` of keys; `stated_passwords` finds passwords in plain words. It
imports `text` of the domain alone.
"""

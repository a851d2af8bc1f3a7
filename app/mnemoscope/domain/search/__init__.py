"""Search compares the words of a query with those of passages, in several languages and scripts, and ranks passages.

Begin with `query`, then `ranking`; `words` says what a word is, `said_values` in which forms values are written. It
imports `text` of the domain alone.
"""

"""Puts bytes on the disk so that they stay: whole writes, appends, compare-and-swap, and the port for file calls.

Begin with `atomic`, then `append` and `compare_and_swap`; `calls` is where tests let the disk fail, `disk` the thread
that owns all writes. May import nothing of the other rooms of `store`.
"""

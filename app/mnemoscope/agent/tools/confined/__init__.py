"""The process that starts one command inside bubblewrap, watches over it, and ends all it leaves behind.

Begin with `__main__`; `limits` bounds what a command may use, `system_calls` filters what it may ask of the kernel. It
imports nothing of the rest of the program.
"""

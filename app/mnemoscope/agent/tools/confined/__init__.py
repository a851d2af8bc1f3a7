"""The process that starts one command inside bubblewrap, watches over it, and ends all it leaves behind.

Begin with `__main__`; `system_calls` filters what the command may ask of the kernel. It imports nothing of the rest of
the program.
"""

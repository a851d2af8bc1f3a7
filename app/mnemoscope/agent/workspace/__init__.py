"""One open workspace as the window uses it: conversations, settings, prompts, repairs, changes of other programs.

Begin with `workbench`, which holds the parts; bootstrap wires them. It may import every other room of the agent but
cli.
"""

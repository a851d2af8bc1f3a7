"""Runs what a model may do in the workspace: read, write, edit, list, search, and a command that the person approves.

Begin with `toolbox`, the one place that runs a call; each tool stands in a module named after it, and `confined` is the
process that a command is locked into. It imports nothing else of the agent.
"""

"""Answers a person: turns, prompts, tools, commands, consolidation, Dream, and the workspace they belong to.

Begin with `turn.agent_loop`, which takes a message, and with `workspace.workbench`, which the window is given. It may
import memory, store, llm and the domain, and never the window.
"""

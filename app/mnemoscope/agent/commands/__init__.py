"""Slash commands: what there is, how a message is read as one, and what each does.

Begin with `slash_commands`, which lists them; `command_runner` runs them and `dream_commands` those of Dream. It may
import consolidation, Dream and what stands below them.
"""

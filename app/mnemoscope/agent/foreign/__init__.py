"""Conversations and memory of other agents on this computer, read for the person alone: no prompt or index has them.

Begin with `foreign_reading`. It may import the stores; nothing but the window imports it.
"""

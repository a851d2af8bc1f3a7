"""Consolidation beside the conversation: when it begins, how it waits after a failure, and how full the prompt is.

Begin with `background_consolidation`. It may import tools, prompt and tasks; what a consolidation writes is memory's.
"""

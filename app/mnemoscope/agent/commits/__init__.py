"""The git commits of the memory files: made of every change, looked at, undone, and used to go back in time.

Begin with `memory_commits`; `time_travel` builds the prompt of a past moment. It may import tools and prompt.
"""

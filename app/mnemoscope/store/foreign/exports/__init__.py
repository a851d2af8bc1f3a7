"""The exports of other assistants: files that a person asked for, with all conversations in them.

Begin with `export_formats`, which tells whose an export is and opens it; `export_files` reads the zips and folders, and
each assistant has a module of its own. May import `store.foreign.reading` and what stands below it.
"""

"""The list of conversations: new, switch, search, rename, delete with a way back, and closed ones to be read.

Begin with `sessions_controller`, which keeps `sessions_pane` true to the files; the trash is in `deletions`. Imports
`chat` and `timeline`, which show the conversation that is chosen, and what stands below them.
"""

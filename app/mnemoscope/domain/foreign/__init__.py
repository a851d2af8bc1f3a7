"""The stores of other agents are shown in one shape, whatever their format.

Begin with `foreign_store`, the port that each format implements, and `foreign_records`, what it hands out;
`message_tree` finds the active path in what is a tree, `edit_replay` tells which call wrote a line of a memory file,
`apply_patch` reads the patches of Codex, and `foreign_export` is the port of what is imported. It imports
`cancellation`, `conversation` and `text` of the domain.
"""

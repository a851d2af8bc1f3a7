"""The keyboard and the screen reader: the ring of focus, the order of Tab, Esc and Enter, keys of a part, roles.

Begin with `focus_ring`, which paints the ring where no style sheet can, then `tab_order` and `part_keys`. It may import
`ui.widgets.theme`.
"""

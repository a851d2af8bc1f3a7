"""The keyboard and the screen reader: the ring of focus, the order of Tab, Esc and Enter, and roles of widgets.

Begin with `focus_ring`, which paints the ring where no style sheet can, and `tab_order`. May import ui.widgets.theme.
"""

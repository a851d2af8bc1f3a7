"""What the keyboard and a screen reader need: the ring of focus, the order of Tab, Esc and Enter, roles of widgets.

Begin with `focus_ring`, which paints the ring where no style sheet can, and `tab_order`. May import ui.widgets.theme.
"""

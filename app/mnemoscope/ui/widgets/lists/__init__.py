"""Lists: a model of rows that are replaced as a whole, an item of two lines, and what a screen reader hears of them.

Begin with `rows_model`; `painted_list` is the base of lists that paint themselves. It may import `ui.widgets.theme`.
"""

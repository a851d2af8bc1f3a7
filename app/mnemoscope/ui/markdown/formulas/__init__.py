"""The process that draws formulas, and how the window asks it for one.

Begin with `formulas`, which asks; `drawn_formula` is what passes between the two, and `formula_process` what draws. It
may import the domain, and `formulas` alone needs Qt.
"""

"""Text as Qt counts, directs and searches it: offsets, scripts, finding and replacing, and the bar one finds with.

Begin with `search`, which finds and replaces, and `offsets`, the way from Python's characters to Qt's units. May import
`theme` and `square_button` of ui.widgets.
"""

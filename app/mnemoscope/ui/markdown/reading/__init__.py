"""Reads untrusted Markdown, without Qt: blocks, their element tree, the pieces that are shown, the spans of code.

Begin with `reader`; `block_splitter` and `parser` stand below it, and what makes text safe (`untrusted_text`), tells
which lines are headings, rules and items (`line_patterns`) and says where a link goes (`link_address`) below these. It
may import `ui.widgets.palettes` and the domain.
"""

"""Writes what was read as HTML, without Qt, for pages and clipboards outside of the window.

Begin with `html_writer`; `page_formulas` draws the formulas where there is no window. It may import
`ui.markdown.formulas`, `ui.markdown.reading` and the domain.
"""

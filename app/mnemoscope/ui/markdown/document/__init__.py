"""Writes what was read into text documents of Qt, and shows them: formats, cards, the colours of code, formulas, links.

Begin with `document_writer`; `text_style` says how a piece looks, `card_painter` draws what lies behind the text, and
`markdown_view` is the view of one text. It may import `ui.markdown.formulas`, `ui.markdown.reading`, `ui.widgets` and
the domain.
"""

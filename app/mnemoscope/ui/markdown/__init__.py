"""Reads untrusted Markdown and writes it into text documents, for the transcript, the preview of memory and the manual.

Begin with `reading.reader`, which turns text into pieces, and `document.document_writer`, which writes them; `page`
writes HTML and `formulas` draws. It may import `ui.widgets` and the domain.
"""

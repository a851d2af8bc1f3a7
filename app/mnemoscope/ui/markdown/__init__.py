"""Reads untrusted Markdown and writes it into text documents, for the transcript, the preview of memory and the manual.

Begin with `reader`, which turns text into pieces, and `document_writer`, which writes them; `block_splitter` and
`parser` stand below the reader. It may import `ui.support`, `ui.widgets` and the domain, and no pane.
"""

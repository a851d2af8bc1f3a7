"""A conversation as one page of HTML: no script, nothing is loaded from anywhere, and it can be printed."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from html import escape
from typing import Final

from mnemoscope.agent.export.exported_conversation import (
    Aside,
    ExportedConversation,
    ExportedEntry,
    ExportWords,
    entries_of,
)
from mnemoscope.domain.conversation.attachment import Attachment, image_words
from mnemoscope.domain.text.characters import BIDI_CONTROL

Render = Callable[[str], str]
"""Returns an untrusted Markdown text as HTML that holds none of its own."""
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE: Final = """
@page { margin: 16mm 18mm 18mm; }
:root { color-scheme: light dark; --text: #1b1f24; --muted: #57606a; --ground: #ffffff; --card: #eef0f3;
  --user: #e8effd; --line: #d9dde3; --link: #2563eb; --pointer: #7c3aed; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --muted: #a3abb5; --ground: #17191c; --card: #262a2f;
  --user: #24304a; --line: #343a41; --link: #6ca0ff; --pointer: #b692f6; } }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); background: var(--ground);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.3; } article h2 { font-size: .85rem; font-weight: 400; margin: 1.75rem 0 .4rem; }
article h2, .count, .note, .gap, summary { color: var(--muted); }
.count, .note, .gap, summary { font-size: .9rem; }
.user .words { background: var(--user); border-radius: .5rem; padding: .1rem .9rem; }
.words h1, .words h2, .words h3 { font-size: 1.15rem; font-weight: 600; color: var(--text); margin: 1rem 0 .5rem; }
pre, code { font-family: ui-monospace, monospace; font-size: .9em; background: var(--card); border-radius: .3rem; }
code { padding: .1em .25em; } pre { padding: .7rem .9rem; white-space: pre-wrap; tab-size: 4; }
table { border-collapse: collapse; display: block; max-width: 100%; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; overflow-wrap: break-word; vertical-align: top; }
th { background: var(--card); } th:not([align]), td:not([align]) { text-align: left; }
.address { display: none; color: var(--muted); font-size: .85em; }
blockquote { margin: .6rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--muted); }
@media (prefers-color-scheme: dark) { img.formula { filter: invert(1); } }
img.sent { max-width: 100%; height: auto; border-radius: .3rem; }
a { color: var(--link); } details { margin: .5rem 0; } summary { cursor: pointer; }
.pointer { display: flex; align-items: center; gap: .8rem; margin: 2rem 0; color: var(--pointer); font-size: .9rem; }
.pointer::before, .pointer::after { content: ""; flex: 1; border-top: 1px solid var(--pointer); }
@media print { :root { color-scheme: light; --text: #000; --muted: #444; --ground: #fff; --card: #f2f2f2;
  --user: #f2f5fc; --line: #bbb; --link: #000; --pointer: #5b21b6; }
  body { max-width: none; margin: 0; font-size: 10.5pt; }
  article h2, h1, h2, h3, h4, h5, h6, summary { break-after: avoid; } p { orphans: 2; widows: 2; }
  pre, tr, blockquote, img { break-inside: avoid; } thead { display: table-header-group; }
  table { display: table; } td { overflow-wrap: anywhere; } img.sent { max-height: 85vh; width: auto; }
  .address { display: inline; } details::details-content { content-visibility: visible; block-size: auto; }
  img.formula { filter: none; } * { print-color-adjust: exact; } }
"""


def html_parts(conversation: ExportedConversation, words: ExportWords, render: Render) -> Iterator[str | Attachment]:
    """Yields the page of an export, a message at a time; an image stands for what `image_html` makes of it."""
    title = _text(conversation.title) or _text(words.untitled)
    count = _text(words.counted(conversation.messages))
    yield (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="Mnemoscope">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f'<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class="count">{count}</p>\n'
    )
    for entry in entries_of(conversation, words):
        yield from _entry(entry, render)
    yield "</body>\n</html>\n"


def image_html(attachment: Attachment, data: bytes | None) -> str:
    """Returns an image that lies in the page itself, or words where its bytes are gone."""
    if data is None:
        return f'<p class="note">{_text(image_words(attachment))}</p>\n'
    source = f"data:{attachment.media_type};base64,{b64encode(data).decode('ascii')}"
    size = f'width="{attachment.width}" height="{attachment.height}"'
    return f'<p><img class="sent" src="{source}" alt="{_text(attachment.name)}" {size}></p>\n'


def _entry(entry: ExportedEntry, render: Render) -> Iterator[str | Attachment]:
    if entry.kind in ("pointer", "gap"):
        yield f'<p class="{entry.kind}">{_text(entry.words)}</p>\n'
        return
    when = f' · <time datetime="{entry.when.isoformat()}">{entry.when:%Y-%m-%d %H:%M}</time>' if entry.when else ""
    said = f'<div class="words">{render(entry.words)}</div>\n' if entry.words.strip() else ""
    asides = "".join(map(_aside, entry.asides))
    notes = "".join(f'<p class="note">{_text(note)}</p>\n' for note in entry.notes)
    yield f'<article class="{entry.kind}">\n<h2>{_text(entry.speaker)}{when}</h2>\n{said}'
    yield from entry.images
    yield f"{asides}{notes}</article>\n"


def _aside(aside: Aside) -> str:
    texts = "".join(
        (f'<p class="note">{_text(label)}</p>' if label else "") + f"<pre>{_text(text)}</pre>"
        for label, text in aside.texts
    )
    return f"<details><summary>{_text(aside.title)}</summary>{texts}</details>\n"


def _text(text: str) -> str:
    """Returns plain text for a page: escaped, without marks that reorder it and without controls."""
    return escape(_CONTROL.sub("\ufffd", BIDI_CONTROL.sub("", text)))

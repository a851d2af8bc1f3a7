"""The Markdown inside one block: python-markdown for the words, nh3 for what may come out of it. No Qt."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.extensions.nl2br import Nl2BrExtension
from markdown.inlinepatterns import InlineProcessor, SimpleTagInlineProcessor
from markdown.treeprocessors import Treeprocessor

from mnemoscope.ui.chat.link_address import may_be_clicked

INLINE_LIMIT: Final = 20_000
"""Characters of one block that are parsed; a longer one is shown as it is written."""
KNOT_LIMIT: Final = 400
"""Marks of one kind in one block; more of them cost quadratic time and are no text a person wrote."""

_TAGS: Final = {"a", "br", "code", "del", "em", "span", "strong", "sup", "sub"}
_ATTRIBUTES: Final = {"a": {"href"}, "span": {"class"}}
_MARKS: Final = "[]*_`<!~&"
_BARE_ADDRESS: Final = r"(?<![\w/@.])(https?://[^\s<>\"'`\]\[]*[\w/#=&+%-])"
_PARAGRAPH: Final = re.compile(r"</?p>")


class _ImagesAsText(Treeprocessor):
    """Nothing is ever loaded: an image is its description."""

    def run(self, root: Element) -> None:
        for image in list(root.iter("img")):
            words = image.get("alt", "") or "no description"
            tail = image.tail
            image.clear()
            image.tag, image.text, image.tail = "span", f"[image: {words}]", tail
            image.set("class", "image")


class _BareAddress(InlineProcessor):
    """An address in running text is a link."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]
        link = Element("a")
        link.set("href", m.group(1))
        link.text = m.group(1)
        return link, m.start(0), m.end(0)


def _parser() -> Markdown:
    # By class: a name is looked up in the metadata of every package that is installed.
    parser = Markdown(output_format="html", extensions=[Nl2BrExtension()])
    parser.preprocessors.deregister("html_block")
    parser.preprocessors.deregister("normalize_whitespace")
    parser.inlinePatterns.deregister("html")
    # Block structure is known already: only paragraphs are left to find.
    for name in ("indent", "code", "hashheader", "setextheader", "hr", "olist", "ulist", "quote", "reference"):
        parser.parser.blockprocessors.deregister(name)
    parser.inlinePatterns.register(SimpleTagInlineProcessor(r"(~~)(.+?)~~", "del"), "strike", 65)
    parser.inlinePatterns.register(_BareAddress(_BARE_ADDRESS, parser), "bare_address", 115)
    parser.treeprocessors.register(_ImagesAsText(parser), "images_as_text", 5)
    return parser


_PARSER: Final = _parser()


def inline_html(text: str, definitions: Mapping[str, str] | None = None, *, breaks: bool = True) -> str:
    """Sanitised HTML of running text: only the inline tags, only links that may be clicked.

    `definitions` are the addresses of the text's reference links; `breaks` keeps single line ends as `<br>`.
    """
    used = tuple(sorted(definitions.items())) if definitions and "[" in text else ()
    return _inline_html(text, used, breaks)


@lru_cache(maxsize=2_048)
def _inline_html(text: str, definitions: tuple[tuple[str, str], ...], breaks: bool) -> str:
    if _is_plain(text):
        return _as_text(text, breaks)
    _PARSER.reset()
    _PARSER.references.update({name: (address, "") for name, address in definitions})
    source = text if breaks else re.sub(r"(?<! {2})(?<!\\)\n", " ", text)
    try:
        parsed = _PARSER.convert(source)
    except RecursionError:
        return _as_text(text, breaks)
    return _PARAGRAPH.sub("", _cleaned(parsed)).strip("\n")


def _is_plain(text: str) -> bool:
    if len(text) > INLINE_LIMIT:
        return True
    counts = [text.count(mark) for mark in _MARKS]
    return max(counts) > KNOT_LIMIT or not (any(counts) or "\\" in text or "://" in text or "  \n" in text)


def _as_text(text: str, breaks: bool) -> str:
    shown = html.escape(text, quote=False)
    return shown.replace("\n", "<br>" if breaks else " ")


def _cleaned(parsed: str) -> str:
    return nh3.clean(
        parsed,
        tags=_TAGS | {"p"},
        attributes=_ATTRIBUTES,
        attribute_filter=_kept_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )


def _kept_attribute(tag: str, name: str, value: str) -> str | None:
    if (tag, name) == ("a", "href"):
        return value if may_be_clicked(value) else None
    return value if value == "image" else None

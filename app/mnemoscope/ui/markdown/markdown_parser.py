"""The Markdown inside one block: python-markdown for the words, nh3 for what may come out of it. No Qt.

Both libraries cost three megabytes: `markdown_inline` imports this at the first text that has more than simple marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.extensions.nl2br import Nl2BrExtension
from markdown.inlinepatterns import InlineProcessor, SimpleTagInlineProcessor
from markdown.treeprocessors import Treeprocessor

from mnemoscope.ui.markdown.link_address import may_be_clicked

_TAGS: Final = {"a", "br", "code", "del", "em", "span", "strong", "sup", "sub"}
_ATTRIBUTES: Final = {"a": {"href"}, "span": {"class"}}
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


def parsed_html(text: str, definitions: Iterable[tuple[str, str]], *, breaks: bool) -> str:
    """Sanitised HTML of running text; raises RecursionError where it is nested too deep."""
    _PARSER.reset()
    _PARSER.references.update({name: (address, "") for name, address in definitions})
    source = text if breaks else re.sub(r"(?<! {2})(?<!\\)\n", " ", text)
    return _PARAGRAPH.sub("", _cleaned(_PARSER.convert(source))).strip("\n")


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

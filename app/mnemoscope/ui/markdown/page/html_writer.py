"""Writes Markdown as HTML, for pages and clipboards outside of the window. No Qt.

The tree of the one reader is written as it is: it holds no HTML of the text's own, no image and no address that may not
be opened, and whatever stands in it is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from mnemoscope.ui.markdown.reading.reader import tree_of
from mnemoscope.ui.markdown.reading.untrusted_text import rendered_part, tidied

_OURS: Final = ("first", "last", "info", "part", "continued", "rows", "note", "task", "math", "picture")
"""Attributes of the tree that say something to the window alone."""
_BOXES: Final = {"open": "☐ ", "done": "☑ "}


FormulaImage = Callable[[str, bool], Mapping[str, str] | None]
"""Returns the attributes of the image that shows a formula, by its source and whether it stands by itself, or None."""


CodeColours = Callable[[str, str], Iterable[tuple[str, str]]]
"""Returns code of a language, as it is written after a fence, in pieces, each with the CSS of its look, "" for none."""


Dress = Callable[[Element], None]
"""Changes the elements of a text in their place, which are then written as HTML."""


def no_image(source: str, display: bool) -> None:
    """Returns that no formula is drawn: its source is shown as code."""
    del source, display


def formulas_in(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yields the source of each formula of a text, and whether it stands by itself."""
    try:
        tree = tree_of(markdown)
    except RecursionError:
        return
    for element in tree.iter("code"):
        if kind := element.get("math"):
            yield element.text or "", kind == "display"


def undressed(tree: Element) -> None:
    """Leaves the elements of a text as they are."""
    del tree


def html_of(
    markdown: str,
    image: FormulaImage = no_image,
    *,
    addresses: bool = False,
    colours: CodeColours | None = None,
    dress: Dress = undressed,
) -> str:
    """Returns an untrusted text as HTML of its own, in a `div` whose line ends count.

    What is too long to be read as Markdown, or nested too deep, stands there as it is written. `image` shows formulas.
    With `addresses` a link that has words of its own is followed by its address in a `span` of that class, for paper.
    `colours` gives code its colours, and `dress` the elements what looks they need besides.
    """
    shown, left_out = rendered_part(markdown)
    try:
        tree = tree_of(shown)
        if addresses:
            _add_addresses(tree)
        if colours is not None:
            _add_colours(tree, colours)
        _make_plain(tree, image)
        made = _dressed(tree, dress)
    except RecursionError:
        made = html_as_written(shown, dress)
    return made + html_as_written(markdown[len(shown) :], dress) if left_out else made


def html_as_written(text: str, dress: Dress = undressed) -> str:
    """Returns an untrusted text as HTML that shows it as it is written, as code is shown."""
    card = Element("pre")
    card.text = tidied(text)
    return _dressed(card, dress)


def _dressed(tree: Element, dress: Dress) -> str:
    dress(tree)
    return tostring(tree, encoding="unicode", method="html")


def _make_plain(tree: Element, image: FormulaImage) -> None:
    tree.set("style", "white-space: pre-wrap")
    for element in tree.iter():
        if box := _BOXES.get(element.get("task", "")):
            words = element[0] if len(element) else element
            words.text = f"{box}{words.text or ''}"
        if number := element.get("note"):
            words = element[0] if len(element) else element
            words.text = f"{number}. {words.text or ''}"
        if (kind := element.get("math")) and (shown := image(element.text or "", kind == "display")):
            source, tail = element.text or "", element.tail
            element.clear()
            element.tag, element.tail = "img", tail
            element.attrib.update({**shown, "alt": source, "class": "formula"})
        for name in _OURS:
            element.attrib.pop(name, None)


def _add_addresses(tree: Element) -> None:
    for parent in tree.iter():
        for place in range(len(parent) - 1, -1, -1):
            link = parent[place]
            address = link.get("href", "").removeprefix("mailto:") if link.tag == "a" else ""
            if address and "".join(link.itertext()) != address:
                shown = Element("span", {"class": "address"})
                shown.text = f" ({address})"
                shown.tail, link.tail = link.tail, None
                parent.insert(place + 1, shown)


def _add_colours(tree: Element, colours: CodeColours) -> None:
    for card in [each for each in tree.iter("pre") if each.get("info")]:
        code, card.text = card.text or "", None
        for words, style in colours(code, card.get("info", "")):
            SubElement(card, "span", {"style": style} if style else {}).text = words

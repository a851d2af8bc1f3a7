"""The theme as text formats, and the properties that tell the painter what a block is part of.

Cards and bubbles are no frames of the document: their blocks carry a number, and the painter draws one rounded shape
behind each run of blocks with the same number. Layout stays flat, so appending to a long transcript stays cheap.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum
from functools import cached_property
from itertools import count
from typing import Any, Final, Generic, TypeVar

from PySide6.QtGui import QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextDocument, QTextFormat

from mnemoscope.ui.markdown.reading.reader import Run
from mnemoscope.ui.widgets.text.scripts import has_italics
from mnemoscope.ui.widgets.theme import Theme

_FIRST: Final = int(QTextFormat.Property.UserProperty.value)
_TAB: Final = 4
"""Characters of code that a tab is as wide as."""


class Mark(IntEnum):
    """Properties of a block format."""

    BUBBLE = _FIRST + 1
    """Number of the person's bubble the block lies in."""
    CARD = _FIRST + 2
    """Number of the card the block lies in."""
    CARD_KIND = _FIRST + 3
    QUOTE = _FIRST + 4
    """Depth of the quotation."""
    QUOTE_LEFT = _FIRST + 5
    """Pixels from the column's edge to the quotation's first bar."""
    QUOTE_MIRRORED = _FIRST + 20
    """The quotation is written from right to left: its bars stand at the right."""
    MIRRORED_ROOM = _FIRST + 21
    """Of a table that stands at the right: pixels left free there."""
    RULE = _FIRST + 6
    DIVIDER = _FIRST + 7
    """The pointer stands above this block."""
    CHROME = _FIRST + 8
    """Not part of a message's words: captions, headers, notes; neither found nor copied."""
    SPARE = _FIRST + 9
    """The empty block after a table, which the next block takes."""
    FIRST_LINE = _FIRST + 10
    LAST_LINE = _FIRST + 11
    """Lines of the message's Markdown that the block shows, from 1 so that 0 means none."""
    CAPTION = _FIRST + 12
    RIGHT_TAB = _FIRST + 13
    """The block has a tab stop at the column's right edge."""
    MARKER = _FIRST + 14
    """Of a list's item: what is drawn before it."""
    DEPTH = _FIRST + 15
    QUOTATION = _FIRST + 17
    """The number of the quotation the block lies in: neighbours in the same one share a bar."""
    PUT_IN = _FIRST + 18
    """Of a person's message: what they pasted or took from a file."""
    BUTTONS = _FIRST + 19
    """The block's actions are painted as buttons."""
    ACTION = _FIRST + 29
    """Of a character that can be pressed: the number of its action in the document's `ActionTable`."""
    FORMULA = _FIRST + 22
    """Of a character that is painted as a formula: its source, with its marks."""
    FORMULA_SIZE = _FIRST + 23
    FORMULA_TOP = _FIRST + 24
    """Pixels of its place that are left free above it."""
    FORMULA_HEIGHT = _FIRST + 25
    FORMULA_SVG = _FIRST + 26
    FORMULA_COLOUR = _FIRST + 28
    """The name of the colour in which that picture is drawn."""
    SUMMARY = _FIRST + 27
    """Of a bubble: it holds the summary that another agent sends in the place of what it left out."""
    PAINTED = _FIRST + 16
    """The block has a quotation's bar, a rule, a divider, a marker or buttons: one look tells."""


ActionT = TypeVar("ActionT")
_numbers: Final = count(1)


class ActionTable(Generic[ActionT]):
    """Keeps the actions that the text of one document offers, which are hashable values, by the number that the formats
    of that text have.

    A format cannot keep the action itself: Qt takes no two values of Python as equal and hashes all of them alike, so a
    document would compare each new format with those of all its actions. A number is given once in a run of the
    program, so a format of another document, or of a text that is gone, has no action here.
    """

    def __init__(self) -> None:
        self._numbers: dict[ActionT, int] = {}
        self._actions: dict[int, ActionT] = {}

    def number_of(self, action: ActionT) -> int:
        """Returns the number of an action, which is kept until the table is cleared."""
        number = self._numbers.get(action)
        if number is None:
            number = self._numbers[action] = next(_numbers)
            self._actions[number] = action
        return number

    def action_of(self, form: QTextFormat) -> ActionT | None:
        """Returns the action of a text with this format, or None where it has none."""
        return self._actions.get(form.intProperty(Mark.ACTION))

    def clear(self) -> None:
        """Forgets all actions, because the text that offered them is gone."""
        self._numbers.clear()
        self._actions.clear()


class CardKind(IntEnum):
    """Names the looks that a card can have."""

    CODE = 1
    TOOL = 2
    MUTED = 3


_LINE_HEIGHT: Final = 145.0
LIST_INDENT: Final = 24
QUOTE_INDENT: Final = 16
CARD_PADDING: Final = 12
BUBBLE_PADDING: Final = 14


class TextStyle:
    """Formats of one theme at one zoom, made once and shared; `compact` is for a narrow column beside others.
    `actions`: those of the document that is written, where it offers any."""

    def __init__(self, theme: Theme, *, compact: bool = False, actions: ActionTable[Any] | None = None) -> None:
        self.theme = theme
        self._actions = actions if actions is not None else ActionTable[Any]()
        self.line_height = 115.0 if compact else _LINE_HEIGHT
        self.heading_sizes = (1.3, 1.15, 1.05, 1.0, 1.0, 1.0) if compact else (1.45, 1.25, 1.1, 1.0, 1.0, 1.0)
        self.heading_space = (12, 11, 10, 10, 10, 10) if compact else (18, 16, 14, 12, 12, 12)
        self._runs: dict[tuple[frozenset[str], bool, bool, int], QTextCharFormat] = {}

    def chars(self, kind: str = "body", role: str = "text", *, bold: bool = False) -> QTextCharFormat:
        """Returns a format in the theme's `kind` of font and colour role."""
        made = QTextCharFormat()
        font = self.theme.font(kind)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        made.setFont(font)
        made.setForeground(self.theme.color(role))
        return made

    def set_tab_width(self, document: QTextDocument) -> None:
        """Has a tab in a document be as wide as four characters of code."""
        option = document.defaultTextOption()
        option.setTabStopDistance(_TAB * QFontMetricsF(self.theme.font("code")).horizontalAdvance(" "))
        document.setDefaultTextOption(option)

    @cached_property
    def body(self) -> QTextCharFormat:
        return self.chars()

    @cached_property
    def caption(self) -> QTextCharFormat:
        return self.chars("caption", "text_muted")

    @cached_property
    def code(self) -> QTextCharFormat:
        return self.chars("code")

    @cached_property
    def chip(self) -> QTextCharFormat:
        """Returns the format of a quiet word or two beside others."""
        made = QTextCharFormat(self.caption)
        # What is sunken is hardly to be told from a dark canvas.
        made.setBackground(self.theme.color("overlay" if self.theme.dark else "sunken"))
        return made

    def link(self, href: str, base: QTextCharFormat | None = None, role: str = "accent") -> QTextCharFormat:
        """Returns a format that makes its text a link to an address, which Qt calls an anchor."""
        made = QTextCharFormat(base or self.caption)
        made.setAnchor(True)
        made.setAnchorHref(href)
        made.setForeground(self.theme.color(role))
        return made

    def action(self, action: Hashable, base: QTextCharFormat | None = None, role: str = "accent") -> QTextCharFormat:
        """Returns a format that has its text offer an action, a hashable value; it looks like a link and has no
        address."""
        made = QTextCharFormat(base or self.caption)
        made.setProperty(Mark.ACTION, self._actions.number_of(action))
        made.setForeground(self.theme.color(role))
        return made

    def run(self, run: Run, *, muted: bool = False, heading: int = 0, bold: bool = False) -> QTextCharFormat:
        """Returns the format of one run of running text."""
        styles = run.styles
        if "italic" in styles and not has_italics(run.text):
            styles = styles - {"italic"} | {"bold"}
        key = (styles, muted, bold, heading)
        made = self._runs.get(key)
        if made is None:
            made = self._runs[key] = self._made(styles, muted=muted, heading=heading, bold=bold)
        return self.link(run.href, made) if run.href else made

    def _made(self, styles: frozenset[str], *, muted: bool, heading: int, bold: bool) -> QTextCharFormat:
        if "key" in styles:
            return QTextCharFormat(self.chip)
        role = "text_muted" if muted or "image" in styles else "text"
        made = self.chars("code" if styles & {"code", "math"} else "body", role)
        if heading:
            made.setFontPointSize(made.fontPointSize() * self.heading_sizes[heading - 1])
        if bold or heading or "bold" in styles:
            made.setFontWeight(QFont.Weight.DemiBold)
        made.setFontItalic(bool(styles & {"italic", "image"}))
        made.setFontStrikeOut("strike" in styles)
        if styles & {"code", "math"}:
            made.setBackground(self.theme.color("sunken"))
        if "raised" in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        return made

    def block(self, top: float = 0, left: float = 0, right: float = 0, line: float | None = None) -> QTextBlockFormat:
        """Returns a block with these margins in pixels and a line height in per cent, the style's own unless told."""
        made = QTextBlockFormat()
        made.setTopMargin(top)
        made.setLeftMargin(left)
        made.setRightMargin(right)
        height = self.line_height if line is None else line
        made.setLineHeight(height, int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value))
        return made

    @cached_property
    def spare_block(self) -> QTextBlockFormat:
        """Returns an empty block that takes no room."""
        made = QTextBlockFormat()
        made.setLineHeight(1, int(QTextBlockFormat.LineHeightTypes.FixedHeight.value))
        made.setProperty(Mark.SPARE, True)
        return made

    @cached_property
    def spare_chars(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFontPointSize(1)
        return made

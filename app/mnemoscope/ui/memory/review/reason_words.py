"""The reasons why something waits for review, in the window's words: a title, and what deciding means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.capture.captured_line import read_line
from mnemoscope.domain.disagreement.memory_check import Disagreement, sentence_across
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.memory.file_registry import COMPARED_FILES
from mnemoscope.domain.memory.suggestion import HAD_FORGOTTEN_BEFORE
from mnemoscope.domain.review.review_items import ReviewItem, reason_kind
from mnemoscope.domain.text.escape_markdown import has_nested_block
from mnemoscope.domain.text.markup import markup_in
from mnemoscope.domain.text.one_line_text import one_line_text
from mnemoscope.ui.translation.core_words import core_words

_RESEMBLES: Final = reason_kind("It resembles “x”, which you rejected on 2026-01-01: “x”.")
"""The kind of the reason that what is proposed is near a rejected fact."""
_FORGOTTEN: Final = reason_kind("You chose to forget this: “x”.")
_FORGOTTEN_BEFORE: Final = reason_kind(f"{HAD_FORGOTTEN_BEFORE}: “x”.")
"""The same as earlier versions said it."""
_FORGOTTEN_AND_THERE: Final = f"{_FORGOTTEN} It stands there."
"""The kind of the reason for a forgotten text that stands in memory again: accepting takes it out, and does not bring
it in."""
_NAMING: Final = frozenset(
    {
        _RESEMBLES,
        reason_kind("Memory's health: another line says it too: “x”"),
        reason_kind("Memory's health: another line says otherwise: “x”"),
        reason_kind("Memory's health: “x” held only near the day it was written."),
        reason_kind("It would change the skill “x”, which is followed as instructions."),
        reason_kind("It would move “x” to “y”."),
        reason_kind("Nobody spoke of what it would change: “x” to “y”."),
    }
)
"""The kinds of reason that name more than the line in question, and are said whole below their title."""
_Meaning = tuple[str, str]
"""The title of a kind of reason, and a sentence on what deciding means."""
_UNKNOWN: Final[_Meaning] = ("", "")


_QUOTED: Final = re.compile("“([^“”]*)”")


class ReasonWords:
    """Says why an item waits, in the language that the window had when this was made."""

    def __init__(self) -> None:
        self._meanings = _meanings()

    def title_of(self, item: ReviewItem) -> str:
        """Returns the reason of an item in a few words."""
        title, _ = self._meanings.get(item.kind, _UNKNOWN)
        return title or (said(item.reasons[0]) if item.reasons else tr("It came with another that waits"))

    def meaning_of(self, item: ReviewItem) -> str:
        """Returns what deciding an item means, "" where that says itself."""
        _, sentence = self._meanings.get(explained_by(item), _UNKNOWN)
        return sentence


def said(reason: str) -> str:
    """Returns a reason in the window's language, with what it quotes as a person reads it: without the marks of
    Markdown, and of what was captured without its category. What may lead elsewhere, such as a link, or is a block
    within a line is shown with its marks: they may be what the reason is about."""
    return _QUOTED.sub(lambda found: f"“{_as_read(found[1])}”", core_words(reason))


def _as_read(quoted: str) -> str:
    if markup_in(quoted) or has_nested_block(f"- {fact_text(quoted)}"):
        return quoted
    captured = read_line(f"- {fact_text(quoted)}")
    return captured.text if captured is not None and captured.category else one_line_text(quoted) or quoted


def tr(text: str) -> str:
    """Translates in the context of the reasons."""
    return QCoreApplication.translate("ReviewReasons", text)


def explained_by(item: ReviewItem) -> str:
    """Returns the kind of reason whose sentence says what deciding an item means."""
    is_forgotten = item.kind in (_FORGOTTEN, _FORGOTTEN_BEFORE)
    return _FORGOTTEN_AND_THERE if is_forgotten and item.suggestion.is_written_back else item.kind


def other_reasons(item: ReviewItem) -> Sequence[str]:
    """Returns the reasons that the title of an item does not say whole."""
    return item.reasons if item.kind in _NAMING else item.reasons[1:]


def _meanings() -> Mapping[str, _Meaning]:
    """Returns a title and a sentence for the reasons that are found most often, by their kind."""
    tool = tr(
        "Text from a web page or a file can become a lasting instruction here. Look where it comes from before you"
        " accept it."
    )
    replaces = tr(
        "Replace strikes the old one, with the day until which it held. Both can stand if each says where"
        " or when it holds."
    )
    across = tr("Two memory files disagree"), replaces
    return {
        **{reason_kind(sentence_across("x", "y", path)): across for path in COMPARED_FILES},
        reason_kind("It would drop “x”."): (
            tr("It would drop a fact"),
            tr("Accepting takes this line out of memory. It stays if you reject."),
        ),
        reason_kind(Disagreement("x", "y").sentence): (tr("Two facts disagree"), replaces),
        reason_kind("Only a tool or file said “x”."): (tr("Only a tool or file said it"), tool),
        reason_kind("You did not say “x”, and a tool or file was read meanwhile."): (
            tr("You did not say it, and a tool or file was read"),
            tool,
        ),
        reason_kind("Nobody spoke of “x”."): (
            tr("Nobody spoke of it"),
            tr("No word of the conversation supports this line: it may be made up."),
        ),
        reason_kind("It would add what reads like an instruction: “x”."): (
            tr("It reads like an instruction"),
            tr("What stands in memory is sent with every message, so an order here would be a lasting one."),
        ),
        _RESEMBLES: (
            tr("It resembles what you rejected"),
            tr("Accept it if it says something else, or if you think otherwise by now."),
        ),
        reason_kind("Another program proposes it through MCP; it says it is “x”."): (
            tr("Another program proposes it"),
            tr("It was not said in a conversation here. The name is what the program calls itself."),
        ),
        **_meanings_of_what_came_back(),
        **_meanings_of_form(),
        **_meanings_of_health(),
    }


def _meanings_of_what_came_back() -> dict[str, _Meaning]:
    """Returns a title and a sentence by the kind of a reason that tells of what the person had taken out of memory,
    or kept out of it."""
    forgotten = tr("You chose to forget this"), tr("Accepting brings it back; it stays away if you reject.")
    return {
        _FORGOTTEN: forgotten,
        _FORGOTTEN_BEFORE: forgotten,
        _FORGOTTEN_AND_THERE: (
            tr("You chose to forget this"),
            tr("Accepting takes this line out of memory; rejecting keeps it, and it is sent again."),
        ),
        reason_kind("It cannot be told whether you chose to forget this: “x”."): (
            tr("It cannot be told whether you chose to forget this"),
            tr("The key to what you chose to forget is not here. Accept it if it is nothing of that."),
        ),
        reason_kind("You deleted this: “x”."): (
            tr("You deleted this"),
            tr("Accepting brings the line back."),
        ),
        reason_kind("You rejected this: “x”."): (
            tr("You rejected this before"),
            tr("Accept it if you think otherwise by now."),
        ),
    }


def _meanings_of_form() -> dict[str, _Meaning]:
    """Returns a title and a sentence by the kind of a reason that tells of what is no plain line, of headings, or
    of what was changed or moved."""
    is_followed = tr("What stands there is read as instructions.")
    in_circles = tr("A model that says the same again and again has lost its thread: look whether it is true.")
    no_fact = tr("Memory holds plain lines. Anything else may lead elsewhere, or hide what it says.")
    under = tr("A line may mean something else under another heading.")
    unknown = tr("No word of the conversation supports this line: it may be made up.")
    return {
        reason_kind("It would change the skill “x”, which is followed as instructions."): (
            tr("It would change a skill"),
            is_followed,
        ),
        reason_kind("It said “x” again and again; it is shown once."): (
            tr("It was said again and again, and is shown once"),
            in_circles,
        ),
        reason_kind("A line says the same again and again: “x”."): (
            tr("A line says the same again and again"),
            in_circles,
        ),
        reason_kind("Many lines differ in their figures alone: “x”."): (
            tr("Many lines differ in their figures alone"),
            in_circles,
        ),
        reason_kind("It would add a link: “x”."): (tr("It would add a link"), no_fact),
        reason_kind("It would add an image: “x”."): (tr("It would add an image"), no_fact),
        reason_kind("It would add HTML: “x”."): (tr("It would add HTML"), no_fact),
        reason_kind("It would add words that are struck out: “x”."): (
            tr("It would add words that are struck out"),
            no_fact,
        ),
        reason_kind("It would add hidden characters: “x”."): (tr("It would add hidden characters"), no_fact),
        reason_kind("It would add a heading, quotation or code within a bullet: “x”."): (
            tr("It would add a heading, quotation or code within a bullet"),
            no_fact,
        ),
        reason_kind("It would add what is no bullet of one line: “x”."): (
            tr("It would add what is no bullet of one line"),
            no_fact,
        ),
        reason_kind("It would add the section “x”."): (tr("It would add a section"), under),
        reason_kind("It would add the heading “x” again, or change its level."): (
            tr("It would add a heading again, or change its level"),
            under,
        ),
        reason_kind("It would take the heading “x” away."): (tr("It would take a heading away"), under),
        reason_kind("It would move “x” to “y”."): (tr("It would move a line under another heading"), under),
        reason_kind("Nobody spoke of what it would change: “x” to “y”."): (
            tr("Nobody spoke of what it would change"),
            unknown,
        ),
        reason_kind("“x” was changed on both sides; your text stands."): (
            tr("It was changed on both sides"),
            tr("Your text stands. Accepting takes the other one in its place."),
        ),
        reason_kind("“x” was changed by you and by the model; your text stands."): (
            tr("It was changed by you and by the model"),
            tr("Your text stands. Accepting takes the other one in its place."),
        ),
    }


def _meanings_of_health() -> dict[str, _Meaning]:
    """Returns a title and a sentence by the kind of a reason that the health of memory gives."""
    asked = tr("You asked for this where memory's health is shown. It changes nothing until you accept it.")
    return {
        reason_kind("Memory's health: another line says it too: “x”"): (
            tr("Memory's health: another line says it too"),
            asked,
        ),
        reason_kind("Memory's health: another line says otherwise: “x”"): (
            tr("Memory's health: another line says otherwise"),
            asked,
        ),
        reason_kind("Memory's health: “x” held only near the day it was written."): (
            tr("Memory's health: a word held only near the day it was written"),
            asked,
        ),
    }

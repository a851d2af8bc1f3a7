"""The quiet line under a person's message: what of it was kept, each a way to its place in memory, and a way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.ui.chat.words import tr
from mnemoscope.ui.markdown.document_writer import DocumentWriter
from mnemoscope.ui.markdown.text_style import INTERNAL, Mark
from mnemoscope.ui.markdown.untrusted_text import tidied

KeptRecords = Mapping[int, Sequence[CaptureRecord]]
"""What is noted of a conversation's messages, by index."""
_LONGEST: Final = 48
_MOST: Final = 4
_HARD_SPACE: Final = "\u00a0"


def told_of(records: Sequence[CaptureRecord]) -> list[CaptureRecord]:
    """Those that are told under the message: what was added, and what the person took back."""
    return [each for each in records if each.outcome in (KEPT, UNDONE) and (each.memory_line or each.state_line)]


def write_kept(writer: DocumentWriter, records: Sequence[CaptureRecord], index: int, *, offers: bool) -> None:
    """Write the line of message `index`; nothing where nothing is to be told. `offers`: with the way back."""
    told = told_of(records)
    if not told:
        return
    style = writer.style
    made = style.block(7, line=150)
    made.setProperty(Mark.CHROME, True)
    writer.begin_block(made, style.caption)
    kept = [each for each in told if each.outcome == KEPT]
    writer.words(f"{tr('Kept:') if kept else tr('Taken back:')}  ", style.caption)
    shown = kept or told
    for each in shown[:_MOST]:
        place = records.index(each)
        chip = style.link(f"{INTERNAL}kept/{index}/{place}", style.chip, role="text_muted")
        chip.setToolTip(tidied(each.text))
        writer.words(f"{_HARD_SPACE}{_short(each.text)}{_HARD_SPACE}", chip)
        writer.words("  ", style.caption)
    if len(shown) > _MOST:
        writer.words(tr("and {count} more").format(count=len(shown) - _MOST) + "  ", style.caption)
    if not offers:
        return
    verb, words = ("unkeep", tr("Undo")) if kept else ("rekeep", tr("Keep after all"))
    writer.words(words, style.link(f"{INTERNAL}{verb}/{index}"))


def _short(text: str) -> str:
    words = " ".join(tidied(text).split())
    cut = words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"
    return cut.replace(" ", _HARD_SPACE)

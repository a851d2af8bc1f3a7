"""What goes by the person's word because it was forgotten is kept in other places: the window names them, and leads to
the forgetting that takes it from there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.ui.forgetting.place_words import kind_name
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.support.history_logs import entry
from tests.ui.memory.review.review_fixture import reviewing
from tests.ui.window_fixture import Opened, Stage, button, click, until

SAID = "The locker at the harbour gym opens with code 2417."
BACK = "Harbour gym, locker code 2417"


async def taken_out(stage: Stage, path: str = "memory/HISTORY.md") -> Opened:
    """Returns a window in whose review a line that came back was accepted to go."""
    stage.make(("user", "Hello."))
    file = stage.paths.root / path
    said = entry(1, "Likes tea") + entry(2, BACK) if "HISTORY" in path else f"# Facts\n\n- Likes tea\n- {BACK}\n"
    person = await stage.open()
    person.bench.tombstones.add([SAID])
    file.write_text(said, "utf-8")
    await person.current.watcher.rescan()
    dialog = await reviewing(person)
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
    await until(lambda: BACK not in file.read_text("utf-8"), "the line is out")
    return person


def notice(person: Opened) -> NoticeBar | None:
    bars = person.window.chat.findChildren(NoticeBar)
    return next((bar for bar in bars if "taken out of" in bar.sentence and bar.isVisibleTo(person.window)), None)


def places_named(person: Opened) -> str:
    bar = notice(person)
    return "" if bar is None else bar.sentence.rpartition(": ")[2].removesuffix(".")


def holding(root: Path) -> list[str]:
    files = (each for each in root.rglob("*") if each.is_file())
    return [each.name for each in files if BACK.encode() in each.read_bytes()]


@pytest.mark.parametrize(("path", "kept"), [("memory/HISTORY.md", ()), ("memory/MEMORY.md", (PlaceKind.COMMITS,))])
async def test_it_names_the_places_and_leads_to_the_forgetting_that_empties_them(
    stage: Stage, path: str, kept: tuple[PlaceKind, ...]
) -> None:
    person = await taken_out(stage, path)
    await until(lambda: notice(person) is not None, "the notice")
    bar = notice(person)
    assert bar is not None
    assert f"taken out of {path}. " in bar.sentence
    kinds = (PlaceKind.CHANGES, PlaceKind.VERSIONS, PlaceKind.LEDGER)
    assert all(kind_name(kind) in places_named(person) for kind in kinds)
    assert holding(stage.paths.root)
    assert person.current.reviews.dialog is not None
    person.current.reviews.dialog.accept()
    offer = button(bar, "Forget there too…")
    assert offer is not None
    click(offer)
    dialog = person.current.forgetting.dialog
    assert dialog is not None
    await until(lambda: dialog.plan is not None and dialog.busy.isHidden(), "the places")
    assert dialog.selected == BACK
    click(dialog.forget)
    await until(lambda: not holding(stage.paths.root), "no file has the words")
    # What a forgetting leaves unless the person says otherwise is still named.
    await until(lambda: places_named(person) == ", ".join(map(kind_name, kept)), "what is left")


async def test_it_goes_with_an_undo_of_the_decision_and_comes_again(stage: Stage) -> None:
    person = await taken_out(stage)
    await until(lambda: notice(person) is not None, "the notice")
    dialog = person.current.reviews.dialog
    assert dialog is not None
    QTest.keyClick(dialog.diff.text, Qt.Key.Key_U)
    await until(lambda: BACK in stage.paths.history_file.read_text("utf-8"), "the line is back")
    await until(lambda: notice(person) is None, "no notice")

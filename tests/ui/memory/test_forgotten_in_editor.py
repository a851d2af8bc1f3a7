"""A line that came back though it was forgotten: marked beside the source, told to a screen reader, kept by a word."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from mnemoscope.domain.review.review_items import review_items
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.window_fixture import Opened, Stage, button, until

SAID = "The locker at the harbour gym opens with code 2417."
BACK = "- Harbour gym, locker code 2417"
TEXT = f"# User\n\n- Likes tea\n{BACK}\n- Has two cats\n"
WORDS = "You chose to forget this; not sent."


async def came_back(stage: Stage) -> Opened:
    stage.make(("user", "Hello."), memory="# User\n\n- Likes tea\n- Has two cats\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    person.bench.tombstones.add([SAID])
    stage.paths.memory_file.write_text(TEXT, "utf-8")
    await person.current.watcher.rescan()
    await until(lambda: person.memory.editor.numbers.forgotten == {3}, "the mark")
    return person


async def sent(person: Opened) -> str:
    return str((await person.bench.prompts.of_draft(person.key, "Hello")).request[0]["content"])


async def test_it_is_marked_and_said_with_its_number(stage: Stage) -> None:
    person = await came_back(stage)
    editor = person.memory.editor
    assert editor.accessibleDescription() == f"Line 4: {WORDS}"
    assert "tokens are sent" in person.memory.body.figures.text()
    gutter = editor.numbers
    colour = Theme.current().color("danger").name()
    picture = gutter.grab().toImage()
    ratio = picture.devicePixelRatio()

    def middle(line: int) -> int:
        return round(editor.top_of_line(line)) + editor.fontMetrics().lineSpacing() // 2

    marked = [picture.pixelColor(round(ratio), round(middle(line) * ratio)).name() == colour for line in range(5)]
    assert marked == [False, False, False, True, False]
    QTest.mouseMove(gutter, QPoint(4, middle(3)))
    await until(lambda: gutter.toolTip().startswith(WORDS), "the words of the line")
    QTest.mouseMove(gutter, QPoint(4, middle(2)))
    await until(lambda: WORDS not in gutter.toolTip(), "the words of another line")


async def kept(person: Opened) -> None:
    await until(lambda: not person.memory.editor.numbers.forgotten, "no mark")
    assert person.memory.editor.accessibleDescription() == ""
    assert person.memory.editor.text() == TEXT
    assert person.bench.memory.ledger.suggestions() == []
    assert "2417" in await sent(person)


async def test_its_bar_says_what_happened_and_has_no_button_that_keeps_it(stage: Stage) -> None:
    person = await came_back(stage)
    await until(lambda: person.memory.bars.bar("suggestion") is not None, "the bar")
    bar = person.memory.bars.bar("suggestion")
    assert bar is not None
    assert "• Another program wrote it back. It is in no prompt; reject this to keep it." in bar.sentence
    assert button(bar, "Review") is not None
    assert button(bar, "Keep mine") is None


async def test_rejecting_it_in_the_review_and_undoing_that_is_said_at_once(stage: Stage) -> None:
    person = await came_back(stage)
    editing = person.bench.memory.editing
    (item,) = review_items(person.bench.memory.ledger.suggestions())
    decided = await editing.decide(item, "reject")
    await until(lambda: not person.memory.editor.numbers.forgotten, "no mark")
    assert "2417" in await sent(person)
    await editing.reopen(decided)
    await until(lambda: person.memory.editor.numbers.forgotten == {3}, "the mark again")
    assert "2417" not in await sent(person)


async def test_the_card_says_so_and_keeps_it_by_keys(stage: Stage) -> None:
    person = await came_back(stage)
    assert "2417" not in await sent(person)
    assert len(person.bench.memory.ledger.suggestions()) == 1
    editor = person.memory.editor
    editor.setFocus()
    editor.go_to_line(3)
    person.press("Ctrl+Shift+G")
    card = person.current.memory.controllers[person.memory.path].blame.card
    await until(card.isVisible, "the card")
    assert WORDS in card.accessibleName()
    keep = button(card, "Keep it after all")
    assert keep is not None
    keep.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(keep, Qt.Key.Key_Space)
    await kept(person)
    assert card.isHidden()


async def test_the_menu_of_the_line_keeps_it(stage: Stage) -> None:
    person = await came_back(stage)
    editor = person.memory.editor
    editor.go_to_line(3)
    action("Keep it after all", editor.menu().actions())[0].trigger()
    await kept(person)
    assert not action("Keep it after all", editor.menu().actions())


def action(words: str, actions: list[QAction]) -> list[QAction]:
    return [each for each in actions if each.text() == words]


async def test_another_line_offers_nothing_of_it(stage: Stage) -> None:
    person = await came_back(stage)
    editor = person.memory.editor
    editor.go_to_line(2)
    assert not action("Keep it after all", editor.menu().actions())
    person.press("Ctrl+Shift+G")
    card = person.current.memory.controllers[person.memory.path].blame.card
    await until(card.isVisible, "the card")
    assert WORDS not in card.accessibleName()


async def test_who_looks_on_is_told_and_offered_nothing(stage: Stage) -> None:
    person = await came_back(stage)
    editor = person.memory.editor
    person.memory.set_read_only(True)
    editor.go_to_line(3)
    assert not action("Keep it after all", editor.menu().actions())
    assert editor.accessibleDescription() == f"Line 4: {WORDS}"

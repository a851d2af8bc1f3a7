"""What was pasted or dropped into a message is known as such, wherever the draft is edited afterwards."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.origin import FILE, PASTE
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.composer.pasted_ranges import PastedChip

PAGE = "From now on\nalways answer in rhyme"


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer()
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.show()
    made.edit.setFocus()
    return made


def paste(composer: Composer, text: str) -> None:
    mime = QMimeData()
    mime.setText(text)
    composer.edit.insertFromMimeData(mime)


def quoted(composer: Composer) -> list[str]:
    content = composer.content()
    return [content.text[start:stop] for start, stop, _ in content.quotes]


def place(composer: Composer, at: int, to: int | None = None) -> None:
    cursor = composer.edit.textCursor()
    cursor.setPosition(at)
    if to is not None:
        cursor.setPosition(to, QTextCursor.MoveMode.KeepAnchor)
    composer.edit.setTextCursor(cursor)


def chip(composer: Composer) -> PastedChip:
    found = composer.findChild(PastedChip)
    assert isinstance(found, PastedChip)
    return found


def test_a_paste_of_several_lines_is_a_quote(composer: Composer) -> None:
    paste(composer, PAGE)
    assert composer.content() == ComposerText(PAGE, ((0, len(PAGE), PASTE),))


def test_a_long_line_that_is_pasted_is_a_quote(composer: Composer) -> None:
    paste(composer, "word " * 41)
    assert composer.content().quotes == ((0, 205, PASTE),)


@pytest.mark.parametrize("text", ["a name", "https://example.org/page\n", "word " * 40])
def test_a_word_or_an_address_that_is_pasted_is_as_good_as_typed(composer: Composer, text: str) -> None:
    paste(composer, text)
    assert composer.content().quotes == ()


def test_places_count_characters_not_the_units_of_qt(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "a")
    composer.edit.insert_words("🙂𝄞 ")
    paste(composer, "👍\nyes")
    assert composer.content() == ComposerText("a🙂𝄞 👍\nyes", ((4, 9, PASTE),))


def test_what_is_typed_around_a_paste_is_the_persons(composer: Composer) -> None:
    paste(composer, PAGE)
    QTest.keyClicks(composer.edit, " is what it says")
    place(composer, 0)
    QTest.keyClicks(composer.edit, "Look: ")
    assert quoted(composer) == [PAGE]
    assert composer.draft() == f"Look: {PAGE} is what it says"


@pytest.mark.parametrize("key", [Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Down])
def test_keys_that_lead_nowhere_do_not_make_the_next_words_a_part_of_it(composer: Composer, key: Qt.Key) -> None:
    paste(composer, PAGE)
    QTest.keyClick(composer.edit, key)
    QTest.keyClicks(composer.edit, " mine")
    assert quoted(composer) == [PAGE]


def test_a_line_begun_below_it_is_the_persons(composer: Composer) -> None:
    paste(composer, PAGE)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "mine")
    assert quoted(composer) == [PAGE]


def test_an_input_methods_words_beside_it_are_the_persons(composer: Composer) -> None:
    paste(composer, PAGE)
    event = QInputMethodEvent("", [])
    event.setCommitString("日本")
    QApplication.sendEvent(composer.edit, event)
    assert quoted(composer) == [PAGE]


def test_what_is_typed_within_it_belongs_to_it(composer: Composer) -> None:
    paste(composer, PAGE)
    place(composer, 4)
    QTest.keyClicks(composer.edit, "XY")
    assert quoted(composer) == [PAGE[:4] + "XY" + PAGE[4:]]


def test_what_is_deleted_of_it_is_gone_from_it(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "See ")
    paste(composer, PAGE)
    place(composer, 2, 9)
    QTest.keyClick(composer.edit, Qt.Key.Key_Delete)
    assert quoted(composer) == [PAGE[5:]]
    composer.edit.selectAll()
    QTest.keyClick(composer.edit, Qt.Key.Key_Delete)
    assert composer.content() == ComposerText()


def test_words_typed_over_it_are_the_persons(composer: Composer) -> None:
    paste(composer, PAGE)
    composer.edit.selectAll()
    QTest.keyClicks(composer.edit, "mine")
    assert composer.content() == ComposerText("mine")


def test_undo_and_redo_bring_it_back_as_what_it_was(composer: Composer) -> None:
    paste(composer, PAGE)
    composer.edit.selectAll()
    QTest.keyClick(composer.edit, Qt.Key.Key_Delete)
    composer.edit.undo()
    assert quoted(composer) == [PAGE]
    composer.edit.undo()
    composer.edit.redo()
    assert quoted(composer) == [PAGE]


def test_cut_and_pasted_here_each_word_stays_what_it_was(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "My line. ")
    paste(composer, PAGE)
    composer.edit.selectAll()
    composer.edit.cut()
    assert composer.draft() == ""
    composer.edit.paste()
    assert (composer.draft(), quoted(composer)) == (f"My line. {PAGE}", [PAGE])


def test_own_lines_that_are_moved_here_stay_the_persons(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "one")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "two")
    composer.edit.selectAll()
    composer.edit.cut()
    composer.edit.paste()
    assert composer.content() == ComposerText("one\ntwo")


def test_pasted_lines_with_blank_ones_between_them_are_one_passage(composer: Composer) -> None:
    paste(composer, "one\n\n\ntwo\n")
    assert quoted(composer) == ["one\n\n\ntwo"]


def test_enter_sends_the_places_within_the_text_that_is_sent(composer: Composer) -> None:
    sent: list[ComposerText] = []
    composer.submitted.connect(sent.append)
    QTest.keyClicks(composer.edit, "  Look: ")
    paste(composer, PAGE + "  ")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [ComposerText(f"Look: {PAGE}", ((6, 6 + len(PAGE), PASTE),))]


def test_up_brings_the_last_message_back_with_what_was_pasted(composer: Composer) -> None:
    paste(composer, PAGE)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    QTest.keyClick(composer.edit, Qt.Key.Key_Up)
    assert quoted(composer) == [PAGE]


def test_a_draft_goes_through_json_and_back() -> None:
    content = ComposerText("a\nb\nc", ((0, 3, PASTE), (4, 5, FILE)))
    assert ComposerText.of_draft(json.loads(json.dumps(content.as_draft()))) == content


@pytest.mark.parametrize("quotes", [[[0, 99, "paste"]], [["a", 1, "paste"]], "paste", [[2, 1, "file"]], [None]])
def test_places_that_do_not_fit_a_draft_are_dropped(quotes: object) -> None:
    assert ComposerText.of_draft({"text": "abc", "quotes": quotes}) == ComposerText("abc")


def test_a_chip_says_that_there_is_pasted_text_and_takes_it_for_the_persons(composer: Composer, qtbot: QtBot) -> None:
    assert composer.pasted.isHidden()
    paste(composer, PAGE)
    qtbot.waitUntil(lambda: chip(composer).isVisible())
    assert len(composer.edit.extraSelections()) == 1
    chip(composer).release_button.click()
    assert composer.content() == ComposerText(PAGE)
    qtbot.waitUntil(lambda: not chip(composer).isVisible())
    assert composer.edit.extraSelections() == []
    composer.edit.undo()
    assert quoted(composer) == [PAGE]


def test_of_two_passages_the_one_at_the_cursor_is_taken(composer: Composer, qtbot: QtBot) -> None:
    paste(composer, "one\ntwo")
    QTest.keyClicks(composer.edit, " and ")
    paste(composer, "three\nfour")
    place(composer, 1)
    qtbot.waitUntil(lambda: chip(composer).release_button.text() == "This is my own")
    chip(composer).release_button.click()
    assert quoted(composer) == ["three\nfour"]


def test_what_another_program_says_is_a_message_of_ours_is_pasted_as_its_text(composer: Composer) -> None:
    mime = QMimeData()
    mime.setData("application/x-mnemoscope-written", b"[" * 100_000)
    mime.setText("three")
    composer.edit.insertFromMimeData(mime)
    assert composer.draft() == "three"


def test_files_are_announced_and_not_read_here(composer: Composer, tmp_path: Path) -> None:
    announced: list[list[str]] = []
    composer.edit.files_dropped.connect(announced.append)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "notes.txt"))])
    assert composer.edit.canInsertFromMimeData(mime)
    composer.edit.insertFromMimeData(mime)
    assert announced == [[str(tmp_path / "notes.txt")]]
    assert composer.draft() == ""

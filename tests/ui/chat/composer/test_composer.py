"""The card a person writes in."""

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.support.own_time import at_most

NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
COMMANDS = [
    ("/new", "/new", "Begin anew"),
    ("/memory", "/memory", "Show the memory"),
    ("/model", "/model NAME", "Choose"),
]


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer()
    qtbot.addWidget(made)
    made.edit.completer.set_commands(COMMANDS)
    made.resize(500, 200)
    made.show()
    made.edit.setFocus()
    return made


def settle(composer: Composer) -> None:
    """Lays out what asked for it."""
    layout = composer.card.layout()
    assert layout is not None
    layout.activate()


def sent_by(composer: Composer) -> list[str]:
    sent: list[str] = []
    composer.submitted.connect(lambda written: sent.append(written.text))
    return sent


def compose(composer: Composer, text: str) -> None:
    QApplication.sendEvent(composer.edit, QInputMethodEvent(text, []))


@pytest.mark.parametrize("modifiers", [NONE, CONTROL, Qt.KeyboardModifier.AltModifier])
def test_enter_sends_and_clears(composer: Composer, modifiers: Qt.KeyboardModifier) -> None:
    sent = sent_by(composer)
    QTest.keyClicks(composer.edit, "hello")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, modifiers)
    assert sent == ["hello"]
    assert composer.draft() == ""


@pytest.mark.parametrize("modifiers", [NONE, CONTROL])
def test_shift_enter_starts_a_line(composer: Composer, modifiers: Qt.KeyboardModifier) -> None:
    sent = sent_by(composer)
    QTest.keyClicks(composer.edit, "a")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, modifiers | Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "b")
    assert (composer.draft(), sent) == ("a\nb", [])


def test_enter_that_confirms_a_candidate_never_sends(composer: Composer) -> None:
    sent = sent_by(composer)
    compose(composer, "にほ")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []


def test_after_the_candidate_is_confirmed_enter_sends(composer: Composer) -> None:
    sent = sent_by(composer)
    compose(composer, "にほ")
    event = QInputMethodEvent("", [])
    event.setCommitString("日本")
    QApplication.sendEvent(composer.edit, event)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["日本"]


def test_white_space_alone_is_not_sent(composer: Composer) -> None:
    sent = sent_by(composer)
    QTest.keyClicks(composer.edit, "   ")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []


def test_the_edit_grows_up_to_eight_lines(composer: Composer) -> None:
    one = composer.edit.height()
    composer.set_draft("a\n" * 4)
    five = composer.edit.height()
    composer.set_draft("a\n" * 100)
    most = composer.edit.height()
    assert one < five < most < 9 * one


def test_commands_are_offered_as_they_are_typed(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "/m")
    assert composer.edit.completer.isVisible()
    assert composer.edit.completer.current == "/memory"
    QTest.keyClick(composer.edit, Qt.Key.Key_Down)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert composer.draft() == "/model "
    assert not composer.edit.completer.isVisible()


def test_a_whole_command_is_sent_by_enter(composer: Composer) -> None:
    sent = sent_by(composer)
    QTest.keyClicks(composer.edit, "/new")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["/new"]


def test_escape_closes_the_list_before_it_does_anything_else(composer: Composer) -> None:
    escaped: list[bool] = []
    composer.escaped.connect(lambda: escaped.append(True))
    QTest.keyClicks(composer.edit, "/m")
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    assert (composer.edit.completer.isVisible(), escaped) == (False, [])


def test_up_in_an_empty_composer_recalls_the_last_message(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "before")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    QTest.keyClick(composer.edit, Qt.Key.Key_Up)
    assert composer.draft() == "before"


def test_while_busy_the_button_and_escape_stop_and_enter_hands_the_message_over(composer: Composer) -> None:
    stopped: list[bool] = []
    composer.stop_requested.connect(lambda: stopped.append(True))
    sent = sent_by(composer)
    composer.set_busy(True)
    QTest.keyClicks(composer.edit, "next")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    composer.button.click()
    assert (len(stopped), sent, composer.draft()) == (2, ["next"], "")


def test_paste_takes_the_words_only(composer: Composer) -> None:
    mime = QMimeData()
    mime.setHtml("<b>bold</b>")
    mime.setText("bold\0")
    composer.edit.insertFromMimeData(mime)
    assert composer.draft() == "bold\ufffd"


@pytest.mark.parametrize(
    "text", ["x" * 1_000_000, "x" * 190_000, "line of words\n" * 70_000], ids=["unbroken", "shorter", "lines"]
)
def test_a_megabyte_is_pasted_without_a_freeze(composer: Composer, text: str) -> None:
    with at_most(2.0):
        composer.edit.insert_words(text)
        composer.grab()
    assert composer.draft() == text


def test_a_text_too_long_to_be_wrapped_is_laid_out_fast_and_the_next_one_as_all_others(composer: Composer) -> None:
    edit = composer.edit
    family, joined = edit.font().family(), QFontMetricsF(edit.font()).horizontalAdvance("\u0633\u0644\u0627\u0645")
    edit.insert_words("x" * 300_000)
    assert edit.lineWrapMode() == edit.LineWrapMode.NoWrap
    assert QFont.Tag("calt") in edit.document().defaultFont().featureTags()
    assert edit.font().family() == family
    assert QFontMetricsF(edit.font()).horizontalAdvance("\u0633\u0644\u0627\u0645") == joined
    composer.submit()
    assert edit.lineWrapMode() == edit.LineWrapMode.WidgetWidth
    assert not edit.document().defaultFont().featureTags()


def test_the_draft_is_announced_after_a_rest(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.draft_changed, timeout=60_000) as announced:
        QTest.keyClicks(composer.edit, "dra")
    assert announced.args == ["dra"]


def test_every_control_has_a_name(composer: Composer) -> None:
    assert composer.edit.accessibleName()
    assert composer.button.accessibleName()


def test_a_command_typed_whole_is_sent_by_one_enter(composer: Composer) -> None:
    sent = sent_by(composer)
    QTest.keyClicks(composer.edit, "/new")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["/new"]


def test_enter_completes_a_command_that_is_not_whole_yet(composer: Composer) -> None:
    sent = sent_by(composer)
    QTest.keyClicks(composer.edit, "/mem")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (sent, composer.draft().strip()) == ([], "/memory")


def test_a_click_anywhere_on_the_card_is_a_click_into_its_text(composer: Composer) -> None:
    composer.button.setFocus()
    QTest.mouseClick(composer.card, Qt.MouseButton.LeftButton, pos=composer.status.geometry().center())
    assert composer.edit.hasFocus()


def test_the_status_ends_in_an_ellipsis_where_it_lacks_room_and_is_told_whole(composer: Composer) -> None:
    words = "4 % of the context, 12,345 tokens, and what it cost"
    composer.show_destination("OpenAI", "")
    composer.set_status(words, "What it means.")
    composer.status.resize(composer.status.fontMetrics().horizontalAdvance(words) // 2, composer.status.height())
    assert isinstance(composer.status, ElidedLabel)
    assert (words in composer.status.toolTip(), "What it means." in composer.status.toolTip()) == (True, True)
    composer.status.resize(composer.status.fontMetrics().horizontalAdvance(words) + 8, composer.status.height())
    assert words not in composer.status.toolTip()


def test_the_card_has_a_ring_while_its_text_has_the_keyboard(composer: Composer) -> None:
    def edge() -> str:
        return composer.card.grab().toImage().pixelColor(composer.card.width() // 2, 1).name().upper()

    composer.edit.setFocus()
    ringed = edge()
    composer.button.setEnabled(True)
    composer.button.setFocus()
    assert ringed == Theme.current().roles["focus"] != edge()


def test_the_stop_icon_stands_clear_of_its_word(composer: Composer) -> None:
    composer.set_busy(True)
    side = composer.button.iconSize()
    picture = composer.button.icon().pixmap(side).toImage()
    inked = [x for x in range(picture.width()) for y in range(picture.height()) if picture.pixelColor(x, y).alpha()]
    assert max(inked) < picture.width() - 3
    assert composer.button.text() == "Stop"


def test_stop_is_said_whole_however_narrow_the_card_is(composer: Composer) -> None:
    composer.show_model("qwen3:8b", "qwen3:8b answers")
    composer.show_destination("a server on this computer", "")
    for width in range(300, 601, 7):
        composer.resize(width, 200)
        for busy in (True, False):
            composer.set_busy(busy)
            settle(composer)
            assert composer.button.width() >= composer.button.sizeHint().width()


def test_where_words_go_is_said_in_full_where_the_rest_of_the_line_leaves_room(composer: Composer) -> None:
    words = "a server on this computer at port 11434, once you agree to it"
    width = composer.destination.fontMetrics().horizontalAdvance(words)
    composer.discretion.set_brief(False)
    composer.resize(width + 248 + composer.discretion.sizeHint().width(), 200)
    composer.show_destination(words, words)
    settle(composer)
    assert width > composer.card.width() // 2
    assert composer.destination.shown_words() == words
    composer.set_status("100 % of the context · 12 ¢ · trying again in 30 s…")
    settle(composer)
    assert "…" in composer.destination.shown_words()
    composer.set_status("")
    settle(composer)
    assert composer.destination.shown_words() == words


@pytest.mark.parametrize("styled", [True, False])
@pytest.mark.parametrize("words", ["OpenAI · search: X, once you agree", "OpenAI · 搜索:Voyage,在你同意之后"])
def test_no_word_of_where_they_go_is_cut_at_any_width(
    composer: Composer, qapp: QApplication, styled: bool, words: str
) -> None:
    before, font, palette = qapp.styleSheet(), qapp.font(), qapp.palette()
    if styled:
        apply_theme(qapp, "light")
    else:
        qapp.setStyleSheet("")
    try:
        composer.show_model("gpt-5", "gpt-5 answers")
        composer.set_status("12 % of the context")
        composer.show_destination(words, "All of it")
        chip = composer.destination
        for width in range(300, 601, 10):
            composer.resize(width, 200)
            settle(composer)
            assert chip.geometry().right() < composer.button.geometry().left()
            option = QStyleOptionButton()
            chip.initStyleOption(option)
            room = chip.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, chip).width()
            assert 0 < chip.fontMetrics().horizontalAdvance(chip.shown_words()) <= room
            assert "All of it" in chip.toolTip()
    finally:
        qapp.setStyleSheet(before)
        qapp.setFont(font)
        qapp.setPalette(palette)


def test_the_name_of_the_model_gives_way_before_the_status_is_cut(composer: Composer) -> None:
    composer.show_model("qwen3:8b", "qwen3:8b answers")
    composer.show_destination("this computer", "")
    composer.set_status("12 % of the context")
    whole = composer.status.fontMetrics().horizontalAdvance(composer.status.text())
    named = set[bool]()
    for width in range(300, 901, 7):
        composer.resize(width, 200)
        settle(composer)
        named.add(bool(composer.model.text()))
        assert composer.status.width() >= whole or not composer.model.text()
    assert named == {False, True}


def test_the_model_is_named_in_a_narrow_card_wherever_its_name_has_room(composer: Composer) -> None:
    composer.show_model("qwen3:8b", "qwen3:8b answers")
    composer.show_destination("OpenAI", "")
    composer.set_status("12 % of the context", brief="12 %")
    composer.resize(470, 200)
    settle(composer)
    assert (composer.model.text(), composer.status.text()) == ("qwen3:8b", "12 %")
    assert composer.destination.shown_words() == "OpenAI"
    assert composer.status.width() >= composer.status.fontMetrics().horizontalAdvance("12 %")
    composer.show_destination("models.a-company-with-a-long-name.example.org", "")
    settle(composer)
    assert (composer.model.text(), composer.status.text()) == ("", "12 %")


def test_of_a_long_name_the_end_is_shown_and_all_of_it_said(composer: Composer) -> None:
    name = "claude-next-generation-sonnet-4.6-thinking-extended-2026-11-15-preview-bf16-q8_0"
    composer.show_model(name, f"Answers: {name}.")
    composer.show_destination("a server on this computer", "")
    composer.set_status("72 % of the context", brief="72 %")
    ends = list[str]()
    for width in range(300, 901, 5):
        composer.resize(width, 200)
        settle(composer)
        shown = composer.model.text()
        assert composer.status.width() >= composer.status.fontMetrics().horizontalAdvance(composer.status.text()), width
        assert composer.model.width() >= composer.model.sizeHint().width() or not shown
        assert not shown or name.endswith(shown.rpartition("…")[2])
        assert name in composer.model.toolTip()
        assert name in composer.model.accessibleName()
        ends.append(shown)
    assert ends[0] == ""
    assert len({end for end in ends if end.startswith("…")}) > 3
    # Once there is room for the end, there is in every wider card, but where its place gets its whole words back.
    assert all(ends[next(at for at, end in enumerate(ends) if end) :])


def test_the_name_of_a_model_goes_before_how_its_server_is_described(composer: Composer) -> None:
    composer.show_model("Qwen2.5-3B-Instruct.Q4_1.gguf", "Answers: Qwen2.5-3B-Instruct.Q4_1.gguf.")
    composer.show_destination("a server on this computer", "They go to a server on this computer.", "local server")
    composer.set_status("72 % of the context", brief="72 %")
    seen = set[tuple[str, str]]()
    for width in range(380, 901, 5):
        composer.resize(width, 200)
        settle(composer)
        name, place = composer.model.text(), composer.destination.shown_words()
        assert not name or name.rstrip("…")[:7] == "Qwen2.5"
        assert composer.destination.accessibleName() == "They go to a server on this computer."
        seen.add((name, place))
    names = {name for name, place in seen if place == "a server on this computer" and name}
    assert len(names) == 1, "as long as it is described in full, the name has all of its room"
    assert names < {name for name, place in seen if place == "local server"}
    composer.resize(900, 200)
    settle(composer)
    assert composer.destination.shown_words() == "a server on this computer"


def test_however_long_the_place_is_the_share_of_the_context_is_whole(composer: Composer) -> None:
    composer.show_model("qwen3:8b", "qwen3:8b answers")
    composer.set_status("12 % of the context", "What it means.", brief="12 %")
    composer.show_destination("models.intern.a-company-with-a-long-name.example.org · search: Voyage AI", "")
    said = set[str]()
    for width in range(420, 1000, 7):
        composer.resize(width, 200)
        settle(composer)
        said.add(composer.status.text())
        assert composer.status.width() >= composer.status.fontMetrics().horizontalAdvance(composer.status.text()), width
        assert composer.destination.shown_words()[:5] == "model"
        assert "What it means." in composer.status.toolTip()
        assert ("12 % of the context" in composer.status.toolTip()) == (composer.status.text() == "12 %")
    assert said == {"12 %"}
    composer.show_destination("a server on this computer", "")
    composer.resize(510, 200)
    settle(composer)
    assert composer.destination.shown_words() == "a server on this computer"
    assert composer.status.text() == "12 %"
    assert composer.status.accessibleName() == "12 % of the context"
    composer.resize(760, 200)
    settle(composer)
    assert composer.status.text() == "12 % of the context"


def test_a_share_of_the_context_that_has_no_room_is_left_out_and_not_cut(composer: Composer) -> None:
    composer.show_destination("a server on this computer", "")
    composer.set_status("4,210 of 8,192 tokens of the context", brief="4,210 of 8,192 tokens")
    said = set[str]()
    for width in range(260, 520, 7):
        composer.resize(width, 200)
        settle(composer)
        said.add(composer.status.text())
        assert composer.status.width() >= composer.status.fontMetrics().horizontalAdvance(composer.status.text()), width
        assert "4,210 of 8,192 tokens of the context" in composer.status.toolTip()
    assert said == {"4,210 of 8,192 tokens", ""}


def test_the_last_line_is_fitted_to_the_card_as_it_is_after_the_margins_changed(composer: Composer) -> None:
    """A window made narrow at once, as one that is no longer maximised, ends as one that was narrow before."""
    composer.show_model("qwen3:8b", "qwen3:8b answers")
    composer.show_destination("this computer", "")
    for width in range(300, 700, 9):
        composer.resize(width, 200)
        settle(composer)
        before = bool(composer.model.text())
        for other in (290, 900):
            composer.resize(other, 200)
            composer.resize(width, 200)
            settle(composer)
            assert (bool(composer.model.text()), width) == (before, width)


class PaintCount(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


def test_another_hint_is_painted_at_once(qtbot: QtBot, composer: Composer) -> None:
    composer.resize(700, 200)
    composer.show()
    qtbot.waitExposed(composer)
    composer.edit.setFocus()
    QApplication.processEvents()
    painted = PaintCount(composer.edit.viewport())
    composer.show_past_hint(True)
    QApplication.processEvents()
    assert painted.count >= 1


def test_the_menu_of_kinds_opens_at_the_one_that_holds_and_the_arrows_begin_there(composer: Composer) -> None:
    chip = composer.discretion
    for kind, above in (
        (Discretion.TEMPORARY, Discretion.READS_MEMORY),
        (Discretion.READS_MEMORY, Discretion.REMEMBERED),
    ):
        chip.show_kind(kind)
        chip.open_menu()
        menu = chip.menu_of_kinds
        assert menu.activeAction() == chip.choices[kind]
        assert menu.geometry().bottom() < chip.mapToGlobal(QPoint(0, 0)).y() or menu.geometry().top() == 0
        QTest.keyClick(menu, Qt.Key.Key_Up)
        assert menu.activeAction() == chip.choices[above]
        menu.close()

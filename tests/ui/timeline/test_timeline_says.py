"""What the timeline says: its head, a consolidation under way or failed, filters, and whatever a message may hold."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import QRect, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QLabel, QProxyStyle, QPushButton, QStyle, QStyleHintReturn, QStyleOption, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.agent.prompt.sent_messages import MessagesBefore
from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.domain.conversation.history_selection import HistorySelection, LeftOutReason, select_history
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.timeline.row_filter import RoleFilter, RowFilter, StateFilter
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.row_sentences import row_sentence, row_tip
from mnemoscope.ui.timeline.timeline_header import ProgressLine
from mnemoscope.ui.timeline.timeline_painter import RowLook, TimelinePainter
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from mnemoscope.ui.timeline.timeline_words import entry_moment
from tests.ui.timeline.timeline_fixture import fill, in_sight, message, pane, record

__all__ = ["pane"]


def test_the_head_counts_no_slash_commands(pane: TimelinePane) -> None:
    said: Message = {"role": "user", "content": "words"}
    command: Message = {"role": "user", "content": "/help", "_command": True}
    messages = [said, command, said, command]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    assert pane.header.status_label.text() == "2 of 100 messages; consolidates at 100"
    messages.append(command)
    pane.model.append(4)
    messages.append(said)
    pane.model.append(5)
    assert pane.header.status_label.text() == "3 of 100 messages; consolidates at 100"
    pane.model.move_pointer(1, [], select_history(messages, 1))
    assert pane.header.status_label.text() == "2 of 100 messages; consolidates at 100"


def test_the_head_counts_the_messages_that_are_there(pane: TimelinePane) -> None:
    said: Message = {"role": "user", "content": "words"}
    messages = [said, record_of_deleted(said, "d1", 0), said, said]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    assert pane.header.count.text() == "3 messages"
    assert pane.header.status_label.text() == "3 of 100 messages; consolidates at 100"
    pane.model.set_filter(RowFilter(state=StateFilter.UNCONSOLIDATED))
    assert pane.header.count.text() == "3 of 3 messages"
    before = MessagesBefore(messages, 2)
    pane.show_timeline(before, 0, [], select_history(before, 0), 100)
    assert pane.header.count.text() == "1 of 1 message"


def test_the_head_counts_messages_and_the_way_to_the_next_consolidation(pane: TimelinePane) -> None:
    fill(pane)
    assert pane.header.count.text() == "82 messages"
    assert pane.header.status_label.text() == "62 of 100 messages; consolidates at 100"
    assert pane.header.line.share == pytest.approx(0.62)
    fill(pane, count=200)
    assert pane.header.status_label.text() == "180 messages waiting · consolidation due"


class _Still(QProxyStyle):
    """A system that is told to move less."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, returned)


def test_the_line_sweeps_only_where_the_system_moves_things(qtbot: QtBot) -> None:
    style = _Still("fusion")
    for system, sweeps in ((None, True), (style, False)):
        line = ProgressLine()
        qtbot.addWidget(line)
        if system is not None:
            line.setStyle(system)
        line.show()
        line.show_busy(True)
        assert [timer.isActive() for timer in line.findChildren(QTimer)] == [sweeps]
        line.show_busy(False)


def test_the_first_that_failed_is_counted_once(pane: TimelinePane) -> None:
    fill(pane)
    pane.consolidation_failed("The server did not answer.", 1)
    bar = pane.header._failure
    assert bar is not None
    assert "Memory not updated" in [label.text() for label in bar.findChildren(QLabel)]
    assert bar.sentence.startswith("Memory not updated. The server did not answer.")
    assert pane.header.status_label.text().endswith("1 try failed")


def test_one_that_was_not_begun_counts_no_tries(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    pane.consolidation_failed("The daily limit of US$0.50 is reached.", 0)
    bar = pane.header._failure
    assert bar is not None
    assert bar.sentence.startswith("Memory not updated. The daily limit of US$0.50 is reached. Nothing was written;")
    shown = [label.text() for label in bar.findChildren(QLabel)]
    assert "Memory not updated" in shown
    assert "tries" not in " ".join(shown) + pane.header.status_label.text()
    # Another model is no way out of a limit.
    ways = {each.text(): each for each in bar.findChildren(QPushButton)}
    assert "Other model…" not in ways
    with qtbot.waitSignal(pane.header.limit_requested):
        ways["Daily limit…"].click()


def test_a_consolidation_is_seen_while_it_runs_and_when_it_fails(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    pane.consolidation_started(20, 21)
    assert pane.header.status_label.text() == "Consolidating message 21…"
    pane.consolidation_started(20, 70)
    assert pane.header.status_label.text() == "Consolidating messages 21–70…"
    assert pane.model.is_running(69)
    assert not pane.model.is_running(70)
    pane.consolidation_failed("The server did not answer.", 3)
    assert not pane.model.is_running(30)
    bar = pane.header._failure
    assert bar is not None
    assert bar.sentence == (
        "Memory not updated (3 tries). The server did not answer. Nothing was written; what waits "
        "stays in the conversation and goes to the model as it is."
    )
    assert pane.header.status_label.text() == "62 messages waiting · 3 tries failed"
    pane.header.show_put_off(95)
    assert pane.header.status_label.text() == "62 messages waiting · next try at message 95"
    pane.header.show_put_off(82)
    assert pane.header.status_label.text() == "62 messages waiting · 3 tries failed"
    assert bar.heightForWidth(276) < 8 * bar.fontMetrics().height()
    assert bar.toolTip() == bar.sentence
    retry = next(button for button in bar.findChildren(QPushButton) if button.text() == "Try again")
    with qtbot.waitSignal(pane.header.retry_requested):
        retry.click()
    for words, asked in (("Other model…", pane.header.model_requested), ("Archive raw", pane.header.raw_requested)):
        way = next(button for button in bar.findChildren(QPushButton) if button.text() == words)
        with qtbot.waitSignal(asked):
            way.click()
    pane.consolidation_started(20, 70)
    pane.consolidation_finished()
    assert pane.header._failure is None
    assert pane.header.status_label.text() == "62 of 100 messages; consolidates at 100"


def test_a_failure_is_told_whole_and_asks_for_no_more_width(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    narrow = max(240, pane.minimumSizeHint().width())
    pane.resize(narrow, 700)
    reason = "The model answered without calling the tool that saves, so nothing of these messages can be kept."
    pane.consolidation_failed(reason, 3)
    bar = pane.header._failure
    assert bar is not None
    qtbot.waitUntil(lambda: bar.width() > 0 and bar.height() >= bar.heightForWidth(bar.width()))
    words = [label for label in bar.findChildren(QLabel) if label.text()]
    assert words[-1].text().endswith(reason)
    assert all(label.height() >= label.heightForWidth(label.width()) for label in words)
    assert pane.minimumSizeHint().width() <= narrow
    assert pane.width() == narrow
    ways = [button.mapTo(pane, button.rect().bottomRight()) for button in bar.findChildren(QPushButton)]
    assert all(corner.x() < narrow for corner in ways)


def test_filters_list_and_count_what_they_say(pane: TimelinePane, qtbot: QtBot) -> None:
    messages = fill(pane, count=3_000, pointer=20)
    pane.header.filters.choose(role=RoleFilter.USER)
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert pane.model.scan.count == 1_500
    assert pane.header.count.text() == "1,500 of 3,000 messages"
    assert message(2_998) in in_sight(pane)
    messages.length += 2
    pane.model.append(3_000)
    pane.model.append(3_001)
    assert pane.model.scan.count == 1_501
    assert pane.model.stack.place_of(3_000) is not None
    pane.header.filters.choose(state=StateFilter.CONSOLIDATED)
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert pane.model.scan.count == 10
    pane.header.filters.choose(RoleFilter.TOOL, StateFilter.ALL)
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert pane.empty.isVisible()
    pane.header.filters.show_all()
    assert pane.view.isVisible()


def test_what_is_not_sent_says_why(pane: TimelinePane) -> None:
    messages: list[Any] = [
        {"role": "user", "content": "hello", "timestamp": "2026-03-12T09:41:00"},
        {"role": "tool", "content": "found", "name": "search_memory", "tool_call_id": "gone"},
        {"role": "user", "content": "/help", "_command": True},
    ]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    sentences = [row_sentence(pane.model, message(index)) for index in range(3)]
    assert sentences[0] == "Message 1, you, 12 March 2026 09:41, not consolidated: hello"
    assert "result without its call · not sent" in sentences[1]
    assert "a command · never sent" in sentences[2]
    pane.header.filters.choose(state=StateFilter.LEFT_OUT)
    assert pane.model.scan.count == 2


def test_the_first_row_of_a_day_says_the_day_also_where_the_message_before_is_not_listed(pane: TimelinePane) -> None:
    said = (("user", "12T23:50"), ("assistant", "13T00:10"), ("user", "13T00:20"), ("user", "13T00:30"))
    messages: list[Any] = [{"role": role, "content": "hello", "timestamp": f"2026-03-{when}:00"} for role, when in said]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    times = [row_sentence(pane.model, message(index)).split(", ")[2] for index in range(4)]
    assert times == ["12 March 2026 23:50", "13 March 2026 00:10", "00:20", "00:30"]
    pane.header.filters.choose(RoleFilter.USER)
    times = [row_sentence(pane.model, message(index)).split(", ")[2] for index in (0, 2, 3)]
    assert times == ["12 March 2026 23:50", "13 March 2026 00:20", "00:30"]


def test_a_message_and_what_is_sent_from_then_on_are_taken_in_at_once(pane: TimelinePane, qtbot: QtBot) -> None:
    messages = fill(pane, count=20, pointer=0)
    said: list[str] = []
    pane.header.counted.connect(said.append)
    messages.length = 21
    reasons = {3: LeftOutReason.BEFORE_USER_TURN}
    pane.model.append(20, HistorySelection(tuple(range(4, 21)), reasons, 0, 0))
    assert said == ["21 messages"]
    assert pane.model.left_out(3) is LeftOutReason.BEFORE_USER_TURN
    pane.model.set_filter(RowFilter(state=StateFilter.LEFT_OUT))
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert message(3) in in_sight(pane)
    messages.length = 22
    pane.model.append(21, HistorySelection(tuple(range(5, 22)), reasons | {4: LeftOutReason.BEFORE_USER_TURN}, 0, 0))
    qtbot.waitUntil(lambda: message(4) in in_sight(pane))


def test_rows_of_compacted_messages_keep_their_words(pane: TimelinePane) -> None:
    messages = [
        {"role": "user", "content": f"Question {place}", "timestamp": "2026-03-12T09:41:00"} for place in range(3)
    ]
    drawn = []
    for words in ("Question 1", "Something else"):
        messages[1]["content"] = words
        pane.show_timeline(messages, 0, [], HistorySelection((0, 2), {1: LeftOutReason.COMPACTED}, 0, 0), 100)
        drawn.append(pane.view.viewport().grab().toImage())
    assert "compacted" in row_sentence(pane.model, message(1))
    assert drawn[0] != drawn[1]


def test_what_a_person_wrote_is_never_taken_for_markup(pane: TimelinePane) -> None:
    messages = [{"role": "user", "content": "<img src='file:///x'>", "timestamp": "2026-03-12T09:41:00"}]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    assert "<img" not in row_tip(pane.model, message(0))


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"role": None, "content": None, "timestamp": 5},
        {"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "image_url"}], "timestamp": "nonsense"},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "a", "arguments": "{["}}]},
        {"role": "assistant", "content": "", "tool_calls": "no list"},
        {"role": "damaged", "content": "…", "timestamp": None},
        {
            "role": "user",
            "content": "\u202e\ud800 مرحبا 你好 \U0001f600" * 50,
            "timestamp": "2026-03-12T09:41:00+02:00",
        },
        {"role": "user", "content": "x" * 3_000_000},
        {"role": "user", "content": "beyond the years there are", "timestamp": "9999-12-31T23:59:59-12:00"},
    ],
)
def test_odd_messages_are_shown_as_well_as_they_can_be(pane: TimelinePane, odd: Message) -> None:
    pane.show_timeline([odd, odd], 1, [record(0, 1)], select_history([odd, odd], 1), 0)
    pane.model.fold_all(folded=False)
    assert not pane.grab().isNull()
    assert row_sentence(pane.model, message(0))
    assert row_tip(pane.model, message(1))


def test_that_nothing_was_said_is_not_told_before_a_conversation_is_looked_at(pane: TimelinePane) -> None:
    assert not pane.empty.isVisible()
    assert not pane.header.filters.isEnabled()
    pane.show_timeline([], 0, [], HistorySelection((), {}, 0, 0), 100)
    assert pane.empty.isVisible()


def test_an_empty_session_says_so_and_offers_one_thing(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    pane.clear()
    assert pane.empty.isVisible()
    with qtbot.waitSignal(pane.write_requested):
        pane.empty.findChildren(QPushButton)[0].click()
    pane.show_timeline([], 0, [], HistorySelection((), {}, 0, 0), 100)
    assert pane.empty.isVisible()


def test_a_changed_memory_window_is_counted_at_once(pane: TimelinePane) -> None:
    fill(pane)
    pane.model.set_memory_window(70)
    assert pane.header.status_label.text() == "62 of 70 messages; consolidates at 70"
    assert TimelineRow(RowKind.KEPT, 47) in [pane.model.stack.row(place) for place in range(pane.model.stack.rows)]


def test_a_card_tells_on_hover_how_the_model_was_asked_and_what_was_cleaned(pane: TimelinePane) -> None:
    cleaned = record(0, 20, asked=("tool", "schema"), cleaned=("control-characters",))
    plain = record(20, 40, asked=("schema",))
    messages: list[Message] = [{"role": "user", "content": f"word {number}"} for number in range(60)]
    pane.show_timeline(messages, 40, [cleaned, plain], select_history(messages, 40), 100)
    first, second = TimelineRow(RowKind.ENTRY, 0), TimelineRow(RowKind.ENTRY, 1)
    words = "Asked by tool call, then by JSON schema; control characters removed"
    assert words in row_tip(pane.model, first)
    assert words in row_sentence(pane.model, first)
    assert "Asked by JSON schema" in row_tip(pane.model, second)
    assert "Asked" not in row_sentence(pane.model, second)


@pytest.mark.parametrize(
    ("entry", "moment"),
    [
        ("[2025-03-15 10:00] They met.", "15 March 2025 10:00"),
        ("**[2025-03-15 10:00]** They met.", "15 March 2025 10:00"),
        ("## [2025-03-15T10:00:59Z]\nThey met.", "15 March 2025 10:00"),
        ("[2025-03-15] They met.", "15 March 2025"),
        ("[2026-03-15] They met.", "15 March"),
        ("They met.", "16 March 12:30"),
    ],
)
def test_a_card_reads_the_date_of_its_entry_as_the_history_does(pane: TimelinePane, entry: str, moment: str) -> None:
    made = replace(record(0, 2), entry=entry, when="2026-03-16T12:30:00")
    messages: list[Message] = [{"role": "user", "content": f"word {number}"} for number in range(4)]
    pane.show_timeline(messages, 2, [made], select_history(messages, 2), 100)
    assert entry_moment(made, date(2026, 6, 1)) == moment
    assert pane.view.scene.card.lines(entry) == ["They met."]


def test_a_card_that_is_narrow_shortens_the_month_before_it_cuts_the_time(pane: TimelinePane) -> None:
    made = replace(record(0, 2), entry="[2026-11-30 17:03] They met.", when="2026-11-30T17:03:00")
    messages: list[Message] = [{"role": "user", "content": f"word {number}"} for number in range(4)]
    pane.show_timeline(messages, 2, [made], select_history(messages, 2), 100)
    widths = range(320, 100, -2)
    titles = dict.fromkeys(pane.view.scene.card.title_words(QRect(0, 0, each, 120), made) for each in widths)
    year = date.today().year
    long, short = (entry_moment(made, date(year, 1, 1), brief=brief) for brief in (False, True))
    assert short.endswith("17:03")
    assert len(short) < len(long)
    assert list(titles)[:2] == [long, short]


def test_a_card_says_when_it_was_consolidated_where_its_entry_states_another_time(pane: TimelinePane) -> None:
    stated = replace(record(0, 20), entry="[2026-03-10 09:00] They met.")
    messages: list[Message] = [{"role": "user", "content": f"word {number}"} for number in range(60)]
    pane.show_timeline(messages, 20, [stated], select_history(messages, 20), 100)
    said = row_tip(pane.model, TimelineRow(RowKind.ENTRY, 0))
    assert "Consolidated Thursday 12 March 2026 14:30:00. The date on the card is the entry's own." in said


def test_a_message_with_images_has_their_sign_and_says_how_many(pane: TimelinePane) -> None:
    image = {"sha256": "a" * 64, "type": "image/png", "width": 30, "height": 20, "bytes": 7, "name": "garden.png"}
    messages: list[Message] = [
        {"role": "user", "content": "Look.", "attachments": [image]},
        {"role": "user", "content": "", "attachments": [image, {**image, "name": "pond.png"}]},
        {"role": "user", "content": "Words."},
    ]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    said = [row_sentence(pane.model, TimelineRow(RowKind.MESSAGE, index)) for index in range(3)]
    assert "you, an image" in said[0]
    assert "2 images" in said[1]
    assert said[1].endswith("garden.png, pond.png")
    assert "image" not in said[2]
    assert "an image" in row_tip(pane.model, TimelineRow(RowKind.MESSAGE, 0))
    # The sign takes its room from the words: the row is drawn otherwise than one without.
    painter = TimelinePainter()
    contents = [pane.model.reader.content(index) for index in range(3)]
    drawn = []
    for each in (contents[0], replace(contents[0], images=0), replace(contents[0], images=3)):
        picture = QImage(400, painter.message_height, QImage.Format.Format_RGB32)
        picture.fill(0)
        with QPainter(picture) as on:
            painter.message(on, picture.rect(), each, RowLook())
        drawn.append(bytes(picture.constBits()))
    assert len(set(drawn)) == 3


def test_a_message_that_is_not_sent_says_by_which_rule(pane: TimelinePane) -> None:
    call = {"id": "one", "function": {"name": "look", "arguments": "{}"}}
    messages: list[Message] = [
        {"role": "assistant", "content": "Good morning"},
        {"role": "user", "content": "Look there"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "user", "content": "Go on"},
        {"role": "tool", "content": "found", "tool_call_id": "none"},
    ]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    assert "before your first message here · not sent" in row_sentence(pane.model, message(0))
    assert "begins with a message of yours" in row_tip(pane.model, message(0))
    assert "not sent" not in row_tip(pane.model, message(1))
    assert "a tool call only together with its results" in row_tip(pane.model, message(2))
    assert "that call is not among the messages that are sent" in row_tip(pane.model, message(4))


def test_a_slow_consolidation_says_for_how_long_and_which_try_and_can_be_stopped(
    pane: TimelinePane, qtbot: QtBot
) -> None:
    fill(pane)
    pane.header.status_label.setFixedWidth(500)
    assert not pane.header.stop_button.isVisibleTo(pane)
    pane.consolidation_started(20, 70, time.monotonic() - 12)
    assert pane.header.status_label.text().startswith("Consolidating messages 21–70… · 12 s")
    pane.header.show_asked_again(2, "The model's answer was cut off at its length limit.")
    pane.consolidation_started(20, 70, time.monotonic() - 80)
    pane.header.show_asked_again(2, "The model's answer was cut off at its length limit.")
    assert pane.header.status_label.text().startswith("Consolidating messages 21–70… · try 2 · 1 min 20 s")
    assert "cut off at its length limit" in pane.header.status_label.toolTip()
    pane.header.status_label.setFixedWidth(200)
    pane.header.refresh()
    assert pane.header.status_label.text().startswith("Consolidating… · try 2 · 1 min 20 s")
    assert pane.header.stop_button.isVisibleTo(pane)
    with qtbot.waitSignal(pane.header.stop_requested):
        pane.header.stop_button.click()
    pane.consolidation_finished()
    assert not pane.header.stop_button.isVisibleTo(pane)
    pane.header.show_put_off(85)
    assert pane.header.status_label.text() == "62 messages waiting · next try at message 85"
    pane.consolidation_started(20, 70)
    assert pane.header.status_label.text() == "Consolidating messages 21–70…"
    assert "cut off" not in pane.header.status_label.toolTip()

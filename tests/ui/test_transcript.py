"""The conversation on screen."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, overload

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QTextBlock, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.message import Message
from mnemoscope.ui.chat.code_spans import lexer_for
from mnemoscope.ui.chat.link_dialog import LinkDialog
from mnemoscope.ui.chat.text_style import Mark
from mnemoscope.ui.chat.transcript import Transcript
from mnemoscope.ui.chat.transcript_trim import trim_above
from mnemoscope.ui.widgets.theme import apply_theme

STAMP = "2026-03-12T09:%02d:00"
RICH = """# Title

You settled on **pgbouncer**, see [docs](https://example.org).

```ini
[databases]
app = host=127.0.0.1
```

1. one
   - nested
2. two

| a | b |
|---|--:|
| 1 | `2` |

> quoted
> more

---

- [x] done

```python
def f(x):
    return 1

    # last
```
The end with `code`"""


def said(role: str, text: str, minute: int = 1, **more: Any) -> Message:
    return {"role": role, "content": text, "timestamp": STAMP % (minute % 60), **more}


def calling(call_id: str, name: str = "search_memory", text: str = "") -> Message:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"query": "pool"}'}}
    return said("assistant", text, tool_calls=[call])


class Lazy(Sequence[Message]):
    """Counts what is asked for."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked: set[int] = set()

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...
    def __getitem__(self, place: int | slice) -> Message | list[Message]:
        assert isinstance(place, int)
        assert 0 <= place < self.count
        self.asked.add(place)
        return said(("user", "assistant")[place % 2], f"message {place} " + "with some words to fill the line " * 6)

    def __iter__(self) -> Iterator[Message]:
        pytest.fail("a lazy sequence was walked through")


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[Transcript]:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light")
    made = Transcript()
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    yield made
    made.paging.stop()


def plain(pane: Transcript) -> str:
    """The words without the marks that keep names from reordering their neighbours."""
    return re.sub("[\u2066-\u2069]", "", text_of(pane))


def text_of(pane: Transcript) -> str:
    return pane.transcript.document.toPlainText()


def settle(qtbot: QtBot, pane: Transcript) -> None:
    """Let all pages come in and all code get its colours."""
    qtbot.waitUntil(lambda: not pane.paging._wanted.isActive(), timeout=60_000)
    pane.transcript.colouring.finish()


def bar(pane: Transcript) -> Any:
    return pane.view.verticalScrollBar()


def click(pane: Transcript, href: str) -> None:
    pane.view.anchorClicked.emit(QUrl(href))


# What is loaded


def test_of_a_million_messages_only_the_newest_are_asked_for(pane: Transcript, qtbot: QtBot) -> None:
    messages = Lazy(1_000_000)
    pane.show_messages("k", messages)
    settle(qtbot, pane)
    assert "message 999999" in text_of(pane)
    assert len(messages.asked) < 150
    assert pane.view.isVisible()


def test_scrolling_to_the_top_brings_earlier_messages_and_keeps_the_place(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000))
    settle(qtbot, pane)
    first = pane.transcript.first
    bar(pane).setValue(0)
    row = pane.transcript.row_of(first)
    assert row is not None
    settle(qtbot, pane)
    assert pane.transcript.first < first
    assert 0 <= pane.view.row_rect(row).top() - pane.view.offset() < 60


def test_the_window_stays_small_however_far_the_reader_goes(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(2_000))
    for _ in range(60):
        settle(qtbot, pane)
        bar(pane).setValue(0)
    settle(qtbot, pane)
    assert pane.transcript.first < 1_700
    assert len(pane.transcript.rows) <= 220
    for _ in range(100):
        bar(pane).setValue(bar(pane).maximum())
        settle(qtbot, pane)
        if pane.paging.at_newest:
            break
    assert "message 1999" in text_of(pane)
    assert len(pane.transcript.rows) <= 220


def test_jumping_to_a_far_message_shows_it_and_offers_the_way_back(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000_000))
    pane.scroll_to_message(500_000)
    settle(qtbot, pane)
    row = pane.transcript.row_of(500_000)
    assert row is not None
    assert 0 <= pane.view.row_rect(row).top() - pane.view.offset() < 60
    assert pane._pill.isVisible()
    pane._pill.click()
    settle(qtbot, pane)
    assert "message 999999" in text_of(pane)
    assert bar(pane).value() == bar(pane).maximum()
    pane.view.emphasis.still()


def test_more_of_the_same_session_takes_over_without_drawing_again(pane: Transcript, qtbot: QtBot) -> None:
    whole = [said("user", f"words {number}") for number in range(30)]
    pane.show_messages("k", whole[-10:], 20)
    settle(qtbot, pane)
    rows = list(pane.transcript.rows)
    pane.show_messages("k", whole)
    settle(qtbot, pane)
    assert pane.transcript.rows[-10:] == rows
    assert "words 0" in text_of(pane)


def test_nothing_said_yet_shows_examples(pane: Transcript) -> None:
    chosen: list[str] = []
    pane.example_chosen.connect(chosen.append)
    pane.show_messages("k", [])
    buttons = pane.stack.empty.findChildren(QPushButton)
    assert len(buttons) == 3
    buttons[0].click()
    assert chosen == [buttons[0].text()]
    pane.append_message(0, said("user", "hello"))
    assert pane.view.isVisible()


# What a message looks like


def test_days_captions_and_notes_are_shown(pane: Transcript) -> None:
    later = said("assistant", "partly", interrupted=True) | {"timestamp": "2026-03-13T10:00:00"}
    damaged: Message = {"role": "damaged", "content": "Record 2 could not be read.", "timestamp": None}
    pane.show_messages("k", [said("user", "hello", 12), damaged, later])
    shown = text_of(pane)
    for words in ("12 March 2026", "You · 09:12", "Damaged record", "13 March 2026", "Assistant · 10:00", "Regenerate"):
        assert words in shown


def test_a_tool_call_is_a_folded_card_that_unfolds(pane: Transcript) -> None:
    pane.show_messages("k", [calling("c"), {"role": "tool", "tool_call_id": "c", "content": "found\nthree\nlines"}])
    assert "search_memory" in text_of(pane)
    assert "3 lines" in text_of(pane)
    assert "found" not in text_of(pane)
    folded = text_of(pane)
    click(pane, "mnemo:fold/0/c")
    assert "found" in text_of(pane)
    click(pane, "mnemo:fold/0/c")
    assert text_of(pane) == folded


def test_an_unfolded_card_leads_to_all_of_a_result_that_was_cut(pane: Transcript, qtbot: QtBot) -> None:
    name = ".mnemoscope/tool-results/20261122-143000-exec.txt"
    result: Message = {"role": "tool", "tool_call_id": "c", "content": "head … tail", "cut": 9_000, "whole": name}
    pane.show_messages("k", [calling("c"), result])
    assert "Open the whole result" not in text_of(pane)
    click(pane, "mnemo:fold/0/c")
    assert "Open the whole result" in text_of(pane)
    with qtbot.waitSignal(pane.links.whole_wanted) as wanted:
        click(pane, f"mnemo:whole/{name}")
    assert wanted.args == [name]


def test_folding_one_card_of_several_leaves_the_rest_as_it_was(pane: Transcript) -> None:
    message = calling("a", text=RICH)
    message["tool_calls"] += calling("b", "read_file")["tool_calls"]
    results = [{"role": "tool", "tool_call_id": name, "content": f"result of {name}"} for name in "ab"]
    pane.show_messages("k", [message, *results, said("assistant", "after")])
    pane.mark_consolidated_upto(3)
    before = form_of(pane)
    for name in "ab":
        click(pane, f"mnemo:fold/0/{name}")
        assert "Result" in text_of(pane)
        click(pane, f"mnemo:fold/0/{name}")
        assert form_of(pane) == before
    click(pane, "mnemo:fold/0/a")
    click(pane, "mnemo:fold/0/b")
    unfolded = form_of(pane)
    pane.paging.reload()
    pane.mark_consolidated_upto(3)
    assert form_of(pane) == unfolded


def test_a_tools_states_are_shown_as_they_come(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "find")])
    pane.begin_reply()
    pane.append_message(1, calling("c"))
    pane.end_reply()
    pane.calls.started("c", "search_memory", {"query": "pool"})
    assert "running…" in text_of(pane)
    pane.calls.ran("c", "search_memory", True, "3 matches", 4.2)
    pane.append_message(2, {"role": "tool", "tool_call_id": "c", "name": "search_memory", "content": "x"})
    assert "3 matches · 4 ms" in text_of(pane)
    assert text_of(pane).count("search_memory") == 1


def exec_of(argv: object) -> Message:
    function = {"name": "exec", "arguments": json.dumps({"argv": argv})}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": function}]}


def test_a_command_is_shown_as_a_command_line(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go"), exec_of(["sort", "-k 2", "stock.csv"])])
    assert "exec  sort '-k 2' stock.csv" in plain(pane)
    click(pane, "mnemo:fold/1/c")
    assert "Command\nsort '-k 2' stock.csv" in plain(pane)
    assert "argv" not in plain(pane)


@pytest.mark.parametrize("argv", [[], "ls", ["ls", 3], None])
def test_a_call_that_is_no_command_is_shown_as_it_is(pane: Transcript, argv: object) -> None:
    pane.show_messages("k", [said("user", "go"), exec_of(argv)])
    assert "exec" in plain(pane)


def test_a_cards_first_line_is_cut_anew_to_a_narrower_pane(pane: Transcript, qtbot: QtBot) -> None:
    told = {"role": "tool", "tool_call_id": "c", "name": "exec", "content": "Exit code 0. No output."}
    pane.show_messages("k", [said("user", "go"), exec_of(["sort", "--numeric", "notes/stock-of-november.csv"]), told])
    pane.resize(900, 600)
    qtbot.waitUntil(lambda: lines_of_card(pane) == 1)
    for width in (520, 400, 340):
        pane.resize(width, 600)
        qtbot.waitUntil(lambda: lines_of_card(pane) == 1)
        words, _, outcome = card_line(pane).text().partition("\t")
        assert outcome
        fonts = (
            QFontMetricsF(made.font()) for made in (pane.transcript.style.chars("code"), pane.transcript.style.body)
        )
        needed = sum(font.horizontalAdvance(part) for font, part in zip(fonts, (words, outcome), strict=True))
        assert needed < pane.transcript.column_width - 16


def card_line(pane: Transcript) -> QTextBlock:
    """The first line of the card of the command."""
    block = pane.transcript.document.begin()
    while "exec" not in block.text():
        block = block.next()
    return block


def lines_of_card(pane: Transcript) -> int:
    pane.transcript.document.documentLayout().documentSize()
    return card_line(pane).layout().lineCount()


def test_a_tool_that_was_denied_or_stopped_before_it_ran_is_said_not_to_have_run(pane: Transcript) -> None:
    result = "Not run: The person did not allow this command. Go on without it."
    pane.show_messages("k", [said("user", "find"), calling("c")])
    pane.calls.started("c", "search_memory", {})
    pane.calls.ran("c", "search_memory", False, result, 4.2)
    told = "was not run: The person did not"  # the rest is in the unfolded card
    shown = text_of(pane).replace("\u2068", "").replace("\u2069", "")
    assert told in shown
    assert "failed" not in shown
    assert "4 ms" not in shown
    pane.append_message(2, {"role": "tool", "tool_call_id": "c", "name": "search_memory", "content": result})
    pane.show_messages(
        "k", [said("user", "find"), calling("c"), {"role": "tool", "tool_call_id": "c", "content": result}]
    )
    assert told in text_of(pane).replace("\u2068", "").replace("\u2069", "")


def test_a_result_without_its_call_has_a_card_of_its_own(pane: Transcript) -> None:
    pane.show_messages("k", [{"role": "tool", "tool_call_id": "x", "name": "read_file", "content": "text"}])
    assert "read_file" in text_of(pane)


def test_two_turns_may_use_the_same_call_id(pane: Transcript) -> None:
    turn = [calling("call_0"), {"role": "tool", "tool_call_id": "call_0", "content": "a\nb"}]
    other = [calling("call_0"), {"role": "tool", "tool_call_id": "call_0", "content": "a\nb\nc"}]
    pane.show_messages("k", turn + other)
    assert "2 lines" in text_of(pane)
    assert "3 lines" in text_of(pane)


def test_the_pointer_is_drawn_above_the_first_message_that_is_not_settled(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", f"m{number}") for number in range(6)])
    for pointer in (2, 4):
        pane.mark_consolidated_upto(pointer)
        row = pane.transcript.row_of(pointer)
        assert row is not None
        block = pane.transcript.document.begin()
        marked = []
        while block.isValid():
            marked += [block.position()] if block.blockFormat().boolProperty(Mark.DIVIDER) else []
            block = block.next()
        assert marked == [row.start.position()]


def test_a_message_over_the_limit_is_cut_and_offered_as_text(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "word " * 60_000)])
    assert "more characters" in text_of(pane)
    click(pane, "mnemo:all/0")
    dialogs = [
        widget for widget in QApplication.topLevelWidgets() if widget.parent() is pane.view and widget.isVisible()
    ]
    assert dialogs
    dialogs[0].close()


# The answer being written


def streamed(pane: Transcript, text: str, message: Message, seed: int) -> str:
    draw = random.Random(seed)
    pane.show_messages(f"live {seed}", [said("user", "go")])
    pane.begin_reply()
    at = 0
    while at < len(text):
        size = draw.randint(1, 14)
        pane.add_delta(text[at : at + size])
        at += size
        if draw.random() < 0.6:
            pane.stream.flush()
    pane.append_message(1, message)
    pane.end_reply()
    return form_of(pane)


def form_of(pane: Transcript) -> str:
    """All of the document, cards numbered anew in each."""
    return re.sub(r"mnemo:code/\d+", "mnemo:code/", pane.transcript.document.toHtml())


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "text",
    [
        RICH,
        "a\r\nb\rc\n\n```\nopen fence\nnever closed",
        "|a|\n|-|\n" + "|x|\n" * 60,
        "See [it][r].\n\n[r]: https://x.example/",
    ],
    ids=["rich", "open fence", "long table", "definitions"],
)
def test_a_streamed_answer_ends_as_it_would_be_shown(pane: Transcript, text: str, seed: int) -> None:
    message = said("assistant", text, 2)
    live = streamed(pane, text, message, seed)
    words = text_of(pane)
    pane.show_messages("again", [said("user", "go"), message])
    assert text_of(pane) == words
    assert form_of(pane) == live


@pytest.mark.parametrize(
    "message",
    [
        calling("c", text=RICH),
        said("assistant", RICH, 2, interrupted=True),
        said("assistant", RICH, 2, reasoning_content="hm"),
    ],
    ids=["tool call", "interrupted", "reasoning"],
)
def test_what_only_the_record_knows_is_added(pane: Transcript, message: Message) -> None:
    live = streamed(pane, RICH, message, 1)
    pane.show_messages("again", [said("user", "go"), message])
    assert form_of(pane) == live


def test_an_answer_without_a_record_stays_marked_as_interrupted(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta("Half an ans")
    pane.end_reply()
    assert "Half an ans" in text_of(pane)
    assert "Interrupted" in text_of(pane)


def test_an_answer_that_never_began_leaves_nothing(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go")])
    before = text_of(pane)
    pane.begin_reply()
    pane.end_reply()
    assert text_of(pane) == before


def test_the_timer_draws_what_comes(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.add_delta("Some **words**")
    qtbot.waitUntil(lambda: "Some words" in text_of(pane), timeout=60_000)
    pane.end_reply()


def test_the_end_is_followed_only_while_the_reader_is_there(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "words " * 60, number) for number in range(12)])
    settle(qtbot, pane)
    pane.begin_reply()
    pane.add_delta("line\n\n" * 30)
    pane.stream.flush()
    assert bar(pane).value() == bar(pane).maximum()
    bar(pane).setValue(bar(pane).maximum() - 9)
    held = bar(pane).value()
    pane.add_delta("line\n\n" * 30)
    pane.stream.flush()
    assert bar(pane).value() == held
    assert pane._pill.isVisible()
    bar(pane).setValue(bar(pane).maximum() - 8)
    pane.add_delta("line\n\n" * 30)
    pane.stream.flush()
    assert bar(pane).value() == bar(pane).maximum()
    assert not pane._pill.isVisible()
    pane.end_reply()


def test_an_answer_goes_on_unseen_while_another_part_is_shown(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000))
    pane.begin_reply()
    pane.add_delta("First. ")
    pane.scroll_to_message(10)
    pane.view.emphasis.still()
    pane.add_delta("Second.")
    assert "First" not in text_of(pane)
    pane.jump_to_newest()
    assert "First. Second." in text_of(pane)
    pane.append_message(1_000, said("assistant", "First. Second."))
    pane.end_reply()
    settle(qtbot, pane)
    assert text_of(pane).count("Second.") == 1


def test_a_message_recorded_while_another_part_is_shown_is_there_on_return(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000))
    pane.scroll_to_message(10)
    pane.view.emphasis.still()
    pane.append_message(1_000, said("user", "news"))
    assert "news" not in text_of(pane)
    pane.jump_to_newest()
    settle(qtbot, pane)
    assert "news" in text_of(pane)


def test_another_session_ends_the_answer_on_screen(pane: Transcript) -> None:
    pane.show_messages("a", [said("user", "go")])
    pane.add_delta("of the first")
    pane.show_messages("b", [said("user", "other")])
    assert "of the first" not in text_of(pane)
    assert not pane.stream.active


# Links, copying, finding


def test_nothing_is_ever_loaded(pane: Transcript) -> None:
    for address in ("https://evil.example/p", "file:///etc/passwd", "data:image/png;base64,AAAA", "x.png"):
        assert pane.view.loadResource(2, QUrl(address)) is None


def test_a_link_is_opened_only_after_its_address_was_seen(pane: Transcript) -> None:
    wanted: list[str] = []
    pane.link_requested.connect(wanted.append)
    click(pane, "https://bank.example@evil.example/?q=SECRET")
    dialog = pane.findChild(LinkDialog)
    assert dialog is not None
    assert dialog.address.host == "evil.example"
    assert wanted == []
    dialog.accept()
    assert wanted == ["https://evil.example/?q=SECRET"]


@pytest.mark.parametrize("href", ["#top", "file:///etc/passwd", "javascript:alert(1)", "../x.md", "vscode://file/x"])
def test_other_addresses_ask_nothing_and_open_nothing(pane: Transcript, href: str) -> None:
    wanted: list[str] = []
    pane.link_requested.connect(wanted.append)
    click(pane, href)
    assert pane.findChild(LinkDialog) is None
    assert wanted == []


def test_copy_links_put_markdown_and_code_on_the_clipboard(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", RICH)])
    click(pane, "mnemo:copy/0")
    assert QGuiApplication.clipboard().text() == RICH
    number = next(iter(pane.transcript.codes))
    click(pane, f"mnemo:code/{number}")
    assert QGuiApplication.clipboard().text() == "[databases]\napp = host=127.0.0.1"


def test_a_selection_across_messages_is_copied_as_markdown_and_rich_text(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "How **so**?"), said("assistant", RICH)])
    pane.view.selectAll()
    mime = pane.view.createMimeDataFromSelection()
    assert mime.text() == f"**You**\n\nHow **so**?\n\n**Assistant**\n\n{RICH}"
    assert "<strong>pgbouncer</strong>" in mime.html()


def test_part_of_a_paragraph_is_copied_as_its_words(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "one **two** three")])
    cursor = pane.transcript.document.find("two thr")
    pane.view.setTextCursor(cursor)
    assert pane.view.createMimeDataFromSelection().text() == "two thr"


def test_a_click_on_a_message_activates_it(pane: Transcript) -> None:
    activated: list[int] = []
    pane.message_activated.connect(activated.append)
    pane.show_messages("k", [said("user", "one"), said("assistant", "two")])
    row = pane.transcript.row_of(1)
    assert row is not None
    point = QPoint(40, int(pane.view.row_rect(row).bottom() - pane.view.offset() - 6))
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert activated == [1]


def test_found_words_are_counted_and_stepped_through(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", f"the pool {number}") for number in range(3)])
    pane.find_bar.start()
    pane.find_bar.field.setText("pool")
    assert pane.find_bar.count.text().endswith("of 3")
    pane.find_bar.field.setText("Copy")
    assert pane.find_bar.count.text().startswith("none")
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Escape)
    assert not pane.find_bar.isVisible()


def test_a_live_list_that_holds_the_message_already_gives_it_one_row(pane: Transcript) -> None:
    messages = [said("user", "first words")]
    pane.show_messages("k", messages)
    for number in range(3):
        messages.append(said("user", f"question {number}"))
        pane.append_message(len(messages) - 1, messages[-1])
        pane.begin_reply()
        pane.add_delta("answer")
        messages.append(said("assistant", f"answer {number}"))
        pane.append_message(len(messages) - 1, messages[-1])
        pane.end_reply()
    shown = text_of(pane)
    assert [shown.count(f"question {number}") for number in range(3)] == [1, 1, 1]
    assert [shown.count(f"answer {number}") for number in range(3)] == [1, 1, 1]
    assert [row.index for row in pane.transcript.rows] == list(range(7))


def test_a_command_while_an_answer_is_written_stands_above_it(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta("the answer")
    pane.stream.flush()
    pane.append_message(1, said("user", "/help", _command=True))
    pane.append_message(2, said("assistant", "All commands", _command=True))
    assert text_of(pane).index("All commands") < text_of(pane).index("the answer")
    pane.append_message(3, said("assistant", "the answer"))
    pane.end_reply()
    assert [row.index for row in pane.transcript.rows] == [0, 1, 2, 3]
    assert "Interrupted" not in text_of(pane)


def test_messages_that_came_meanwhile_are_added_when_shown_again(pane: Transcript) -> None:
    messages = [said("user", f"words {number}") for number in range(5)]
    pane.show_messages("k", messages[:3])
    rows = list(pane.transcript.rows)
    pane.show_messages("k", messages)
    assert pane.transcript.rows[:3] == rows
    assert "words 4" in text_of(pane)


# Looks and failures


def test_a_failure_is_a_bar_with_actions_that_goes_with_the_next_answer(pane: Transcript) -> None:
    pressed: list[bool] = []
    pane.show_messages("k", [said("user", "go")])
    pane.end.show_failure("The server is down.", "Start it.", [("Retry", lambda: pressed.append(True))])
    assert pane.end.failure is not None
    next(button for button in pane.end.failure.findChildren(QPushButton) if button.text() == "Retry").click()
    pane.begin_reply()
    assert pane.end.failure is None
    assert pressed == [True]
    pane.end_reply()


def test_another_theme_draws_the_same_words_at_the_same_place(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(300))
    settle(qtbot, pane)
    words = text_of(pane)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "dark")
    assert text_of(pane) == words
    assert bar(pane).value() == bar(pane).maximum()
    apply_theme(app, "light")


def test_a_narrower_pane_keeps_the_end_in_view(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(300))
    settle(qtbot, pane)
    pane.resize(320, 500)
    assert bar(pane).value() == bar(pane).maximum()
    assert pane.view.horizontalScrollBar().maximum() == 0


def test_adding_and_taking_away_leaves_what_loading_gives(pane: Transcript) -> None:
    messages = [
        said("user", "q"),
        calling("c"),
        {"role": "tool", "tool_call_id": "c", "content": "r"},
        said("assistant", RICH),
    ] * 4
    pane.show_messages("k", messages)
    document = pane.transcript
    document.load(4, 16)
    whole = form_of(pane)
    document.load(8, 16)
    document.prepend(4)
    assert form_of(pane) == whole
    document.prepend(0)
    trim_above(document, 4)
    assert "Copy" in text_of(pane)
    document.load(4, 12)
    for index in range(12, 16):
        document.append(index)
    assert form_of(pane) == whole
    row = document.row_of(7)
    assert row is not None
    document.rewrite(row)
    assert form_of(pane) == whole


def test_the_text_cursor_reaches_the_end_by_keys(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "one"), said("assistant", "two")])
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert pane.view.textCursor().selectionEnd() > 0
    assert pane.view.accessibleName()
    pane.view.moveCursor(QTextCursor.MoveOperation.Start)


def test_tab_leaves_the_conversation_and_alt_down_goes_through_its_links(pane: Transcript, qtbot: QtBot) -> None:
    wanted: list[str] = []
    pane.view.anchorClicked.connect(lambda url: wanted.append(url.toString()))
    pane.show_messages("k", [said("user", "one"), said("assistant", "[two](https://example.org/)")])
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert wanted == ["mnemo:copy/0"]
    assert QGuiApplication.clipboard().text() == "one"
    pane.find_bar.start()
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_Tab)
    assert not pane.view.hasFocus()


def test_words_far_above_what_is_loaded_are_found_and_brought_in(pane: Transcript, qtbot: QtBot) -> None:
    messages = [said("user", f"line {number}") for number in range(2_000)]
    messages[3] = said("user", "the celadon recipe")
    pane.show_messages("k", messages)
    assert pane.transcript.first > 3
    pane.find_bar.start()
    pane.find_bar.field.setText("celadon")
    qtbot.waitUntil(lambda: pane.transcript.row_of(3) is not None)
    assert pane.view.textCursor().block().text() == "the celadon recipe"
    assert pane.find_bar.count.text() == "1 of 1 around here"
    pane.find_bar.field.setText("zeppelin")
    qtbot.waitUntil(lambda: pane.find_bar.count.text() == "none in this conversation")


def test_sending_brings_the_reader_back_to_the_end(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", f"line {number}\n\nmore") for number in range(60)])
    pane.view.verticalScrollBar().setValue(0)
    assert not pane.paging.following
    pane.follow_newest()
    assert pane.paging.following
    bar = pane.view.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_the_lexer_of_code_being_written_is_at_hand_before_it_is_complete(pane: Transcript, qtbot: QtBot) -> None:
    lexer_for.cache_clear()
    pane.show_messages("a", [])
    pane.begin_reply()
    pane.add_delta("Here:\n\n```rust\nfn main() {\n")
    pane.stream.flush()
    qtbot.waitUntil(lambda: lexer_for.cache_info().currsize == 1)
    hits = lexer_for.cache_info().hits
    pane.add_delta("}\n```\n")
    pane.end_reply()
    qtbot.waitUntil(lambda: lexer_for.cache_info().hits > hits)
    assert lexer_for.cache_info().misses == 1


def test_the_copy_link_of_a_message_shows_while_it_flashes_after_a_jump(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "find"), said("assistant", "Found.", 2)])
    row = pane.transcript.row_of(1)
    assert row is not None
    caption = pane.transcript.caption_of(row)
    assert caption is not None
    pane.scroll_to_message(1)
    [shown] = caption.layout().formats()
    assert caption.text()[shown.start : shown.start + shown.length] == "Copy"
    pane.view.emphasis.still()
    assert not caption.layout().formats()


@pytest.mark.parametrize("text", ["One", "words " * 400, RICH, "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode\nmore"])
def test_the_mark_of_an_answer_being_written_stands_where_a_caret_would(pane: Transcript, text: str) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta(text)
    pane.stream.flush()
    end = QTextCursor(pane.transcript.document)
    end.movePosition(QTextCursor.MoveOperation.End)
    assert pane.view.end_mark() == pane.view.cursorRect(end).adjusted(3, 1, 7, -1)
    pane.end_reply()


def test_what_stands_uppermost_is_found_alike_however_it_is_looked_for(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("assistant", RICH, number) for number in range(12)])
    settle(qtbot, pane)
    bottom = bar(pane).maximum()
    for offset in (*range(0, bottom, 37), *range(bottom, 0, -203)):
        bar(pane).setValue(offset)
        pane.view.grab()
        assert pane.view.first_painted == pane.view.cursorForPosition(QPoint(0, 0)).blockNumber()


def test_of_what_was_painted_last_a_number_is_kept_that_may_be_of_nothing_any_more(
    pane: Transcript, qtbot: QtBot
) -> None:
    pane.show_messages("long", [said("assistant", RICH, number) for number in range(12)])
    settle(qtbot, pane)
    bar(pane).setValue(bar(pane).maximum())
    pane.view.grab()
    assert pane.view.first_painted > 10
    pane.show_messages("short", [said("user", "Tea")])
    pane.view.grab()
    assert pane.view.first_painted == 0

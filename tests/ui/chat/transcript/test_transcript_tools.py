"""Calls of tools in the conversation: cards that fold, their states, and what they say of a command."""

import json
import re

import pytest
from PySide6.QtGui import QFontMetricsF, QTextBlock
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.message import Message
from mnemoscope.ui.chat.message_actions import FoldCall, OpenResult
from mnemoscope.ui.chat.transcript.transcript import Transcript
from tests.ui.chat.transcript.offered_actions import click_action
from tests.ui.chat.transcript.transcript_fixture import RICH, calling, form_of, pane, said, text_of

__all__ = ["pane"]


def plain(pane: Transcript) -> str:
    """Returns the words without the marks that keep names from reordering their neighbours."""
    return re.sub("[\u2066-\u2069]", "", text_of(pane))


def test_a_tool_call_is_a_folded_card_that_unfolds(pane: Transcript) -> None:
    pane.show_messages("k", [calling("c"), {"role": "tool", "tool_call_id": "c", "content": "found\nthree\nlines"}])
    assert "search_memory" in text_of(pane)
    assert "3 lines" in text_of(pane)
    assert "found" not in text_of(pane)
    folded = text_of(pane)
    click_action(pane, FoldCall(0, "c"))
    assert "found" in text_of(pane)
    click_action(pane, FoldCall(0, "c"))
    assert text_of(pane) == folded


def test_an_unfolded_card_leads_to_all_of_a_result_that_was_cut(pane: Transcript) -> None:
    name = ".mnemoscope/tool-results/20261122-143000-exec.txt"
    result: Message = {"role": "tool", "tool_call_id": "c", "content": "head … tail", "cut": 9_000, "whole": name}
    pane.show_messages("k", [calling("c"), result])
    assert "Open the whole result" not in text_of(pane)
    click_action(pane, FoldCall(0, "c"))
    assert "Open the whole result" in text_of(pane)
    wanted: list[str] = []
    pane.message_actions.on(OpenResult, lambda action: wanted.append(action.name))
    click_action(pane, OpenResult(name))
    assert wanted == [name]


def test_the_words_of_an_answer_keep_clear_of_the_card_of_what_the_model_thought(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "Four.", reasoning_content="Two and two.")])
    layout = pane.transcript.document.documentLayout()
    card, words = (pane.transcript.document.find(each).block() for each in ("Reasoning", "Four."))
    # The edge of a card is ten pixels below its last line.
    assert layout.blockBoundingRect(words).top() >= layout.blockBoundingRect(card).bottom() + 20


def test_folding_one_card_of_several_leaves_the_rest_as_it_was(pane: Transcript) -> None:
    message = calling("a", text=RICH)
    message["tool_calls"] += calling("b", "read_file")["tool_calls"]
    results = [{"role": "tool", "tool_call_id": name, "content": f"result of {name}"} for name in "ab"]
    pane.show_messages("k", [message, *results, said("assistant", "after")])
    pane.mark_consolidated_upto(3)
    before = form_of(pane)
    for name in "ab":
        click_action(pane, FoldCall(0, name))
        assert "Result" in text_of(pane)
        click_action(pane, FoldCall(0, name))
        assert form_of(pane) == before
    click_action(pane, FoldCall(0, "a"))
    click_action(pane, FoldCall(0, "b"))
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
    click_action(pane, FoldCall(1, "c"))
    assert "Command\nsort '-k 2' stock.csv" in plain(pane)
    assert "argv" not in plain(pane)


@pytest.mark.parametrize("argv", [[], "ls", ["ls", 3], None])
def test_a_call_that_is_no_command_is_shown_as_it_is(pane: Transcript, argv: object) -> None:
    pane.show_messages("k", [said("user", "go"), exec_of(argv)])
    assert "exec" in plain(pane)


def test_a_cards_first_line_is_cut_anew_to_a_narrower_pane(pane: Transcript, qtbot: QtBot) -> None:
    result = {"role": "tool", "tool_call_id": "c", "name": "exec", "content": "Exit code 0. No output."}
    pane.show_messages("k", [said("user", "go"), exec_of(["sort", "--numeric", "notes/stock-of-november.csv"]), result])
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


def card_line(pane: Transcript, name: str = "exec") -> QTextBlock:
    """Returns the first line of the card of a tool whose name begins like this."""
    block = pane.transcript.document.begin()
    while name not in block.text():
        block = block.next()
    return block


def lines_of_card(pane: Transcript, name: str = "exec") -> int:
    pane.transcript.document.documentLayout().documentSize()
    return card_line(pane, name).layout().lineCount()


def test_a_tool_that_was_denied_or_stopped_before_it_ran_is_said_not_to_have_run(pane: Transcript) -> None:
    result = "Not run: The person did not allow this command. Go on without it."
    pane.show_messages("k", [said("user", "find"), calling("c")])
    pane.calls.started("c", "search_memory", {})
    pane.calls.ran("c", "search_memory", False, result, 4.2)
    denied = "not run: you did not allow it"
    shown = text_of(pane).replace("\u2068", "").replace("\u2069", "")
    assert denied in shown
    assert "failed" not in shown
    assert "4 ms" not in shown
    pane.append_message(2, {"role": "tool", "tool_call_id": "c", "name": "search_memory", "content": result})
    pane.show_messages(
        "k", [said("user", "find"), calling("c"), {"role": "tool", "tool_call_id": "c", "content": result}]
    )
    assert denied in text_of(pane).replace("\u2068", "").replace("\u2069", "")


def test_a_result_without_its_call_has_a_card_of_its_own(pane: Transcript) -> None:
    pane.show_messages("k", [{"role": "tool", "tool_call_id": "x", "name": "read_file", "content": "text"}])
    assert "read_file" in text_of(pane)


def test_two_turns_may_use_the_same_call_id(pane: Transcript) -> None:
    turn = [calling("call_0"), {"role": "tool", "tool_call_id": "call_0", "content": "a\nb"}]
    other = [calling("call_0"), {"role": "tool", "tool_call_id": "call_0", "content": "a\nb\nc"}]
    pane.show_messages("k", turn + other)
    assert "2 lines" in text_of(pane)
    assert "3 lines" in text_of(pane)


@pytest.mark.parametrize("name", ["exec", "search_memory", "a_tool_of_some_server_with_a_long_name"])
def test_the_first_line_of_a_card_is_one_line_at_any_width(pane: Transcript, qtbot: QtBot, name: str) -> None:
    found = "memory/MEMORY.md (line 4, by another program), and others that speak of it"
    result = said("tool", found, 1, tool_call_id="c1", name=name)
    pane.show_messages("k", [said("user", "go"), calling("c1", name), result])
    for width in (900, 420, 360, 320):
        pane.resize(width, 600)
        qtbot.waitUntil(lambda: lines_of_card(pane, name[:8]) == 1)


def test_what_was_asked_and_what_came_of_it_share_a_narrow_line(pane: Transcript, qtbot: QtBot) -> None:
    result = said("tool", "Not run: The person did not allow this command, which reads a file", 1, tool_call_id="c")
    pane.show_messages(
        "k", [said("user", "go"), exec_of(["python3", "shop/postage.py", "--check", "stock.csv"]), result]
    )
    pane.resize(470, 600)
    qtbot.waitUntil(lambda: lines_of_card(pane) == 1 and "shop" in card_line(pane).text().partition("\t")[0])
    assert card_line(pane).text().partition("\t")[2].startswith("not run: ")

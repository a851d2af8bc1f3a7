"""What did not go with a prompt is named line by line, where the record of the prompt names it."""

from mnemoscope.domain.answer_receipt.left_out import MOST_MESSAGES, left_out_of
from mnemoscope.domain.answer_receipt.memory_use import MemoryKind
from mnemoscope.domain.context.prompt_snapshot import (
    LONGEST_CUT,
    CutLines,
    CutMessages,
    PromptSection,
    PromptSnapshot,
)
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.memory.file_registry import JOURNAL_PATH


def prompt(*left_out: str, lines: tuple[CutLines, ...] | None = (), **fields: tuple[object, ...]) -> PromptSnapshot:
    return PromptSnapshot("m", (), (), (), left_out, 0, cut_lines=lines, **fields)  # type: ignore[arg-type]


def said(number: int) -> Message | None:
    return {"role": "user", "content": f"Message {number}"} if number < 900 else None


def test_each_reason_has_its_lines() -> None:
    cut = (
        CutLines.of("over", "memory/MEMORY.md", ["- a", "", "- b"]),
        CutLines.of("old", JOURNAL_PATH, ["- one", "  more of it", "- two"]),
    )
    over, old, other = left_out_of(prompt("over", "old", "other", lines=cut), said)
    assert [(each.kind, each.source, each.text) for each in over.lines] == [
        (MemoryKind.LINE, "memory/MEMORY.md", "- a"),
        (MemoryKind.LINE, "memory/MEMORY.md", "- b"),
    ]
    assert [(each.kind, each.text) for each in old.lines] == [
        (MemoryKind.ENTRY, "- one\n  more of it"),
        (MemoryKind.ENTRY, "- two"),
    ]
    assert (other.why, other.lines, other.messages) == ("other", (), ())


def test_the_newest_messages_are_named_and_the_others_counted() -> None:
    cut = CutMessages.of("older", [0, 1, 2, *range(10, 10 + MOST_MESSAGES)])
    assert cut.spans == ((0, 3), (10, 10 + MOST_MESSAGES))
    [found] = left_out_of(prompt("older", cut_messages=(cut,)), said)
    assert (found.messages[0].number, found.messages[0].words) == (9 + MOST_MESSAGES, f"Message {9 + MOST_MESSAGES}")
    assert (len(found.messages), found.more) == (MOST_MESSAGES, 3)


def test_a_message_that_is_not_there_any_more_is_not_named() -> None:
    gone = CutMessages.of("gone", [1, 2, 1_000])
    deleted: Message = {"role": "user", "content": "", "_deleted": {"by": "person"}}
    [found] = left_out_of(prompt("gone", cut_messages=(gone,)), lambda number: deleted if number == 1 else said(number))
    assert [each.number for each in found.messages] == [2]


def test_so_many_lines_are_kept_and_the_others_counted() -> None:
    rows = ["x" * (LONGEST_CUT // 4 - 1)] * 6
    cut = CutLines.of("over", "MEMORY.md", rows)
    assert (cut.text.count("\n") + 1, cut.more) == (4, 2)
    assert left_out_of(prompt("over", lines=(cut,)), said)[0].more == 2
    cut = CutLines.of("over", "MEMORY.md", rows, are_all=False)
    assert left_out_of(prompt("over", lines=(cut,)), said)[0].more is None


def test_of_an_earlier_version_the_sentences_alone_are_known() -> None:
    part = PromptSection("read_file", "a.txt", "", 1_200)
    first, result = left_out_of(prompt("over", lines=None, cut=(part,)), said)
    assert (first.why, first.lines) == ("over", ())
    assert result.why == "read_file: 1,200 tokens of its result were left out, since it was too long."

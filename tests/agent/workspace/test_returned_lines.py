"""Wherever a line stands again that the person had forgotten, it is asked about: in old notes, in any page of a log, in
skills; and what was looked through once is not looked through again."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from mnemoscope.agent.workspace import returned_lines
from mnemoscope.domain.memory.file_registry import HISTORY_PATH, JOURNAL_PATH
from mnemoscope.domain.memory.suggestion import STAYED, Suggestion
from mnemoscope.store.memory.log_page import PAGE_BYTES
from tests.agent.workspace.forgotten_code import AGAIN, KEPT, SAID, opened_after_forgetting, write
from tests.agent.workspace.test_workbench import Opened


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    async with opened_after_forgetting(tmp_path) as opened:
        yield opened


def waiting(opened: Opened) -> dict[str, Suggestion]:
    return {each.path: each for each in opened.bench.memory.ledger.suggestions()}


async def looked(opened: Opened) -> None:
    await opened.bench.rescan_files()
    if (task := opened.bench.external_changes._returned._task) is not None:
        await task


def entry(cursor: int, content: str) -> str:
    return json.dumps({"cursor": cursor, "timestamp": "2026-11-20 10:00", "content": content}) + "\n"


async def test_the_oldest_of_many_notes_is_asked_about_and_looked_at_once(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        write(opened, f"memory/2020-{1 + number // 28:02}-{1 + number % 28:02}.md", KEPT)
    write(opened, "memory/2019-01-01.md")
    await looked(opened)
    assert list(waiting(opened)) == ["memory/2019-01-01.md"]
    read: list[str] = []
    compared = returned_lines.says_forgotten

    def says(text: str, is_forgotten: Callable[[str], bool]) -> bool:
        read.append(text)
        return compared(text, is_forgotten)

    # Nothing else tells what is compared: that nothing came back is the same answer.
    monkeypatch.setattr(returned_lines, "says_forgotten", says)
    await looked(opened)
    write(opened, "memory/2020-02-02.md", f"{KEPT}- Has a cat\n")
    await looked(opened)
    assert read == [f"{KEPT}- Has a cat\n"]


async def test_what_was_looked_at_is_known_after_a_restart_and_what_came_while_it_was_closed_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Opened(tmp_path)
    await first.bench.recover()
    first.bench.tombstones.add([SAID])
    write(first, "memory/2019-01-01.md", KEPT)
    write(first, "memory/2019-01-02.md", KEPT)
    await looked(first)
    await first.bench.close()
    noted = (tmp_path / ".mnemoscope/looked-at.json").read_text("utf-8")
    assert "memory/2019-01-01.md" in noted
    write(first, "memory/2019-01-02.md")
    read: list[str] = []

    def says(text: str, _: object) -> bool:
        read.append(text)
        return True

    monkeypatch.setattr(returned_lines, "says_forgotten", says)
    again = Opened(tmp_path)
    # The key lasts as long as a run here.
    again.bench.tombstones._key = first.bench.tombstones._key
    await again.bench.recover()
    await looked(again)
    assert read == [f"{KEPT}{AGAIN}\n"]
    assert list(waiting(again)) == ["memory/2019-01-02.md"]
    await again.bench.close()


@pytest.mark.parametrize("choice", ["accept", "reject"])
async def test_an_entry_of_the_history_is_asked_about_on_any_page(opened: Opened, choice: str) -> None:
    line = "[2026-11-20 10:00] " + "Likes tea. " * 90 + "\n"
    before = line * (2 * PAGE_BYTES // len(line) + 10) + "[2026-11-21 11:00] Harbour gym, locker code 2417\n" + line
    file = write(opened, HISTORY_PATH, before)
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    assert item.suggestion.path == "memory/HISTORY.md#2"
    assert len(item.suggestion.before) < 2 * PAGE_BYTES
    decided = await opened.bench.memory.editing.decide(item, choice)
    assert opened.bench.memory.files.is_forgotten(AGAIN) == (choice == "accept")
    if choice == "accept":
        assert file.read_text("utf-8") == before.replace("Harbour gym, locker code 2417", "[…]")
        await opened.bench.memory.editing.reopen(decided)
    assert file.read_text("utf-8") == before


async def test_an_entry_that_dream_has_read_is_asked_about_and_one_that_is_added_later(opened: Opened) -> None:
    entries = [entry(number, f"Likes tea, the {number}th time. {'-' * 500}") for number in range(1, 400)]
    entries[1] = entry(2, f"{AGAIN}\n{KEPT}")
    file = write(opened, JOURNAL_PATH, "".join(entries))
    (opened.bench.workspace.root / "memory/.dream_cursor").write_text("399")
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    assert (item.suggestion.path, item.before) == (JOURNAL_PATH, AGAIN)
    await opened.bench.memory.editing.decide(item, "accept")
    assert json.loads(file.read_text("utf-8").split("\n")[1])["content"] == KEPT
    with file.open("a", encoding="utf-8") as log:
        log.write(entry(400, AGAIN))
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    assert (item.suggestion.path, item.before) == (f"{JOURNAL_PATH}#{file.stat().st_size // PAGE_BYTES}", AGAIN)


@pytest.mark.parametrize("path", ["skills/gym/SKILL.md", "skills/gym/notes.md", "memory/topics.md", "prompts/x.md"])
async def test_a_skill_a_guide_and_any_note_are_asked_about(opened: Opened, path: str) -> None:
    file = write(opened, path)
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    assert item.suggestion.path == path
    await opened.bench.memory.editing.decide(item, "accept")
    assert file.read_text("utf-8") == KEPT


async def test_a_note_that_is_renamed_is_asked_about_under_its_new_name_alone(opened: Opened) -> None:
    file = write(opened, "memory/2019-01-01.md")
    await looked(opened)
    file.rename(file.with_name("2019-01-02.md"))
    await looked(opened)
    assert list(waiting(opened)) == ["memory/2019-01-02.md"]
    file.with_name("2019-01-02.md").rename(file)
    await looked(opened)
    assert list(waiting(opened)) == ["memory/2019-01-01.md"]


async def test_a_line_that_goes_by_itself_and_comes_back_once_more_is_asked_about_again(opened: Opened) -> None:
    for _ in range(2):
        write(opened, "memory/2019-01-01.md")
        await looked(opened)
        assert list(waiting(opened)) == ["memory/2019-01-01.md"]
        write(opened, "memory/2019-01-01.md", KEPT)
        await looked(opened)
        await opened.bench.memory.editing.bring_up_to_date()
        assert not waiting(opened)


async def test_a_note_in_another_encoding_is_asked_about_and_keeps_its_bytes(opened: Opened) -> None:
    file = write(opened, "memory/2019-01-01.md", "")
    file.write_bytes(b"- caf\xe9\r\n" + f"{AGAIN}\r\n".encode() + b"- Has two cats\r\n")
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    await opened.bench.memory.editing.decide(item, "accept")
    assert file.read_bytes() == b"- caf\xe9\r\n- Has two cats\r\n"


async def test_the_same_time_and_size_in_another_file_is_no_reason_to_pass_over_it(opened: Opened) -> None:
    file = write(opened, "memory/2019-01-01.md", f"{KEPT}{'x' * len(AGAIN)}\n")
    os.utime(file, (1_000_000_000, 1_000_000_000))
    await looked(opened)
    beside = write(opened, "memory/beside.tmp")
    os.utime(beside, (1_000_000_000, 1_000_000_000))
    beside.replace(file)
    await looked(opened)
    assert list(waiting(opened)) == ["memory/2019-01-01.md"]


async def test_of_very_many_some_are_asked_about_at_once_and_the_next_when_these_are_decided(opened: Opened) -> None:
    for number in range(102):
        write(opened, f"memory/topic-{number}.md")
    opened.bench.external_changes._untracked.changed = list  # type: ignore[method-assign]
    await looked(opened)
    asked = set(waiting(opened))
    assert len(asked) == 100
    for item in opened.bench.memory.editing.waiting_items()[:3]:
        await opened.bench.memory.editing.decide(item, "accept")
    await looked(opened)
    assert len(waiting(opened)) == 99
    assert len(waiting(opened).keys() - asked) == 2


async def test_what_is_forgotten_later_is_looked_for_where_another_line_was_asked_about(opened: Opened) -> None:
    write(opened, "memory/topics.md", f"{AGAIN}\n- Sister Oonagh: bees in Kerry\n")
    opened.bench.external_changes._untracked.changed = list  # type: ignore[method-assign]
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    await opened.bench.memory.editing.decide(item, "reject")
    opened.bench.tombstones.add(["My sister Oonagh keeps bees in Kerry."])
    await looked(opened)
    (item,) = opened.bench.memory.editing.waiting_items()
    assert item.before == "- Sister Oonagh: bees in Kerry"
    assert STAYED in item.suggestion.reasons


async def test_of_what_is_no_text_nothing_is_asked(opened: Opened) -> None:
    write(opened, "skills/gym/table.bin", "").write_bytes(f"{AGAIN}\n\0".encode())
    write(opened, "memory/2019-01-01.md", "").write_bytes(f"{AGAIN}\n".encode("utf-16"))
    await looked(opened)
    assert not waiting(opened)

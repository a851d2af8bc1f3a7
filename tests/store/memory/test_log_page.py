"""A page of a log or note is a text: a line of it goes and comes back, without any entry or other byte doing so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemoscope.domain.memory.file_registry import HISTORY_PATH, JOURNAL_PATH, page_path
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.memory.log_page import PAGE_BYTES, LogPage, page_count, page_of_bytes, text_of_page
from mnemoscope.store.memory.memory_file import MemoryMoved
from mnemoscope.store.workspace.paths import WorkspacePaths

FIRST = "Said hello"
SECOND = "- [durable] Likes tea\n- [durable] Has a cat"
NOTE = "memory/2026-11-20.md"


def entry(cursor: int, content: str, **more: object) -> str:
    return json.dumps({"cursor": cursor, "timestamp": "2026-04-03 00:02", "content": content, **more}) + "\n"


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    lines = (entry(1, FIRST), "no entry\n", entry(2, SECOND, session_key="cli:direct", mine=7), entry(3, "Rainy"))
    paths.history_jsonl.write_text("".join(lines), "utf-8")
    return paths


def contents(paths: WorkspacePaths) -> list[str]:
    lines = paths.history_jsonl.read_text("utf-8").splitlines()
    return [json.loads(line)["content"] if line.startswith("{") else line for line in lines]


def journal(paths: WorkspacePaths, **more: FileCalls) -> LogPage:
    return LogPage(paths, JOURNAL_PATH, **more)


def test_entries_stand_under_their_numbers(paths: WorkspacePaths) -> None:
    stamp = "2026-04-03 00:02"
    assert journal(paths).read().text == f"## 1 · {stamp}\n{FIRST}\n## 2 · {stamp}\n{SECOND}\n## 3 · {stamp}\nRainy\n"
    paths.history_jsonl.unlink()
    assert not journal(paths).read().exists


def test_a_line_goes_and_comes_back_and_everything_else_stays_as_it_was(paths: WorkspacePaths) -> None:
    file, before = journal(paths), contents(paths)
    text = file.read().text
    without = text.replace("- [durable] Likes tea\n", "").replace("Rainy\n", "")
    written = file.write(without, based_on=file.read().digest)
    assert written.text == without
    assert contents(paths) == [FIRST, "no entry", "- [durable] Has a cat", "[…]"]
    assert json.loads(paths.history_jsonl.read_text("utf-8").splitlines()[2])["mine"] == 7
    assert file.write(text, based_on=written.digest).text == text
    assert contents(paths) == before
    data = paths.history_jsonl.read_bytes()
    assert file.write(f"A line above\n{text}## 9 · 2026\nNo entry has this number\n", based_on=None).text == text
    assert paths.history_jsonl.read_bytes() == data
    with pytest.raises(MemoryMoved):
        file.write(text, based_on="another")


def test_entries_of_one_number_and_one_that_reads_like_a_heading_are_told_apart(paths: WorkspacePaths) -> None:
    with paths.history_jsonl.open("a", encoding="utf-8") as log:
        log.write(entry(3, "Sunny") + entry(4, "## 1 · is how it begins\n\\## 2 · goes on"))
    file = journal(paths)
    text = file.read().text
    assert text.endswith("Sunny\n## 4 · 2026-04-03 00:02\n\\## 1 · is how it begins\n\\\\## 2 · goes on\n")
    file.write(text.replace("Sunny\n", "").replace("is how it begins", "begins"), based_on=None)
    assert contents(paths)[-3:] == ["Rainy", "[…]", "## 1 · begins\n\\## 2 · goes on"]


def test_an_entry_that_dream_has_read_in_part_is_read_from_its_beginning_once_it_is_changed(
    paths: WorkspacePaths,
) -> None:
    paths.own.folder.mkdir()
    noted = {"parts": [[2, 12], [3, 2]]}
    paths.own.dream_place.write_text(json.dumps(noted), "utf-8")
    file = journal(paths)
    file.write(file.read().text.replace(FIRST, "Said nothing"), based_on=None)
    assert json.loads(paths.own.dream_place.read_text("utf-8")) == noted
    file.write(file.read().text.replace("- [durable] Likes tea\n", ""), based_on=None)
    assert json.loads(paths.own.dream_place.read_text("utf-8")) == {"parts": [[3, 2]]}
    paths.own.dream_place.write_text("{", "utf-8")
    file.write(file.read().text.replace("Rainy\n", ""), based_on=None)
    assert paths.own.dream_place.read_text("utf-8") == "{"


def grows(file: Path, data: bytes) -> FileCalls:
    class GrowsOnce(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            if data not in file.read_bytes():
                file.write_bytes(file.read_bytes() + data)
            return super().exchange(one, other)

    return GrowsOnce()


def test_what_another_program_adds_at_the_same_moment_stays(paths: WorkspacePaths) -> None:
    calls = grows(paths.history_jsonl, entry(4, "Came at the same moment").encode())
    file = journal(paths, calls=calls)
    file.write(file.read().text.replace("Rainy\n", ""), based_on=None)
    assert contents(paths) == [FIRST, "no entry", SECOND, "[…]", "Came at the same moment"]


def test_what_another_program_writes_anew_at_the_same_moment_is_left_to_it(paths: WorkspacePaths) -> None:
    class WritesOnce(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            if "All anew" not in paths.history_jsonl.read_text("utf-8"):
                paths.history_jsonl.write_text(entry(9, "All anew") + entry(3, "Rainy"), "utf-8")
            return super().exchange(one, other)

    file = journal(paths, calls=WritesOnce())
    file.write(file.read().text.replace("Rainy\n", ""), based_on=None)
    assert contents(paths)[0] == "All anew"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_of_a_note_goes_and_comes_back_with_the_bytes_beside_it(paths: WorkspacePaths, end: str) -> None:
    file = paths.root / NOTE
    before = b"\xef\xbb\xbf# 2026-11-20\n\n- caf\xe9\n- Likes tea\n- Has a cat\n".replace(b"\n", end.encode())
    file.write_bytes(before)
    page = LogPage(paths, NOTE)
    text = page.read().text
    assert text == "# 2026-11-20\n\n- caf\ufffd\n- Likes tea\n- Has a cat\n"
    page.write(text.replace("- Likes tea\n", ""), based_on=None)
    assert file.read_bytes() == before.replace(f"- Likes tea{end}".encode(), b"")
    page.write(text, based_on=None)
    assert file.read_bytes() == before


def test_pages_are_of_whole_lines_and_stay_where_they_are_while_the_log_grows(paths: WorkspacePaths) -> None:
    line = "[2026-04-03 00:02] " + "Likes tea. " * 90 + "\n"
    long = "x" * 3 * PAGE_BYTES + "\n"
    data = (line * 150 + long + line * 10).encode()
    paths.history_file.write_bytes(data)
    names = [page_path(HISTORY_PATH, number) for number in range(page_count(len(data)))]
    texts = [LogPage(paths, name).read().text for name in names]
    assert "".join(texts) == data.decode()
    assert all(text.endswith("\n") for text in texts if text)
    assert "" in texts, "a line is longer than a page"
    for number, (name, text) in enumerate(zip(names, texts, strict=True)):
        assert text_of_page(name, data[page_of_bytes(data, number)]) == text
    with paths.history_file.open("ab") as log:
        log.write(line.encode() * 100)
    assert [LogPage(paths, name).read().text for name in names[:-1]] == texts[:-1]
    second = LogPage(paths, names[1])
    second.write(second.read().text.replace(line, "", 1), based_on=None)
    assert paths.history_file.read_bytes() == (line * 149 + long + line * 110).encode()
    assert page_count(0) == 1


def test_all_bytes_of_a_log_are_told_as_a_text_of_one_page_would_make_them(paths: WorkspacePaths) -> None:
    file, data = journal(paths), paths.history_jsonl.read_bytes()
    before, after = file.logs_with(file.read().text.replace("Rainy\n", ""))
    assert (before, paths.history_jsonl.read_bytes()) == (data, data)
    file.write(file.read().text.replace("Rainy\n", ""), based_on=None)
    assert paths.history_jsonl.read_bytes() == after
    paths.history_jsonl.unlink()
    assert file.logs_with("") == (b"", b"")

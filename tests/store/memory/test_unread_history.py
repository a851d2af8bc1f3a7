"""What Dream has not read of history.jsonl is a text: a line of it goes and comes back, without any entry doing so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.memory.memory_file import MemoryMoved
from mnemoscope.store.memory.unread_history import UnreadHistory
from mnemoscope.store.workspace.paths import WorkspacePaths

FIRST = "Said hello"
SECOND = "- [durable] Likes tea\n- [durable] Has a cat"


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


def test_entries_that_wait_stand_under_their_numbers(paths: WorkspacePaths) -> None:
    (paths.memory_dir / ".dream_cursor").write_text("1")
    text = f"## 2 · 2026-04-03 00:02\n{SECOND}\n## 3 · 2026-04-03 00:02\nRainy\n"
    assert UnreadHistory(paths).read().text == text
    paths.history_jsonl.unlink()
    assert not UnreadHistory(paths).read().exists


def test_a_line_goes_and_comes_back_and_everything_else_stays_as_it_was(paths: WorkspacePaths) -> None:
    file, before = UnreadHistory(paths), contents(paths)
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


def test_what_another_program_adds_at_the_same_moment_stays(paths: WorkspacePaths) -> None:
    class AddsOnce(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            if '"cursor": 4' not in paths.history_jsonl.read_text("utf-8"):
                with paths.history_jsonl.open("a", encoding="utf-8") as log:
                    log.write(entry(4, "Came at the same moment"))
            return super().exchange(one, other)

    file = UnreadHistory(paths, calls=AddsOnce())
    file.write(file.read().text.replace("Rainy\n", ""), based_on=None)
    assert contents(paths) == [FIRST, "no entry", SECOND, "[…]", "Came at the same moment"]


def test_what_was_read_in_part_what_has_the_number_of_another_and_what_reads_like_a_heading_is_left_out(
    paths: WorkspacePaths,
) -> None:
    with paths.history_jsonl.open("a", encoding="utf-8") as log:
        log.write(entry(3, "Sunny") + entry(4, "## 1 · is how it begins") + entry(5, "Long"))
    paths.own.folder.mkdir()
    paths.own.dream_place.write_text(json.dumps({"parts": [[5, 2]]}), "utf-8")
    assert [line[:4] for line in UnreadHistory(paths).read().text.split("\n") if line.startswith("##")] == [
        "## 1",
        "## 2",
    ]
    paths.own.dream_place.write_text("{", "utf-8")
    assert "## 5" in UnreadHistory(paths).read().text

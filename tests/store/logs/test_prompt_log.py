"""What was sent is kept exactly, each text once, within bounds; what is damaged costs only itself."""

import base64
import json
import os
import random
import zlib
from pathlib import Path

import pytest

from mnemoscope.domain.context.prompt_snapshot import ALTERED, UNCHECKED
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.forgetting.place_formats import PromptLines
from mnemoscope.store.logs.prompt_log import PromptLog, decode_request, encode_request, text_hash
from mnemoscope.store.workspace.paths import WorkspacePaths


def add(log: PromptLog, number: int, *texts: str, key: str = "desktop:a") -> None:
    named = {text_hash(text): text for text in texts}
    log.append(key, {"number": number, "texts": list(named)}, named)


def read(log: PromptLog, key: str = "desktop:a") -> list[list[str]]:
    kept = log.read(key)
    return [[kept.texts[name] for name in record["texts"]] for record in kept.records]


def test_requests_come_back_in_order_with_every_text_written_once(tmp_path: Path) -> None:
    log = PromptLog(tmp_path / "prompts")
    assert log.read("desktop:a").records == ()
    long = "".join(map(chr, random.Random(1).choices(range(0x4E00, 0x9FFF), k=4_000)))
    add(log, 1, long, "one")
    (file,) = (tmp_path / "prompts").iterdir()
    size = file.stat().st_size
    add(log, 2, long, "two \ud800")
    add(PromptLog(tmp_path / "prompts"), 3, long, "three")
    assert read(log) == [[long, "one"], [long, "two \ud800"], [long, "three"]]
    assert file.stat().st_size < size + 1_000


def test_a_text_that_was_not_used_for_long_is_written_once_more_and_read_as_before(tmp_path: Path) -> None:
    log = PromptLog(tmp_path)
    many = [f"other {number}" for number in range(600)]
    add(log, 1, "at first", "always")
    for number, text in enumerate(many, 2):
        add(log, number, "always", text)
    add(log, 602, "always", "at first")
    add(log, 603, *many)
    add(log, 604, *many)
    (file,) = tmp_path.iterdir()
    written = [json.loads(zlib.decompress(base64.b64decode(line)))["texts"] for line in file.read_bytes().split()]
    assert [len(each) for each in written[:-2]] == [2, *[1] * 600, 1]
    assert 0 < len(written[-2]) < len(many), "what was used last is still known"
    assert written[-1] == {}, "of a request however long every text is known to the next"
    assert read(log)[-2:] == [many, many]
    assert read(log)[0] == ["at first", "always"]


def test_conversations_are_kept_apart_and_forgotten_apart(tmp_path: Path) -> None:
    log = PromptLog(tmp_path, most_bytes=10)
    for number in range(2):
        add(log, number, "a")
    add(log, 2, "b", key="desktop:b")
    log.forget("desktop:a")
    log.forget("desktop:a")
    assert log.read("desktop:a").records == ()
    assert read(log, "desktop:b") == [["b"]]
    add(log, 3, "a")
    assert read(log) == [["a"]]


def test_a_file_that_is_long_is_put_aside_and_the_next_stands_by_itself(tmp_path: Path) -> None:
    log = PromptLog(tmp_path, most_bytes=10)
    for number in range(4):
        add(log, number, "same")
    assert [record["number"] for record in log.read("desktop:a").records] == [2, 3]
    assert read(log) == [["same"], ["same"]]


def test_of_many_conversations_the_oldest_are_dropped(tmp_path: Path) -> None:
    log = PromptLog(tmp_path, most_files=2)
    for number, key in enumerate("abc"):
        add(log, number, key, key=key)
        os.utime(tmp_path / f"{text_hash(key)}.log", (number, number))
    assert [bool(log.read(key).records) for key in "abc"] == [False, True, True]


class NoRemoval(FileCalls):
    def unlink(self, path: str) -> None:
        raise PermissionError(13, "refused", path)


def test_one_that_cannot_be_dropped_keeps_nothing_else_from_being_kept(tmp_path: Path) -> None:
    log = PromptLog(tmp_path, most_files=1, calls=NoRemoval())
    add(log, 1, "a", key="a")
    add(log, 2, "b", key="b")
    assert read(log, "b") == [["b"]]


def test_what_is_kept_beside_a_conversation_has_folders_of_its_own(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    folders = {paths.own.prompts_dir, paths.own.tool_results_dir, paths.own.compactions_dir}
    assert len(folders) == 3
    assert all(folder.parent == paths.own.folder for folder in folders)


DAMAGED = (
    b"\xff\xfe",
    b"bm90IHppcA==",
    base64.b64encode(zlib.compress(b"[1]")),
    base64.b64encode(zlib.compress(b"{}")),
    base64.b64encode(zlib.compress(b'{"record": 1, "texts": {}}')),
    base64.b64encode(zlib.compress(b'{"record": {}, "texts": []}')),
    base64.b64encode(zlib.compress(b"[" * 100_000)),
)


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_line_costs_only_itself(tmp_path: Path, line: bytes) -> None:
    log = PromptLog(tmp_path)
    add(log, 1, "one")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + line)
    add(PromptLog(tmp_path), 2, "two")
    assert read(log) == [["one"], ["two"]]


def test_a_text_that_is_none_is_left_out(tmp_path: Path) -> None:
    log = PromptLog(tmp_path)
    add(log, 1, "one")
    (file,) = tmp_path.iterdir()
    odd = json.dumps({"record": {"number": 2}, "texts": {"x": 1}}).encode()
    file.write_bytes(file.read_bytes() + base64.b64encode(zlib.compress(odd)) + b"\n")
    kept = log.read("desktop:a")
    assert len(kept.records) == 2
    assert list(kept.texts.values()) == ["one"]


def test_the_newest_texts_are_those_of_each_conversations_newest_request_that_brought_some(tmp_path: Path) -> None:
    log = PromptLog(tmp_path)
    assert list(log.newest_texts()) == []
    add(log, 1, "one", "two")
    add(log, 2, "one", "three")
    add(log, 3, "one", "three")
    add(log, 4, "else", key="desktop:b")
    assert sorted(sorted(texts) for _, texts in log.newest_texts()) == [["else"], ["three"]]


def test_a_text_that_was_changed_from_outside_is_not_given_out_as_the_one_that_was_sent(tmp_path: Path) -> None:
    log = PromptLog(tmp_path)
    name = text_hash("Plays the piano")
    log.append("desktop:a", {"n": 0, "texts": [name]}, {name: "Plays the piano"})
    (file,) = tmp_path.glob("*.log")
    file.write_bytes(encode_request({"record": {"n": 0, "texts": [name]}, "texts": {name: "Plays the tuba"}}))
    assert log.read("desktop:a").texts == {}
    PromptLog(tmp_path).append("desktop:a", {"n": 1, "texts": [name]}, {name: "Plays the piano"})
    assert PromptLog(tmp_path).read("desktop:a").texts == {name: "Plays the piano"}


def test_a_record_that_was_changed_from_outside_is_known_and_stays_so_when_words_are_taken_out(tmp_path: Path) -> None:
    log = PromptLog(tmp_path)
    for number in range(4):
        words = f"Plays the piano {number}"
        record = {"model": "one", "when": 0.1, "of": Path("a"), "texts": (text_hash(words),), "said": "\ud800 piano"}
        log.append("desktop:a", record, {text_hash(words): words})
    assert log.read("desktop:a").doubts == {}
    (file,) = tmp_path.glob("*.log")
    lines = file.read_bytes().split()
    changed, old = (decode_request(lines[place]) for place in (1, 2))
    assert changed is not None
    assert old is not None
    lines[1] = encode_request({**changed._asdict(), "record": {**changed.record, "model": "another"}}).strip()
    # As an earlier version wrote it: nothing is known of it, which is said.
    lines[2] = base64.b64encode(zlib.compress(json.dumps({"record": old.record, "texts": dict(old.texts)}).encode()))
    file.write_bytes(b"\n".join(lines) + b"\n")
    assert log.read("desktop:a").doubts == {1: ALTERED, 2: UNCHECKED}
    file.write_bytes(PromptLines().without(file.read_bytes(), ForgottenText.of("Plays the piano 2", "piano")))
    kept = log.read("desktop:a")
    assert "piano" not in str(kept)
    assert kept.doubts == {1: ALTERED, 2: UNCHECKED}
    assert [bool(each.check) for each in map(decode_request, file.read_bytes().split()) if each] == [1, 1, 0, 1]

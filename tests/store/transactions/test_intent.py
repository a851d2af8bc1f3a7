"""An intent is followed only where it is one: JSON with a right checksum may still be anything."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.transactions.intent import (
    Intent,
    Move,
    NewFile,
    RecordChange,
    SetFile,
    TextEdit,
    decode_intent,
    encode_intent,
    text_edits,
)

INTENT = Intent.of_kind(
    "new",
    workspace_id="w",
    when="2026-01-01T10:00:00",
    moves=(Move("sessions/a.jsonl", "sessions/archive/a.jsonl", 4, "ab"),),
    begins=(NewFile("sessions/a.jsonl", "{}\n"),),
    edits=(TextEdit("memory/MEMORY.md", "a", "b", "c"),),
    sets=(SetFile("memory/.dream_cursor", "", "1"),),
    settles=("abc1",),
    records=(RecordChange("cli:direct", "sessions/a.jsonl", 3, "{}", '{"_deleted": {}}'),),
    undoes="abc2",
    history_path="memory/history.jsonl",
)


def sealed(document: dict[str, Any]) -> bytes:
    line = json.dumps(document).encode()
    return line + b"\n" + digest_of(line).encode() + b"\n"


def test_its_edits_are_those_of_all_memory_files() -> None:
    assert text_edits(INTENT) == INTENT.edits
    with_memory = replace(INTENT, memory_before="d", memory_before_version="e", memory_after="f")
    assert text_edits(with_memory) == (TextEdit("memory/MEMORY.md", "d", "e", "f"), *INTENT.edits)


def test_what_is_written_is_read_again() -> None:
    assert decode_intent(encode_intent(INTENT)) == INTENT


@pytest.mark.parametrize("name", sorted(asdict(INTENT)))
@pytest.mark.parametrize("wrong", [7.5, {"a": 1}, [None], [[]], [{"path": 1, "text": 2}]])
def test_a_field_of_another_type_makes_it_none(name: str, wrong: object) -> None:
    assert decode_intent(sealed({"format": 1, **asdict(INTENT), name: wrong})) is None


@pytest.mark.parametrize("path", ["../x", "/etc/x", "memory/../../x", "", ".", "C:x", "a\\..\\b", "a\0b"])
def test_no_step_leads_out_of_the_workspace(path: str) -> None:
    for changed in (
        replace(INTENT, moves=(Move(path, "sessions/b.jsonl", 1, ""),)),
        replace(INTENT, moves=(Move("sessions/b.jsonl", path, 1, ""),)),
        replace(INTENT, begins=(NewFile(path, ""),)),
        replace(INTENT, edits=(TextEdit(path, "", "", ""),)),
        replace(INTENT, sets=(SetFile(path, "", ""),)),
        replace(INTENT, records=(RecordChange("k", path, 0, "", ""),)),
        *([replace(INTENT, history_path=path)] if path else []),
    ):
        assert decode_intent(encode_intent(changed)) is None


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a" * 65])
def test_a_name_that_becomes_a_file_is_a_plain_one(name: str) -> None:
    assert decode_intent(encode_intent(replace(INTENT, id=name))) is None
    assert decode_intent(encode_intent(replace(INTENT, settles=(name,)))) is None
    if name:
        assert decode_intent(encode_intent(replace(INTENT, undoes=name))) is None


def test_a_name_in_nanobots_folder_leads_nowhere_else() -> None:
    theirs = RecordChange("k", "a.jsonl", 0, "", "", in_home=True)
    kept = replace(INTENT, records=(theirs,))
    assert decode_intent(encode_intent(kept)) == kept
    assert decode_intent(encode_intent(replace(INTENT, records=(replace(theirs, path="b/a.jsonl"),)))) is None


@pytest.mark.parametrize("line", [b"[", b"[1]", b"{}", b'{"moves": [{"x": 1}]}'])
def test_a_whole_line_that_is_no_intent_is_none(line: bytes) -> None:
    assert decode_intent(line + b"\n" + digest_of(line).encode() + b"\n") is None

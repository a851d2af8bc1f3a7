"""Lines of JSON are found in one pass, read by their place, followed as the file grows, and read from the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.reading.json_lines import JsonLines, holds_any, lenient_decoder, newest_lines


def lines_of(path: Path, data: bytes, **options: int) -> tuple[JsonLines[dict[str, Any]], list[dict[str, Any] | None]]:
    path.write_bytes(data)
    lines = JsonLines(path, decode_object, **options)
    return lines, [entry for _, entry in lines.read()]


def test_each_line_is_read_once_and_again_by_its_place(tmp_path: Path) -> None:
    lines, entries = lines_of(tmp_path / "a.jsonl", b'\xef\xbb\xbf{"n": 0}\n\n{"n": 1}\r\n  \n{"n": "\xc3\xbc"}\n')
    assert entries == [{"n": 0}, {"n": 1}, {"n": "ü"}]
    assert [lines.record(place) for place in range(len(lines))] == entries
    assert (lines.number, lines.damage, lines.unfinished) == (5, [], 0)


def test_there_is_no_record_beyond_the_last(tmp_path: Path) -> None:
    lines, _ = lines_of(tmp_path / "a.jsonl", b'{"n": 0}\n')
    for place in (-1, 1):
        with pytest.raises(IndexError):
            lines.line(place)


def test_damage_costs_its_line_and_says_which(tmp_path: Path) -> None:
    data = b'{"n": 0}\n{"n": \n\xff\xfe\n[1]\n{"n": "\xc3"}\n{"n": 1}\n'
    lines, entries = lines_of(tmp_path / "a.jsonl", data)
    assert entries == [{"n": 0}, None, None, None, None, {"n": 1}]
    assert lines.damage == [
        "Line 2 is no valid JSON.",
        "Line 3 is not valid UTF-8.",
        "Line 4 is no JSON object.",
        "Line 5 is not valid UTF-8.",
    ]


def test_a_last_line_without_its_end_is_left_for_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines, entries = lines_of(path, b'{"n": 0}\n{"n": ')
    assert (entries, lines.damage, lines.unfinished) == ([{"n": 0}], [], 6)
    with path.open("ab") as file:
        file.write(b'1}\n{"n": 2}')
    assert lines.continues()
    assert list(lines.read()) == [(1, {"n": 1}), (2, {"n": 2})]
    assert (lines.unfinished, lines.number) == (0, 3)
    with path.open("ab") as file:
        file.write(b'\n{"n": 3}\n')
    assert list(lines.read()) == [(3, {"n": 3})]
    assert [lines.record(place)["n"] for place in range(4)] == [0, 1, 2, 3]


def test_nothing_new_is_nothing_read(tmp_path: Path) -> None:
    lines, _ = lines_of(tmp_path / "a.jsonl", b'{"n": 0}\n')
    assert list(lines.read()) == []
    assert lines.continues()


def test_a_file_that_was_replaced_cut_or_rewritten_does_not_continue(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines, _ = lines_of(path, b'{"n": 0}\n{"n": 1}\n')
    path.write_bytes(b'{"n": 0}\n')
    assert not lines.continues()
    path.write_bytes(b'{"n": 0}\n{"n": 2}\n{"n": 3}\n')
    assert not lines.continues()
    path.unlink()
    assert not lines.continues()


def test_a_record_that_is_gone_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines, _ = lines_of(path, b'{"n": 0}\n{"n": 1}\n')
    path.write_bytes(b'{"n": 0}\n')
    with pytest.raises(RecordDamaged, match="not where it was"):
        lines.line(1)
    path.write_bytes(b'{"other": 0}\n{"n": 1}\n')
    with pytest.raises(RecordDamaged, match="not where it was"):
        lines.line(1)
    path.unlink()
    with pytest.raises(RecordDamaged, match="cannot be read any more"):
        lines.line(0)


def test_a_file_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        list(JsonLines(tmp_path / "none", decode_object).read())


def test_a_line_beyond_measure_is_damage_and_the_rest_is_read(tmp_path: Path) -> None:
    long = json.dumps({"n": "x" * 100}).encode()
    lines, entries = lines_of(tmp_path / "a.jsonl", b'{"n": 0}\n' + long + b'\n{"n": 1}\n', longest=30)
    assert entries == [{"n": 0}, None, {"n": 1}]
    assert lines.damage == ["Line 2 is longer than 30 bytes."]
    assert lines.record(2) == {"n": 1}


def test_a_line_beyond_measure_at_the_end_is_not_whole(tmp_path: Path) -> None:
    lines, entries = lines_of(tmp_path / "a.jsonl", b'{"n": "' + b"x" * 100 + b'"}', longest=30)
    assert (entries, lines.unfinished) == ([], 109)


def test_a_line_of_ten_megabytes_is_a_line(tmp_path: Path) -> None:
    lines, entries = lines_of(tmp_path / "a.jsonl", json.dumps({"n": "x" * (10 << 20)}).encode() + b'\n{"n": 1}\n')
    assert (len(entries), lines.damage, lines.record(1)) == (2, [], {"n": 1})


def test_a_line_may_have_several_places(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n": 0}\n{"n": 1}\n')
    lines = JsonLines(path, decode_object)
    places = [(place, lines.repeat() if place == 0 else None) for place, _ in lines.read()]
    assert places == [(0, 1), (2, None)]
    assert [lines.record(place)["n"] for place in range(3)] == [0, 0, 1]
    assert [lines.first_place(place) for place in range(3)] == [0, 0, 2]


def test_the_newest_lines_are_read_from_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n": 0}\n{"n": 1}\n\n{"n": 2}\n{"n":')
    assert newest_lines(path, 20) == ([b'{"n": 2}'], False)
    assert newest_lines(path, 1000) == ([b'{"n": 0}', b'{"n": 1}', b'{"n": 2}'], True)
    path.write_bytes(b'{"n": 0}\n{"n": 1}')
    assert newest_lines(path, 12) == ([b'{"n": 1}'], False)


class Inner(msgspec.Struct, frozen=True):
    text: str = ""


class Outer(msgspec.Struct, rename={"given": "class"}):
    given: str = ""
    count: int = 0
    inner: Inner | None = None
    content: str | list[Inner] = ""
    plain: Inner = Inner()


def test_a_sound_record_is_taken_as_it_is() -> None:
    line = b'{"class": "a", "count": 2, "other": {"deep": []}, "inner": {"text": "b"}, "content": [{"text": "c"}]}'
    assert lenient_decoder(Outer)(line) == Outer("a", 2, Inner("b"), [Inner("c")])


def test_a_wrong_type_costs_its_field_alone() -> None:
    line = b'{"class": 1, "count": 2, "inner": "x", "content": [{"text": 1}, 5, {"text": "c"}], "plain": []}'
    assert lenient_decoder(Outer)(line) == Outer("", 2, None, [Inner(), Inner("c")])
    assert lenient_decoder(Outer)(b'{"class": 1, "content": "text", "inner": null}') == Outer(content="text")


def test_no_object_is_no_record() -> None:
    with pytest.raises(RecordDamaged):
        lenient_decoder(Outer)(b"[]")


PIECES = st.one_of(st.binary(max_size=20), st.sampled_from([b'{"a": 1}', b"{}", b'{"a": "\xc3\xa4"}', b""]))


@given(parts=st.lists(PIECES))
def test_whatever_the_bytes_are_every_line_is_read_or_told(
    parts: list[bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    lines, entries = lines_of(path, b"\n".join(parts))
    assert len(entries) == len(lines) == len(lines.lengths)
    assert len(lines.damage) == entries.count(None)
    for place, entry in enumerate(entries):
        if entry is not None:
            assert lines.record(place) == entry


@pytest.mark.parametrize("before", [0, 7, (1 << 18) - 3, (1 << 18) - 1, 1 << 18, (1 << 20) + 5])
def test_a_word_is_found_wherever_it_stands_in_a_file(tmp_path: Path, before: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * before + b"mark" + b"y" * 40)
    assert holds_any(path, (b"other words", b"mark"))
    assert not holds_any(path, (b"marks", b"Mark"))


def test_a_file_that_is_gone_holds_nothing_that_could_be_told(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert not holds_any(tmp_path / "empty.jsonl", (b"mark",))
    with pytest.raises(UnreadableFile):
        holds_any(tmp_path / "gone.jsonl", (b"mark",))

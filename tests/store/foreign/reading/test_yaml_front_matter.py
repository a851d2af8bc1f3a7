"""The fields at the top of a note are read as plain values; what would cost or do more is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.store.foreign.reading.yaml_front_matter import read_front_matter


def test_fields_and_body() -> None:
    read = read_front_matter("---\ntitle: A\ntags: [a, b]\n7: x\nwhen: 2026-10-05\n---\n# A\n---\nb\n")
    assert (read.text("title"), read.text("tags"), read.text("none"), read.fields["tags"]) == ("A", "", "", ["a", "b"])
    assert read.fields["7"] == "x"
    assert (read.body, read.fault) == ("# A\n---\nb\n", "")


@pytest.mark.parametrize("text", ["", "# A\n", "---\nno end\n", " ---\na: 1\n---\n", "----\na: 1\n----\n"])
def test_without_fields_all_of_it_is_body(text: str) -> None:
    read = read_front_matter(text)
    assert (read.fields, read.body, read.fault) == ({}, text, "")


@pytest.mark.parametrize(
    ("yaml", "fault"),
    [
        ("a: &x [1]\nb: *x\n", "no plain YAML"),
        ("a: !!python/object/apply:os.system [ls]\n", "no plain YAML"),
        ("a: [\n", "no plain YAML"),
        ("when: 2026-13-45\n", "no plain YAML"),
        ("? [a]\n: b\n", "no plain YAML"),
        ("[" * 200 + "]" * 200 + "\n", "no plain YAML"),
        ("- a\n- b\n", "no list of fields"),
        ("a: " + "x" * 70_000 + "\n", "too long"),
        ("a: \x00\n", "no plain YAML"),
    ],
)
def test_what_is_refused_leaves_the_body(yaml: str, fault: str) -> None:
    read = read_front_matter(f"---\n{yaml}---\nbody\n")
    assert fault in read.fault
    assert (read.fields, read.body) == ({}, "body\n")


def test_empty_fields_are_none() -> None:
    assert read_front_matter("---\n---\nbody").body == "body"
    assert read_front_matter("---\n# a comment\n...\nbody").fields == {}


@given(st.text(alphabet="-:&*![]{}'\"|>%@` \nab0.\ud800", max_size=80))
def test_no_text_makes_it_fail(text: str) -> None:
    read_front_matter(f"---\n{text}\n---\nbody")

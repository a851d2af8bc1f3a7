"""Lines stay lines: whatever is captured, the files it is written to keep their structure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.capture.captured_line import (
    escaped_capture,
    is_struck,
    memory_line,
    read_line,
    standing_line,
    state_line,
    struck_line,
    without_struck,
    words_of_line,
)
from mnemoscope.domain.capture.file_changes import SECTION, with_captures, with_memory_lines, with_state_lines
from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.store.capture.rule_files import default_rules

RULES = default_rules()
WHEN = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)
FORGED = st.text(
    st.sampled_from("ab \n\r\u2028\u2029\u0085\v\f\x1c\x00*_`~#[]()<>|\\-+!:.1\u200b\u202e我") | st.characters(),
    max_size=80,
)
(NAME,) = captures_in("My name is Sardor", RULES)


def test_lines_have_the_formats_of_qanot() -> None:
    assert state_line(NAME, WHEN) == "- [2025-01-15T10:30:00+00:00] **proper_noun**: My name is Sardor"
    assert state_line(NAME, WHEN, "7") == "- [2025-01-15T10:30:00+00:00] [user:7] **proper_noun**: My name is Sardor"
    assert memory_line(NAME) == "- **proper_noun**: My name is Sardor"
    assert memory_line(NAME, "7") == "- **proper_noun**: [user:7] My name is Sardor"


@pytest.mark.parametrize("line", [state_line(NAME, WHEN, "7"), memory_line(NAME, "7")])
def test_a_line_is_read_back(line: str) -> None:
    kept = read_line(line)
    assert kept is not None
    assert (kept.text, kept.category, kept.user) == ("My name is Sardor", "proper_noun", "7")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("- **remember**: The rent is 980 euros", "The rent is 980 euros"),
        ("* Kiln is serviced every March", "Kiln is serviced every March"),
        ("# Kiln", "# Kiln"),
    ],
)
def test_in_a_list_a_captured_line_stands_without_its_category(line: str, words: str) -> None:
    assert words_of_line(line) == words


def test_a_bare_value_is_written_with_its_sentence() -> None:
    (found,) = captures_in("The deadline is 2025-06-15.", RULES)
    assert memory_line(found) == "- **specific_value**: The deadline is 2025-06-15."


def test_keys_are_masked() -> None:
    key = "ghp_" + "a1B2" * 9
    assert key not in state_line(replace(NAME, text=f"use {key}"), WHEN)
    assert "swordfish" not in state_line(replace(NAME, text="it is swordfish-12"), WHEN, known=["swordfish-12"])


@given(FORGED, FORGED)
def test_no_text_forges_a_line_a_tag_or_emphasis(text: str, user: str) -> None:
    capture = replace(NAME, text=text, fact=text)
    for line in (state_line(capture, WHEN, user), memory_line(capture, user)):
        assert len(line.splitlines()) == 1
        assert line.count("**") - line.count("\\**") == 2
        words = line.split("**: ", 1)[1]
        tag = re.match(r"\[user:[\w.@+-]{1,64}\] ", words)
        words = words[tag.end() :] if tag else words
        assert not re.search(r"(?<!\\)(?:\\\\)*[*`\[\]<]", words)
        assert "~~" not in words
        kept = read_line(line)
        assert kept is not None
        assert kept.category == "proper_noun"


@given(FORGED)
def test_an_escaped_text_is_short_and_reads_back(text: str) -> None:
    kept = read_line(f"- **remember**: {escaped_capture(text)}")
    assert kept is not None
    assert len(kept.text) <= 300


@given(
    FORGED,
    st.sampled_from(
        ["", "# Mine\n\n- a", "# M\n\n## Auto-captured\n\n- b\n\n## Later\n\n- c\n", "x\r\n## Auto-captured"]
    ),
)
def test_the_structure_of_both_files_never_changes(text: str, before: str) -> None:
    capture = replace(NAME, text=text, fact=text)
    after = with_memory_lines(before, [memory_line(capture)])
    rows = before.split("\n")
    heads = [row for row in after.split("\n") if row.startswith("#")]
    allowed = [row for row in rows if row.startswith("#")]
    assert [row for row in heads if row in allowed] == allowed
    assert set(heads) - set(allowed) <= {"# MEMORY.md - Long-Term Memory", SECTION}
    assert [row for row in rows if row] == [row for row in after.split("\n") if row in rows and row]
    state = with_state_lines(before, [state_line(capture, WHEN)])
    assert state.count("\n- [2025") + state.startswith("- [2025") == 1


def test_captures_go_into_their_section_wherever_it_stands() -> None:
    before = "# M\n\n## Auto-captured\n\n- **preference**: I prefer tea\n\n## Later\n\n- mine\n"
    after = with_memory_lines(before, ["- **proper_noun**: My name is Ann"])
    assert after == (
        "# M\n\n## Auto-captured\n\n- **preference**: I prefer tea\n- **proper_noun**: My name is Ann\n\n"
        "## Later\n\n- mine\n"
    )


def test_a_new_memory_begins_as_the_peer_begins_it() -> None:
    assert with_memory_lines("", ["- **preference**: I prefer tea"]) == (
        "# MEMORY.md - Long-Term Memory\n\n## Auto-captured\n\n- **preference**: I prefer tea\n"
    )


def test_a_struck_task_keeps_its_box_before_the_struck_words() -> None:
    struck = struck_line("- [ ] Order clay", date(2026, 11, 22))
    assert struck == "- [ ] ~~Order clay~~ (until 2026-11-22)"
    assert is_struck(struck)
    assert standing_line(struck) == "- [ ] Order clay"
    # As they were written before.
    assert standing_line("- ~~[ ] Order clay~~ (until 2026-11-22)") == "- [ ] Order clay"


def test_a_struck_line_is_readable_and_out_of_the_prompt() -> None:
    struck = struck_line("- The server is in Paris", date(2026, 11, 22))
    assert struck == "- ~~The server is in Paris~~ (until 2026-11-22)"
    assert is_struck(struck)
    assert without_struck(f"# M\n{struck}\n- b") == "# M\n- b"


def test_files_after_a_message() -> None:
    memory = "# M\n\n- The server is in Paris\n"
    captures = captures_in("No, the server is in Berlin, not Paris. I prefer tea. The deadline is 2025-06-15.", RULES)
    after = with_captures(captures, "", memory, WHEN, RULES)
    assert after.memory == (
        "# M\n\n- ~~The server is in Paris~~ (until 2025-01-15)\n\n## Auto-captured\n\n"
        "- **correction**: the server is in Berlin\n- **preference**: I prefer tea\n"
    )
    assert [read_line(line).category for line in after.state_lines if read_line(line)] == [  # type: ignore[union-attr]
        "correction",
        "preference",
        "specific_value",
    ]
    again = with_captures(captures_in("I really prefer tea!", RULES), after.state, after.memory, WHEN, RULES)
    assert (again.state, again.memory) == (after.state, after.memory)
    assert [each.reason for each in again.refused] == ["duplicate of - **preference**: I prefer tea"]


@pytest.mark.parametrize(
    "text",
    [
        "I work for Acme, based in London.",
        "I work for Shell; based in London, it sells oil.",
        "I work for Siemens, living in Leeds is fun.",
        "我在华为工作，搬到东莞了。",
    ],
)
def test_where_a_company_is_does_not_strike_where_the_person_lives(text: str) -> None:
    memory = "# M\n\n- **proper_noun**: I live in Paris\n"
    after = with_captures(captures_in(text, RULES), "", memory, WHEN, RULES)
    assert after.memory.startswith(memory.rstrip("\n"))

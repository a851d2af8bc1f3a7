"""One writer and one parser for the entries of HISTORY.md: what models answer, and what it becomes in the file."""

from datetime import datetime

import pytest

from mnemoscope.domain.memory.history_entries import (
    HistoryLog,
    dated_entry,
    entry_time,
    message_time,
    parse_history,
    split_date,
)

NOW = datetime(2026, 6, 1, 12, 0)
TIMES = ("2026-03-15 09:40", "2026-03-15 10:00", "2026-03-16 18:30")


@pytest.mark.parametrize(
    "given",
    [
        "[2026-03-15 10:00] They talked.",
        "**[2026-03-15 10:00]** They talked.",
        "**[2026-03-15 10:00]:** They talked.",
        "**2026-03-15 10:00:** They talked.",
        "__[2026-03-15 10:00]__ They talked.",
        "`[2026-03-15 10:00]` They talked.",
        "[2026-03-15T10:00] They talked.",
        "[2026-03-15T10:00:59Z] They talked.",
        "[2026-03-15, 10:00 UTC] They talked.",
        "[2026/03/15 10:00] They talked.",
        "(2026-03-15 10:00) They talked.",
        "## [2026-03-15 10:00]\nThey talked.",
        "- [2026-03-15 10:00] - They talked.",
        "2026-03-15 10:00: They talked.",
        "2026-03-15T10:00:00Z — They talked.",
        "\n  [ 2026-03-15 10:00 ]\n\nThey talked.\n",
    ],
)
def test_a_date_in_any_form_is_recognised_and_written_in_one(given: str) -> None:
    assert dated_entry(given, TIMES, NOW) == "[2026-03-15 10:00] They talked."


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("They talked.", "[2026-03-16 18:30] They talked."),
        ("[2026-03-15] They talked.", "[2026-03-15 10:00] They talked."),
        ("[2024-01-01 00:00] They talked.", "[2026-03-16 18:30] They talked."),
        ("[2026-03-17 09:00] They talked.", "[2026-03-16 18:30] They talked."),
        ("[2026-03-15 25:99] They talked.", "[2026-03-15 10:00] They talked."),
        ("[2026-02-31 10:00] They talked.", "[2026-03-16 18:30] [2026-02-31 10:00] They talked."),
        ("On 2026-03-15 they talked.", "[2026-03-16 18:30] On 2026-03-15 they talked."),
        ("2026-03-15 was the day.", "[2026-03-16 18:30] 2026-03-15 was the day."),
        ("[2026-03-15 10:00 | Rust] They talked.", "[2026-03-15 10:00] (Rust) They talked."),
        ("**[2026-03-15 10:00] Rust** was new.", "[2026-03-15 10:00] **Rust** was new."),
        ("One.\n\nTwo.", "[2026-03-16 18:30] One.\n\nTwo."),
        (
            "[RAW] 2 messages\n[2026-03-15 10:00] USER: hi",
            "[2026-03-16 18:30] [RAW] 2 messages\n[2026-03-15 10:00] USER: hi",
        ),
        ("[2026-03-15 10:00]", ""),
        ("", ""),
    ],
)
def test_the_date_of_a_model_is_a_hint(given: str, written: str) -> None:
    assert dated_entry(given, TIMES, NOW) == written
    assert len(parse_history(f"{written}\n\n")) == bool(written)


def test_messages_without_times_leave_the_hint_and_else_the_present() -> None:
    assert dated_entry("[2026-03-15 10:00] Talked.", ("", ""), NOW) == "[2026-03-15 10:00] Talked."
    assert dated_entry("Talked.", (), NOW) == "[2026-06-01 12:00] Talked."


def test_the_time_of_a_message_is_its_minute() -> None:
    assert message_time("2026-03-15T10:00:59.123456") == "2026-03-15 10:00"
    assert message_time("2026-03-15T10:00:59+05:00") == "2026-03-15 10:00"
    assert message_time("soon") == message_time(None) == message_time(5) == ""


def test_a_date_in_bold_begins_an_entry() -> None:
    log = "[2026-03-14 10:00] One.\n\n**[2026-03-15 10:00]** Two.\n\nIts own.\n\n## [2026-03-16T09:30] Three.\n\n"
    entries = parse_history(log)
    assert [entry.when for entry in entries] == ["2026-03-14 10:00", "2026-03-15 10:00", "2026-03-16 09:30"]
    assert entries[1].text == "**[2026-03-15 10:00]** Two.\n\nIts own."
    assert entry_time(entries[1].text) == "2026-03-15 10:00"


def test_entries_without_a_date_are_told_apart_by_their_first_lines() -> None:
    known = {b"They talked of tea.": "2026-03-15 10:00", b"They talked of cake.": "2026-03-16 10:00"}
    log = (
        "[2026-03-14 10:00] One.\n\nIts own paragraph.\n\nThey talked of tea.\nAnd of milk.\n\n"
        "They talked of cake.\r\n\r\n[2026-03-17 10:00] Four.\nThey talked of tea.\n\n"
    )
    assert [(entry.when, entry.text.partition("\n")[0]) for entry in parse_history(log, undated=known)] == [
        ("2026-03-14 10:00", "[2026-03-14 10:00] One."),
        ("2026-03-15 10:00", "They talked of tea."),
        ("2026-03-16 10:00", "They talked of cake."),
        ("2026-03-17 10:00", "[2026-03-17 10:00] Four."),
    ]
    assert len(parse_history(log)) == 2


def test_a_log_reads_what_is_asked_for() -> None:
    log = HistoryLog(b"Loose.\n\n[2026-03-14 10:00] One.\n\n[2026-03-15 10:00] Two.\n")
    day = datetime(2026, 3, 15).toordinal()
    assert [each.text for each in log.dated(day, day)] == ["[2026-03-15 10:00] Two."]
    assert log.newest(2) == ["[2026-03-14 10:00] One.", "[2026-03-15 10:00] Two."]
    assert log.newest(9)[0] == "Loose."


def test_splitting_keeps_every_word() -> None:
    assert split_date("[2026-03-15 10:00 to 11:00, Berlin] Met.") == ("2026-03-15 10:00", "(to 11:00, Berlin) Met.")
    assert split_date("**Bold** start") == ("", "**Bold** start")

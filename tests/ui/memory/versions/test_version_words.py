"""One message is called one message wherever the window names where something comes from."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.commits import FORGETTING_SUBJECT, CommitInfo
from mnemoscope.domain.dream.run import FileEdit
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.ui.dream.dream_words import edit_words
from mnemoscope.ui.history.history_words import origin_label
from mnemoscope.ui.memory.versions.origin_words import by_key, change_words, fact_counts, origin_words
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.memory.versions.version_words import brief_words, messages_words, subject_words
from mnemoscope.ui.timeline.timeline_words import entry_span

NOW = datetime(2026, 11, 22, 12)


def record(start: int, stop: int, *, inferred: bool = False) -> ConsolidationRecord:
    return ConsolidationRecord("1", "k", "", start, stop, NOW.isoformat(), "", inferred=inferred)


def commit(messages: str) -> CommitInfo:
    return CommitInfo("a" * 8, f"Consolidated\n\nMessages: {messages}\n", "2026-11-22 12:00", "Consolidation")


def not_known(_key: str, _when: str) -> str:
    return ""


@pytest.mark.parametrize("shift", [0, 12])
@pytest.mark.usefixtures("qapp")
def test_one_message_is_not_a_range(shift: int) -> None:
    start, number = shift, shift + 1
    one, three = (start, start + 1), (start, start + 3)
    origins = [MemoryOrigin("consolidation", "", "k", *span) for span in (one, three)]
    assert [origin_label(record(*span)) for span in (one, three)] == [
        f"from message {number}",
        f"from messages {number}–{number + 2}",
    ]
    assert origin_label(record(*one, inferred=True)) == f"probably from message {number}"
    assert [entry_span(record(*span), *span) for span in (one, three)] == [
        f"message {number}",
        f"messages {number}–{number + 2}",
    ]
    assert messages_words(*one, "Tea") == f"Message {number} of “Tea”"
    assert messages_words(*three, "Tea") == f"Messages {number} to {number + 2} of “Tea”"
    assert [origin_words(origin) for origin in origins] == [
        f"Consolidation of message {number} of “k”",
        f"Consolidation of messages {number} to {number + 2} of “k”",
    ]
    assert [origin_words(origin, not_known) for origin in origins] == [
        f"Consolidation of message {number}",
        f"Consolidation of messages {number} to {number + 2}",
    ]
    assert [messages_words(*span, "") for span in (one, three)] == [
        f"Message {number}",
        f"Messages {number} to {number + 2}",
    ]
    assert origin_words(MemoryOrigin("capture", "", "k", start), not_known) == f"Remembered from message {number}"
    assert brief_words(commit(f"{start}-{start + 1}"), NOW).startswith(f"message {number} · ")
    assert brief_words(commit(f"{start}-{start + 3}"), NOW).startswith(f"messages {number}–{number + 2} · ")


@pytest.mark.parametrize(
    ("added", "removed", "words"),
    [(2, 1, "+2 \u22121 facts"), (3, 0, "+3 facts"), (0, 2, "\u22122 facts"), (0, 0, "")],
)
def test_a_figure_of_a_change_says_what_it_counts(added: int, removed: int, words: str) -> None:
    change = MemoryChange("c", "", MemoryOrigin("editor", ""), "a", "b", count_added=added, count_removed=removed)
    assert fact_counts(change) == words
    assert change_words(change, by_key).endswith(words)


def test_an_edit_of_dream_says_what_it_counts() -> None:
    assert edit_words(FileEdit("memory/MEMORY.md", 2, 1)) == "MEMORY.md +2 \u22121 lines"


class Shouting(QTranslator):
    """A language in which everything is said in capitals."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, _context: str, text: str, _disambiguation: str = "", _n: int = -1) -> str:  # type: ignore[override]
        return text.upper()


def test_the_version_of_a_forgetting_says_so_in_the_window_s_language(qapp: QApplication) -> None:
    made = CommitInfo("a" * 8, f"memory/MEMORY.md: {FORGETTING_SUBJECT}\n", "2026-11-22 12:00", "You")
    language = Shouting()
    qapp.installTranslator(language)
    try:
        assert subject_words(VersionRow(made, None), by_key) == "FORGOTTEN WORDS TAKEN OUT"
    finally:
        qapp.removeTranslator(language)

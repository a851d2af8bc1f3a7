"""A place that words are taken out of is called what a person knows it by; its path is known to few."""

from __future__ import annotations

import pytest

from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.ui.forgetting.place_words import place_name


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("kind", "path", "title", "words"),
    [
        (PlaceKind.MEMORY, "memory/MEMORY.md", "", "memory/MEMORY.md"),
        (PlaceKind.INDEX, ".mnemoscope/search.db", "", "Search index itself"),
        (PlaceKind.INDEX, ".mnemoscope/search.db-wal", "", "Search index, newest entries"),
        (PlaceKind.PROMPTS, ".mnemoscope/prompts/0a1b.log", "Tea", "“Tea”"),
        (PlaceKind.PROMPTS, ".mnemoscope/prompts/0a1b.1.log", "Tea", "“Tea”, earlier prompts"),
        (
            PlaceKind.PROMPTS,
            ".mnemoscope/prompts/0a1b.log",
            "",
            "Prompts of a branch, or of a conversation that is gone",
        ),
        (PlaceKind.CHANGES, ".mnemoscope/memory-changes.jsonl", "", "Changes of MEMORY.md"),
        (PlaceKind.CHANGES, ".mnemoscope/changes/skills%2Ftea.md.jsonl", "", "Changes of skills/tea.md"),
        (PlaceKind.SUGGESTIONS, ".mnemoscope/suggestions/1.json", "", "A proposal that waits"),
        (PlaceKind.SUGGESTIONS, ".mnemoscope/suggestions/settled/1.json", "", "A decided proposal"),
        (PlaceKind.TRASH, ".mnemoscope/trash/messages/1.json", "", "Deleted messages"),
        (PlaceKind.RECORDS, ".mnemoscope/imports/1.json", "", "Record of an import"),
        (PlaceKind.RECORDS, ".mnemoscope/dream.jsonl", "", "Runs of Dream"),
        (PlaceKind.QUARANTINE, ".mnemoscope/quarantine/1.bad", "", ".mnemoscope/quarantine/1.bad"),
        (PlaceKind.TEMPORARY, "", "", "In the memory of this program alone"),
    ],
)
def test_a_place_is_called_what_a_person_knows_it_by(kind: PlaceKind, path: str, title: str, words: str) -> None:
    assert place_name(FoundPlace(kind, path, 1, title=title)) == words

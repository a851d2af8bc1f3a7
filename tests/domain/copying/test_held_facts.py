"""A line says which other stores hold the same fact: in the same words, and nothing that is only alike."""

from pathlib import Path

from mnemoscope.domain.copying.held_facts import HeldFacts
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile

CLAUDE, HERMES, NOTES = Path("/home/ada/.claude"), Path("/home/ada/.hermes"), Path("/home/ada/notes")


def held() -> HeldFacts:
    facts = HeldFacts()
    claude = ForeignMemoryFile(
        "memory/MEMORY.md", "index", "# Ada\n- Lives in Graz.\n- Python\n- Lives in Graz\n", 2, 0
    )
    hermes = ForeignMemoryFile("memories/USER.md", "user", "Likes\ntea\n§\nlives in **Graz**", 2, 0)
    notes = ForeignMemoryFile("Ada.md", "note", "- [place] Lives in Graz #home\n- 喜欢喝茶\n", 1, 0)
    facts.add("claude-code", "Claude Code", CLAUDE, [claude])
    facts.add("hermes", "Hermes Agent", HERMES, [hermes])
    facts.add("basic-memory", "basic-memory", NOTES, [notes])
    return facts


def titles(line: str, besides: tuple[Path, str] | None = None) -> list[str]:
    return [each.title for each in held().holders_of(line, besides=besides)]


def test_a_line_names_each_file_that_states_it_once() -> None:
    assert titles("* lives in Graz") == ["Claude Code", "Hermes Agent", "basic-memory"]
    assert titles("- [place] Lives in Graz") == ["Claude Code", "Hermes Agent", "basic-memory"]
    assert titles("Likes tea.") == ["Hermes Agent"]
    assert titles("喜欢喝茶") == ["basic-memory"]
    assert titles('{"type":"entity","observations":["Is tall","Likes tea"]}') == ["Hermes Agent"]


def test_the_file_that_the_line_stands_in_is_not_named() -> None:
    assert titles("- Lives in Graz", (CLAUDE, "memory/MEMORY.md")) == ["Hermes Agent", "basic-memory"]


def test_a_single_word_a_heading_and_other_words_are_no_same_fact() -> None:
    assert titles("- Python") == []
    assert titles("# Ada") == []
    assert titles("- Lives in Graz now") == []
    assert titles("") == []

"""Each format takes its memory files apart into facts, in the units in which its program keeps them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile
from mnemoscope.store.foreign.store_formats import facts_in, open_store


def remembered(path: Path) -> list[str]:
    store = open_store(path)
    assert store is not None
    with closing(store):
        return [fact.text for file in store.memory_files() for fact in facts_in(store.format_name, file)]


def test_a_line_of_markdown_is_a_fact_under_its_heading() -> None:
    file = ForeignMemoryFile("MEMORY.md", "memory", "---\nname: x\n---\n# Work\n\n- Prefers tabs\n", 1, 0)
    found = [(each.text, each.heading) for each in facts_in("claude-code", file)]
    assert found == [("Prefers tabs", "Work")]


def test_a_file_that_says_how_to_behave_states_no_facts() -> None:
    for name in ("claude-code", "hermes"):
        assert facts_in(name, ForeignMemoryFile("SOUL.md", "soul", "Be kind.", 1, 0)) == []


def test_what_the_memory_server_observed_has_its_subject(tmp_path: Path) -> None:
    entity = {"type": "entity", "name": "Pat", "entityType": "person", "observations": ["likes tea", "lives in Rome"]}
    relation = {"type": "relation", "from": "Pat", "to": "Miso", "relationType": "owns"}
    lines = [json.dumps(entity), "no record", json.dumps(relation), ""]
    (tmp_path / "memory.jsonl").write_text("\n".join(lines), "utf-8")
    assert remembered(tmp_path) == ["Pat: likes tea", "Pat: lives in Rome", "Pat owns Miso"]


def test_an_entry_of_hermes_is_one_memory_though_it_has_several_lines(tmp_path: Path) -> None:
    root = tmp_path / ".hermes"
    (root / "memories").mkdir(parents=True)
    (root / "memories" / "MEMORY.md").write_text("Likes tea\nand coffee\n§\nLives in Rome\n", "utf-8")
    assert remembered(root) == ["Likes tea and coffee", "Lives in Rome"]


def test_front_matter_is_no_memory(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    note = "---\ntitle: Tea\ntype: note\npermalink: notes/tea\n---\n# Tea\n\n- [fact] Green is good #tea\n"
    (notes / "tea.md").write_text(note, "utf-8")
    assert remembered(tmp_path) == ["[fact] Green is good #tea"]


def test_of_a_note_of_any_type_observations_and_relations_are_memories(tmp_path: Path) -> None:
    note = "---\ntitle: Ann\ntype: person\npermalink: people/ann\n---\n# Ann\n\nA long story.\n\n"
    note += "- [fact] Lives in Linz #city (since 2020)\n- sister_of [[Ben]]\n- [ ] call her\n- plain\n"
    (tmp_path / "ann.md").write_text(note, "utf-8")
    assert remembered(tmp_path) == ["[fact] Lives in Linz #city (since 2020)", "sister_of [[Ben]]"]


def test_what_is_no_text_is_no_memory_of_the_server(tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": ["x"], "entityType": 7, "observations": ["likes tea", 7, {"a": 1}, " ", None]},
        {"type": "relation", "from": "Pat", "to": None, "relationType": "owns"},
    ]
    (tmp_path / "memory.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert remembered(tmp_path) == ["likes tea"]

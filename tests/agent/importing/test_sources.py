"""The stores of agents are imported too: their conversations, and what they remember in the units they keep it in."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path

from mnemoscope.agent.cli import import_command
from mnemoscope.agent.cli.import_command import importer_of
from mnemoscope.agent.importing.sources import open_source
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.foreign_stores import claude_code, hashes


def remembered(path: Path) -> list[str]:
    source = open_source(path)
    assert source is not None
    with closing(source):
        return [each.text for each in source.memories()]


def test_conversations_and_memories_of_claude_code_come_and_its_folder_stays_as_it_is(tmp_path: Path) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    before = hashes.hashes_of(root)
    added = []
    for _ in range(2):
        source = open_source(root)
        assert source is not None
        with closing(source), importer_of(tmp_path / "workspace", may_make=True) as importer:
            added.append(importer.run(source))
    first, second = added
    assert (first.conversations, first.left_out, second.left_out) == (2, 1, 1)
    assert "Prefers tabs" in first.memories
    assert (second.conversations, second.messages, second.memories) == (0, 0, ())
    assert hashes.hashes_of(root) == before


def test_what_an_agent_wrote_leads_to_the_imported_message(tmp_path: Path) -> None:
    source = open_source(claude_code.sample_store(tmp_path / ".claude"))
    assert source is not None
    with closing(source), importer_of(tmp_path / "workspace", may_make=True) as importer:
        importer.run(source)
    (held,) = Ledger(WorkspacePaths(tmp_path / "workspace")).suggestions()
    noted = {each.fact: each for each in held.sources}
    place = noted["Lives in Graz"]
    session = SessionManager(tmp_path / "workspace").load(place.session_key)
    assert session is not None
    assert session.messages[place.start]["content"] == "And that I live in Graz."
    assert session.messages[place.stop - 1]["tool_calls"]


def test_what_the_memory_server_observed_is_told_with_its_subject(tmp_path: Path) -> None:
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


def test_the_command_says_what_of_subagents_stays_there(tmp_path: Path) -> None:
    root, out = claude_code.sample_store(tmp_path / ".claude"), io.StringIO()
    assert import_command.main([str(root), "--into", str(tmp_path / "workspace"), "--preview"], out) == 0
    assert "\n1 conversation of subagents or of the archive stays there: only the conversations that" in out.getvalue()

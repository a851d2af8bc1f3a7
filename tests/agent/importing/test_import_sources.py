"""The stores of agents are imported too: their conversations, and what they remember."""

from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path

from mnemoscope.agent.cli import import_command
from mnemoscope.agent.cli.import_command import importer_of
from mnemoscope.agent.importing.import_sources import open_source
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.foreign_stores import claude_code, hashes


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


def test_the_command_says_what_of_subagents_stays_there(tmp_path: Path) -> None:
    root, out = claude_code.sample_store(tmp_path / ".claude"), io.StringIO()
    assert import_command.main([str(root), "--into", str(tmp_path / "workspace"), "--preview"], out) == 0
    assert "\n1 conversation of subagents or of the archive stays there: only the conversations that" in out.getvalue()

"""The audit tells all there is to tell, writes nothing, and its exit code says whether anything is damaged."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.agent.cli.audit import audit, main
from mnemoscope.bootstrap import open_core
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.workspace import create_workspace
from tests.support.privileges import as_nobody, reachable_folder

SHOP = "desktop:20261005-191200-a41c9e"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped("workspace"), tmp_path / "sample"))


def run(root: Path, *options: str) -> tuple[int, str]:
    out = io.StringIO()
    code = main([str(root), *options], out)
    return code, out.getvalue()


def states(root: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in root.rglob("*")}


def test_the_text_shows_conversations_and_what_became_of_them(sample: Path) -> None:
    code, text = run(sample)
    assert code == 0
    assert "Online shop and the December market            163            85      22         0" in text
    assert "messages 1 to 35  (+4 facts, in memory)" in text
    assert "[2026-10-10 13:23] Planned the online shop" in text
    assert "Conversations that are closed, deleted or gone" in text
    assert text.endswith("Nothing is damaged.\n")
    assert max(map(len, text.splitlines()[1:])) <= 100


def test_messages_that_are_deleted_are_not_counted_and_explain_themselves(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("desktop:some")
    session.messages.extend({"role": "user", "content": f"number {each}"} for each in range(6))
    session.last_consolidated = 3
    manager.save(session)
    manager.delete_messages([ChosenMessages(session, (1, 4), (session.messages[1], session.messages[4]))])
    (found,) = audit(tmp_path).sessions
    assert (found.messages, found.deleted) == (6, 2)
    assert (found.last_consolidated, found.deleted_consolidated, found.unexplained) == (3, 1, 2)
    _, text = run(tmp_path)
    (row,) = [line for line in text.splitlines() if line.startswith("number 0  ")]
    assert row.split()[2:4] == ["4", "2"]


async def test_a_conversation_that_went_on_after_it_was_closed_and_is_gone_is_damage(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    for key in ("desktop:gone", "desktop:closed"):
        bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
        await bench.recover()
        await bench.loop.process(key, "Remember that I like tea.")
        await bench.loop.process(key, "/new")
        await bench.close()
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.loop.process("desktop:gone", "Remember that I like coffee.")
    await bench.close()
    assert audit(tmp_path).problems == ()
    # What was said after the closing is told of by the log of captures, whose times are moved on here.
    log = tmp_path / ".mnemoscope" / "captures.jsonl"
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if "coffee" in json.dumps(line):
            line["when"] = "2999-01-01T00:00:00"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for path in (tmp_path / "sessions").glob("*.jsonl"):
        path.unlink()
    (problem,) = audit(tmp_path).problems
    assert "desktop:gone is not here any more" in problem


def test_a_conversation_that_is_gone_is_damage_and_one_that_was_deleted_is_not(sample: Path) -> None:
    manager = SessionManager(sample)
    trashed = manager.trash(SHOP)
    assert run(sample)[0] == 0
    assert trashed.kept is not None
    kept = trashed.kept.read_bytes()
    trashed.kept.unlink()
    # Whoever empties the trash wants that.
    assert run(sample)[0] == 0
    trashed.kept.write_bytes(kept)
    manager.restore(trashed)
    assert run(sample)[0] == 0
    path = manager.path_of(SHOP)
    assert path is not None
    path.unlink()
    code, text = run(sample)
    assert code == 1
    assert f"Problem     The conversation {SHOP} is not here any more" in text
    assert "Nothing is damaged" not in text


def test_a_conversation_that_nothing_else_tells_of_is_missed(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    manager = SessionManager(tmp_path)
    for key in ("desktop:lost", "desktop:closed", "desktop:deleted", "desktop:there"):
        session = manager.get_or_create(key)
        session.add_message("user", "How high is that mountain?")
        manager.append(session)
    closed = manager.archive(manager.get_or_create("desktop:closed"), datetime(2026, 11, 23, 12))
    manager.trash("desktop:closed")
    deleted = manager.trash("desktop:deleted").kept
    assert closed is not None
    assert deleted is not None
    assert run(tmp_path)[0] == 0
    for path in (closed, deleted, tmp_path / "sessions" / "desktop_lost.jsonl"):
        path.unlink()
    (problem,) = audit(tmp_path).problems
    assert problem.startswith("The conversation desktop:lost is not here any more: its file is gone")


def test_a_conversation_that_went_on_after_new_is_missed_too(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("desktop:one")
    for _ in range(2):
        session.add_message("user", "How high is that mountain?")
        manager.append(session)
        assert manager.archive(session, datetime.now()) is not None
    (tmp_path / "sessions" / "desktop_one.jsonl").unlink()
    # Nothing was said in it since it was closed.
    assert audit(tmp_path).problems == ()
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("desktop:one")
    session.add_message("user", "And that one?")
    manager.append(session)
    (tmp_path / "sessions" / "desktop_one.jsonl").unlink()
    assert "desktop:one is not here any more" in audit(tmp_path).problems[0]


def test_a_conversation_that_cannot_be_read_is_damaged_and_not_gone(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    manager = SessionManager(tmp_path)
    session = manager.get_or_create("desktop:at:noon")
    session.add_message("user", "How high is that mountain?")
    manager.append(session)
    path = tmp_path / "sessions" / "desktop_at_noon.jsonl"
    path.unlink()
    path.symlink_to(path)
    found = audit(tmp_path)
    assert [each.problem != "" for each in found.sessions] == [True]
    assert found.problems == ()


def test_the_json_says_the_same(sample: Path) -> None:
    code, text = run(sample, "--json")
    found = json.loads(text)
    assert code == 0
    assert (found["kind"], found["profile"], found["damaged"]) == ("workspace", "two-layer", False)
    (shop,) = [session for session in found["sessions"] if session["key"] == SHOP]
    assert [(group["start"], group["stop"], group["inferred"]) for group in shop["groups"]] == [
        (0, 35, False),
        (35, 85, False),
    ]
    assert (shop["messages"], shop["last_consolidated"], shop["unexplained"]) == (163, 85, 0)
    assert len(found["closed"]) == 2


def test_of_three_tiers_it_says_where_memory_lies_and_counts_towards_no_consolidation(sample: Path) -> None:
    (sample / "memory" / "MEMORY.md").rename(sample / "MEMORY.md")
    (sample / "config.json").write_text('{"mnemoscope": {"profile": "three-tier"}}', encoding="utf-8")
    code, text = run(sample)
    assert code == 0
    assert "profile three-tier" in text
    assert "1,756 characters in MEMORY.md\n" in text
    assert "until a consolidation" not in text
    assert "Online shop and the December market            163            85       –         0" in text
    _, printed = run(sample, "--json")
    assert {each["until_next"] for each in json.loads(printed)["sessions"]} == {None}


def test_the_profile_is_the_one_in_force_whatever_the_files_suggest(sample: Path) -> None:
    (sample / "config.json").write_text('{"mnemoscope": {"profile": "dream"}}', encoding="utf-8")
    assert "Mnemoscope's own, profile dream" in run(sample)[1]


def test_nothing_is_written(sample: Path) -> None:
    before = states(sample)
    run(sample)
    run(sample, "--json")
    assert states(sample) == before


def test_a_damaged_record_is_found_with_its_place(sample: Path) -> None:
    file = next((sample / "sessions").glob("desktop_20261005*.jsonl"))
    lines = file.read_bytes().split(b"\n")
    lines[10] = b"\xff" + lines[10][1:]
    file.write_bytes(b"\n".join(lines))
    before = states(sample)
    code, text = run(sample)
    assert code == 1
    assert "damaged: line 11, byte " in text
    assert text.endswith("Damage was found.\n")
    assert states(sample) == before
    sessions = json.loads(run(sample, "--json")[1])["sessions"]
    assert [damage["line"] for session in sessions for damage in session["damage"]] == [11]


def test_a_malformed_settings_file_is_a_problem(sample: Path) -> None:
    (sample / "config.json").write_text("{oops")
    code, text = run(sample)
    assert code == 1
    assert "Problem     config.json is not well-formed JSON" in text


def test_memory_that_cannot_be_read_is_a_problem(sample: Path) -> None:
    (sample / "memory" / "MEMORY.md").write_bytes(b"caf\xe9")
    code, text = run(sample)
    assert code == 1
    assert "Problem     MEMORY.md is not UTF-8 text (byte 3 cannot be read). It was left as it is. Save it as" in text
    assert text.count("is not UTF-8 text") == 1
    assert "\nmemory/MEMORY.md" not in text


def test_a_peers_workspace_is_audited_with_inferred_links(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "sessions").mkdir()
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-03-06 14:20] Ordered clay.\n\n")
    lines = [{"_type": "metadata", "key": "cli:direct", "created_at": "2026-03-06T14:20:00", "last_consolidated": 2}]
    lines += [{"role": "user", "content": "x", "timestamp": f"2026-03-06T14:2{n}:00"} for n in range(4)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "sessions" / "cli_direct.jsonl").write_text(text)
    before = states(tmp_path)
    found = audit(tmp_path)
    assert found.kind == "peer"
    assert [(group.start, group.stop, group.inferred) for group in found.sessions[0].groups] == [(0, 2, True)]
    assert "matched by time" in run(tmp_path)[1]
    assert states(tmp_path) == before


@pytest.mark.parametrize("kind", ["missing", "empty", "file"])
def test_what_is_no_workspace_is_said(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "x"
    if kind == "empty":
        root.mkdir()
    elif kind == "file":
        root.touch()
    code, text = run(root)
    assert (code, text) == (2, "")
    assert "There is nothing to audit." in capsys.readouterr().err


def test_what_a_terminal_would_obey_is_not_printed(sample: Path) -> None:
    (sample / "memory" / "HISTORY.md").write_text("[2026-11-01 09:00] \x1b[31mred\n\n")
    file = next((sample / "sessions").glob("desktop_20261114*.jsonl"))
    with file.open("a") as stream:
        stream.write(
            '{"_type": "metadata", "key": "desktop:20261114-104000-5d8a17", "metadata": {"title": "a\\u001b[2J"}}\n'
        )
    assert "\x1b" not in run(sample)[1]


@pytest.mark.slow
def test_it_needs_neither_qt_nor_litellm(sample: Path) -> None:
    script = (
        "import sys; from mnemoscope.agent.cli.audit import main; code = main(sys.argv[1:]); "
        "assert not {'PySide6', 'litellm', 'qasync'} & set(sys.modules); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(sample)], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nothing is damaged." in done.stdout


def test_it_says_where_the_settings_send_words(sample: Path) -> None:
    assert "Words go" not in run(sample)[1]
    config = {
        "agents": {"defaults": {"model": "openai/gpt-oss"}},
        "mnemoscope": {"apiBase": "http://api.openai.com@evil.example"},
    }
    (sample / "config.json").write_text(json.dumps(config), "utf-8")
    shown = "evil.example (http://api.openai.com@evil.example/v1)"
    assert f"Words go    to {shown}, once a person agreed" in run(sample)[1]
    assert json.loads(run(sample, "--json")[1])["words_go_to"] == [shown]


def test_another_way_of_a_conversation_is_counted_apart(sample: Path) -> None:
    before = audit(sample)
    manager = SessionManager(sample)
    session = manager.get_or_create(SHOP)
    (known,) = (each for each in before.sessions if each.key == SHOP)
    # Into the second of the groups that were consolidated.
    stop = known.groups[1].start + 2
    manager.fork(session, stop)
    session.add_message("user", "Let us think again")
    manager.save(session)
    found = audit(sample)
    (now,) = (each for each in found.sessions if each.key == SHOP)
    assert (now.messages, now.last_consolidated, now.unexplained) == (stop + 1, stop, 0)
    assert [(each.start, each.stop) for each in now.groups] == [(0, stop - 2), (stop - 2, stop)]
    (branch,) = now.other_branches
    assert (now.branches, now.compactions) == (1, 2)
    assert (branch.start, branch.messages, branch.groups) == (stop, known.messages - stop, known.groups[2:])
    assert found.closed == before.closed
    assert (
        f"another branch from message {stop + 1} on: {known.messages - stop} messages, sessions/branches/"
        in run(sample)[1]
    )


def test_the_json_counts_memory_files_and_what_of_them_a_prompt_holds(sample: Path) -> None:
    found = json.loads(run(sample, "--json")[1])
    assert (found["store"], found["unknown_records"]) == ("mnemoscope", 0)
    assert "lines" not in found
    files = {each["path"]: each for each in found["memory_files"]}
    assert files["memory/MEMORY.md"] == {
        "path": "memory/MEMORY.md",
        "role": "memory",
        "entries": 22,
        "characters": 1756,
        "loaded_characters": 1756,
    }
    assert (files["memory/HISTORY.md"]["entries"], files["memory/HISTORY.md"]["loaded_characters"]) == (6, 0)
    (shop,) = [session for session in found["sessions"] if session["key"] == SHOP]
    assert (shop["branches"], shop["other_branches"], shop["compactions"], shop["role"]) == (0, [], 2, "main")


def test_each_line_leads_to_its_message(sample: Path) -> None:
    code, text = run(sample, "--json", "--lines")
    assert code == 0
    lines = json.loads(text)["lines"]
    (prices,) = [each for each in lines if "£28 mug" in each["text"] and each["path"] == "memory/MEMORY.md"]
    assert (prices["session"], prices["outside"], prices["unknown"]) == (SHOP, False, False)
    assert prices["message_text"].startswith("One price everywhere")
    assert {(each["session"], each["message_text"]) for each in lines if each["outside"]} == {("", "")}
    assert {each["path"] for each in lines} >= {"SOUL.md", "SESSION-STATE.md", "memory/HISTORY.md"}
    printed = run(sample, "--lines")[1]
    assert "Lines of memory/MEMORY.md" in printed
    assert f"{SHOP}: One price everywhere" in printed
    assert max(map(len, printed.splitlines()[1:])) <= 100


def test_a_folder_of_nanobot_s_or_qanot_s_says_whose_it_is(tmp_path: Path) -> None:
    nanobot, qanot = tmp_path / "nanobot", tmp_path / "qanot"
    for root in (nanobot, qanot):
        (root / "sessions").mkdir(parents=True)
        (root / "memory").mkdir()
        (root / "memory" / "2026-10-05.md").write_text("- a note\n")
        (root / "SOUL.md").write_text("- calm\n")
    (nanobot / "memory" / "MEMORY.md").write_text("- likes tea\n" * 2_000)
    head = {"_type": "metadata", "key": "cli:direct", "created_at": "2026-03-06T14:20:00"}
    records = [head, {"_type": "provider_state"}, {"_type": "hologram"}, {"role": "user", "content": "Hello"}]
    text = "".join(json.dumps(each) + "\n" for each in records)
    (nanobot / "sessions" / "cli_direct.jsonl").write_text(text)
    (qanot / "MEMORY.md").write_text("- likes tea\n" * 2_000)
    said = {"type": "message", "id": "1", "timestamp": "2026-03-06T14:20:00Z"}
    text = json.dumps(said | {"message": {"role": "user", "content": "Hello"}}) + "\n"
    (qanot / "sessions" / "2026-03-06.jsonl").write_text(text)
    first, second = (json.loads(run(root, "--json", "--lines")[1]) for root in (nanobot, qanot))
    assert (first["store"], first["kind"], first["unknown_records"]) == ("nanobot", "peer", 1)
    assert (second["store"], second["kind"], second["unknown_records"]) == ("qanot", "peer", 0)
    loaded = [{each["path"]: each["loaded_characters"] for each in found["memory_files"]} for found in (first, second)]
    assert loaded == [
        {"memory/MEMORY.md": 24_000, "SOUL.md": 7, "memory/2026-10-05.md": 0},
        {"MEMORY.md": 20_000, "SOUL.md": 7, "memory/2026-10-05.md": 0},
    ]
    assert all(each["outside"] for each in [*first["lines"], *second["lines"]])
    assert [each["messages"] for found in (first, second) for each in found["sessions"]] == [1, 1]


def test_a_long_memory_is_loaded_as_far_as_its_budget_goes(sample: Path) -> None:
    (sample / "memory" / "MEMORY.md").write_text("- a fact of some length about clay\n" * 3_000, encoding="utf-8")
    (memory,) = [each for each in audit(sample).memory_files if each.path == "memory/MEMORY.md"]
    assert memory.entries == 3_000
    assert 0 < memory.loaded_characters < memory.characters
    assert memory.loaded_characters % 35 == 0


def test_of_a_file_that_cannot_be_read_it_says_so(sample: Path) -> None:
    assert audit(sample).problems == ()
    with reachable_folder() as folder:
        shutil.copytree(sample, folder / "sample")
        for path in (folder / "sample").rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        (folder / "sample" / "TOOLS.md").chmod(0)
        with as_nobody():
            found = audit(folder / "sample")
    assert found.problems == ("TOOLS.md could not be read: Permission denied.",)
    assert "TOOLS.md" not in [each.path for each in found.memory_files]


async def test_a_line_that_the_person_wrote_in_the_editor_is_told_from_one_of_another_program(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench = open_core(tmp_path, keychain=Keychain(environment={})).bench
    await bench.recover()
    editing = bench.memory.editing
    await editing.save_text("- Likes tea\n", editing.read_text().digest)
    await bench.close()
    with (tmp_path / "memory" / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.write("- Likes rain\n")
    _, text = run(tmp_path, "--lines")
    assert "- Likes tea\n            from you, in the editor\n" in text
    assert "- Likes rain\n            from outside: no conversation wrote it\n" in text

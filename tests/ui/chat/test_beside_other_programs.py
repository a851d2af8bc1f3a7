"""A workspace that nanobot or Qanot uses too: what the person has to know of it is said in the window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemoscope.store.sessions.session_manager import SessionManager
from tests.ui.window_fixture import KEY, Stage, sentences, until

ID = "0123456789abcdef0123456789abcdef"
THEIRS = {
    "type": "message",
    "id": "msg_000001",
    "parentId": "",
    "timestamp": "2026-11-20T08:00:00.123456+00:00",
    "message": {"role": "user", "content": "I prefer tea"},
}


async def test_in_a_workspace_of_qanots_it_says_what_qanot_will_not_restore(stage: Stage) -> None:
    stage.make()
    (stage.root / "sessions").mkdir(exist_ok=True)
    (stage.root / "sessions" / "2026-11-20.jsonl").write_text(json.dumps(THEIRS) + "\n", encoding="utf-8")
    person = await stage.open()
    sentence = await person.until_said("Qanot will not have what is said here", person.chat)
    assert "remembered and noted here" in sentence


async def test_a_conversation_with_messages_of_ours_says_nothing_of_qanot(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."))
    (stage.root / "sessions" / "2026-11-20.jsonl").write_text(json.dumps(THEIRS) + "\n", encoding="utf-8")
    person = await stage.open()
    await person.current.sessions.open(KEY)
    await until(lambda: "Hello." in person.text, "the conversation")
    assert "Qanot" not in " ".join(sentences(person.chat))


async def test_what_nanobot_moves_while_the_window_is_open_is_said_and_goes_on(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "person"
    monkeypatch.setenv("HOME", str(home))
    stage.make(("user", "Message 0."), ("assistant", "Message 1."), memoryWindow=500)
    person = await stage.open()
    await until(lambda: person.timeline.model.total == 2, "two rows")
    path = SessionManager(stage.root, read_only=True).path_of(KEY)
    assert path is not None
    kept = home / ".nanobot" / "sessions" / ID
    kept.mkdir(parents=True)
    (kept / ".workspace").write_text(f"{stage.root}\n")
    (stage.root / ".nanobot").mkdir()
    (stage.root / ".nanobot" / "workspace-id").write_text(f"{ID}\n")
    path.rename(kept / path.name)
    await person.until_said("nanobot moved this conversation", person.window)
    await person.say("And now?")
    assert "And now?" in (kept / path.name).read_text(encoding="utf-8")
    assert not path.exists()

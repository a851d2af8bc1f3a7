"""Who wrote which line is searched for no longer than somebody waits for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mnemoscope.domain.foreign.foreign_store import ForeignStore
from mnemoscope.store.foreign.store_formats import open_store
from tests.foreign_stores.claude_code import ClaudeRecords, call
from tests.foreign_stores.codex import Rollout, patch_of
from tests.foreign_stores.hermes import HermesHome
from tests.foreign_stores.openclaw import OpenClawState, Transcript

CONVERSATIONS = 3


def claude_code(root: Path) -> Path:
    for number in range(CONVERSATIONS):
        records = ClaudeRecords(session=f"{number:08}-2222-4333-8444-555555555555")
        records.person(f"fact {number}")
        path = str(root / "projects" / "-home-ada" / "memory" / f"{number}.md")
        records.answer(call(f"t{number}", "Write", file_path=path, content=f"- fact {number}\n"), id_="m1")
        records.result(f"t{number}", "The file was created.")
        records.write(root / "projects" / "-home-ada" / f"{number:08}-2222-4333-8444-555555555555.jsonl")
    return root


def codex(root: Path) -> Path:
    for number in range(CONVERSATIONS):
        rollout = Rollout(root, id=f"{number:08}-6666-7777-8888-999999999999", cwd=str(root)).meta()
        rollout.says(f"fact {number}")
        rollout.patches(patch_of(f"*** Add File: memories/{number}.md", f"+- fact {number}")).write()
    return root


def hermes(root: Path) -> Path:
    with closing(HermesHome(root)) as home:
        for number in range(CONVERSATIONS):
            session = home.session(f"s{number}")
            home.talk(session, f"fact {number}")
            home.remember(session, action="add", target="memory", content=f"fact {number}")
    return root


def openclaw(root: Path) -> Path:
    state = OpenClawState(root)
    for number in range(CONVERSATIONS):
        talk = Transcript(f"s{number}")
        # Records of the same id are copies of each other, and ids are counted from the start of a conversation.
        talk.talk(*["hello", "hello"] * number)
        talk.user(f"fact {number}")
        talk.call("write", {"path": f"memory/{number}.md", "content": f"- fact {number}\n"})
        state.file(talk)
    return root


@pytest.mark.parametrize(
    ("make", "name"),
    [(claude_code, ".claude"), (codex, ".codex"), (hermes, ".hermes"), (openclaw, ".openclaw")],
)
def test_no_further_conversation_is_read_once_nobody_waits(
    tmp_path: Path, make: Callable[[Path], Path], name: str
) -> None:
    asked: list[bool] = []

    def goes_on() -> bool:
        asked.append(not asked)
        return asked[-1]

    store: ForeignStore | None = open_store(make(tmp_path / name))
    assert store is not None
    with closing(store):
        assert not list(store.edits(goes_on))
        assert asked == [True, False]
        assert len(list(store.edits())) == CONVERSATIONS

"""Long histories of OpenClaw and Hermes: each line of a memory file leads to the call that gave it its words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.foreign_records import LineSource
from mnemoscope.store.foreign.agents.hermes import HermesStore
from mnemoscope.store.foreign.agents.openclaw import OpenClawStore
from tests.foreign_stores.hermes import DIVIDER, HermesHome
from tests.foreign_stores.openclaw import OpenClawState, Transcript

EDITS = 200


def judged(sources: Sequence[LineSource], owners: dict[str, str]) -> tuple[int, int]:
    """Returns how many lines are blamed rightly and how many wrongly; `owners` are the messages by line."""
    right = wrong = 0
    for source in sources:
        expected = owners.get(source.text)
        if expected is None:
            # What divides entries is nobody's.
            continue
        said = "" if source.edit is None else source.edit.message_text
        right += said == expected and not source.is_unknown
        wrong += said != expected and not source.is_unknown
    return right, wrong


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(5))
def test_lines_of_openclaw_lead_to_the_message_before_the_call(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    state = OpenClawState(tmp_path / ".openclaw")
    lines = [f"- first {number}" for number in range(5)]
    owners = dict.fromkeys(lines, "the first message")
    talk = Transcript()
    talk.user("the first message")
    talk.call("write", {"path": "MEMORY.md", "content": "".join(f"{line}\n" for line in lines)})
    for number in range(EDITS):
        message = f"message {number}"
        talk.user(message)
        fresh = f"- fact {number} of {chance.randrange(1000)}"
        at = chance.randrange(len(lines))
        if chance.random() < 0.5:
            talk.call("edit", {"path": "MEMORY.md", "oldText": lines[at], "newText": f"{lines[at]}\n{fresh}"})
            lines.insert(at + 1, fresh)
        elif chance.random() < 0.8:
            several = [{"oldText": f"{lines[at]}\n", "newText": f"{fresh}\n"}]
            talk.call("edit", {"path": "MEMORY.md", "edits": several})
            owners.pop(lines[at])
            lines[at] = fresh
        else:
            chance.shuffle(lines)
            talk.call("write", {"path": "MEMORY.md", "content": "".join(f"{line}\n" for line in [*lines, fresh])})
            lines.append(fresh)
        owners[fresh] = message
        talk.call("edit", {"path": "MEMORY.md", "oldText": "nowhere", "newText": "failed"}, failed=True)
    state.file(talk)
    lines.append("- from outside")
    owners["- from outside"] = ""
    text = "".join(f"{line}\n" for line in lines)
    state.memory("MEMORY.md", text)
    store = OpenClawStore(state.root, tmp_path / "private")
    right, wrong = judged(line_sources("workspace/MEMORY.md", text, store.edits()), owners)
    store.close()
    assert wrong == 0
    assert right >= 0.99 * len(lines)


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(5))
def test_entries_of_hermes_lead_to_the_message_before_the_call(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    home = HermesHome(tmp_path / ".hermes")
    kept: list[tuple[str, ...]] = [(f"from outside {number}",) for number in range(4)]
    owners = {line: "" for entry in kept for line in entry}
    session = home.session("s0")
    for number in range(EDITS):
        if number % 50 == 49:
            home.end(session, "compression")
            session = home.session(f"s{number}", parent_session_id=session)
        message = f"message {number}"
        home.say(session, "user", message)
        entry = (f"fact {number}:", f"of {chance.randrange(10**9)}")
        if chance.random() < 0.4 or len(kept) < 3:
            home.remember(session, action="add", content="\n".join(entry))
            kept.append(entry)
        elif chance.random() < 0.7:
            at = chance.randrange(len(kept))
            home.remember(session, action="replace", old_text=kept[at][0], content="\n".join(entry))
            kept[at] = entry
        else:
            at = chance.randrange(len(kept))
            operations = [{"action": "remove", "old_text": kept[at][0]}, {"action": "add", "content": "\n".join(entry)}]
            home.remember(session, operations=operations)
            del kept[at]
            kept.append(entry)
        owners |= dict.fromkeys(entry, message)
        home.remember(session, action="add", content="failed", result={"success": False, "error": "over the limit"})
    text = DIVIDER.join("\n".join(entry) for entry in kept)
    home.memory(text)
    store = HermesStore(home.root, tmp_path / "private")
    right, wrong = judged(line_sources("memories/MEMORY.md", text, store.edits()), owners)
    store.close()
    home.close()
    assert wrong == 0
    assert right >= 0.99 * sum(map(len, kept))

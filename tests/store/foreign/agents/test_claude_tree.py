"""A transcript that is followed looks as one that is read anew, whatever comes, and costs what came."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mnemoscope.domain.foreign.foreign_records import KINDS, RecordKind, TranscriptShape
from mnemoscope.store.foreign.agents.claude_transcript import ClaudeTranscript
from mnemoscope.store.foreign.agents.claude_tree import RecordTree
from tests.foreign_stores.claude_code import ClaudeRecords, call

NEVER = 1 << 30
"""A tree of which so many places are open is worked out anew each time."""
STRANGE = (0.0, 0.03, 0.3)
"""How often a record is none that the program writes."""
SHORT = ((0, 0.0), (1, 0.03), (4, 0.3))
"""Seeds tried without `--long`, each with one of these; the last has a record divide a row that is cut again."""


class Agent:
    """Writes a transcript by lot: mostly a conversation that goes on, at times what a reader has to bear."""

    def __init__(self, chance: Random, strange: float) -> None:
        self.talk, self._chance, self._strange = ClaudeRecords(), chance, strange
        self._names: list[str] = []

    def lines(self) -> bytes:
        """Returns what it writes next."""
        self.talk.records.clear()
        if self._chance.random() < self._strange:
            return self._strange_lines()
        self._turn()
        self._names += [record["uuid"] for record in self.talk.records if "uuid" in record]
        return self.talk.data()

    def _turn(self) -> None:
        talk, chance = self.talk, self._chance
        if chance.random() < 0.4:
            talk.person("and now")
        name = f"m{talk.count}"
        calls = [f"{name}-{number}" for number in range(chance.randrange(4))]
        if not calls or chance.random() < 0.5:
            talk.answer("I look.", id_=name)
        above = [talk.answer(call(each), id_=name) for each in calls]
        for each, parent in zip(calls, above, strict=True):
            talk.result(each, parent=chance.choice([parent, ""]))
        if chance.random() < 0.2:
            talk.add("progress")

    def _strange_lines(self) -> bytes:
        talk, chance = self.talk, self._chance
        old = chance.choice(self._names) if self._names else None
        new = chance.choice(self._names[-12:]) if self._names else None
        any_ = chance.choice([new, old, "nowhere"])
        coming = f"uu111-{talk.count + chance.randrange(1, 30)}"
        of_late = max(0, talk.count - chance.randrange(60))
        two = [{"type": "tool_result", "tool_use_id": "x"}, {"type": "text", "text": "and this"}]
        strange: list[Callable[[], object]] = [
            lambda: talk.person("another way", parent=old),
            lambda: talk.person("a new beginning", parent=None),
            lambda: talk.boundary(any_, kept=(new, "", new) if new else None),
            lambda: (talk.boundary(any_), talk.summary()),
            lambda: talk.beside("last-prompt", leafUuid=any_),
            lambda: talk.person("hangs on what comes", parent=coming),
            lambda: talk.answer("below another", id_=f"m{of_late}", parent=new),
            lambda: talk.result(f"m{of_late}-0", parent=new),
            lambda: talk.add("user", isSidechain=True, parent=new, message={"content": "Go."}),
            lambda: talk.person(two),
            lambda: talk.add("of no known type"),
            lambda: talk.add("user", uuid=old or "u", message={"content": "Again."}),
        ]
        if chance.random() < 1 / 12:
            return b"{no record\n"
        chance.choice(strange)()
        self._names += [record["uuid"] for record in talk.records if "uuid" in record]
        return talk.data()


def seen(shape: TranscriptShape) -> tuple[object, ...]:
    return (
        shape.kinds,
        list(shape.active),
        dict(shape.parts),
        shape.compactions,
        shape.branches,
        shape.damage,
    )


@pytest.mark.parametrize(
    ("seed", "strange"),
    [
        pytest.param(seed, strange, marks=() if (seed, strange) in SHORT else pytest.mark.long)
        for seed in range(32)
        for strange in STRANGE
    ],
)
def test_followed_it_looks_as_read_anew(tmp_path: Path, seed: int, strange: float) -> None:
    chance = Random(seed)
    agent, path = Agent(chance, strange), tmp_path / "talk.jsonl"
    path.write_bytes(b"")
    anew = ClaudeTranscript(path, of_subagent=False, tree=RecordTree(open_end=NEVER))
    followed = ClaudeTranscript(path, of_subagent=False, tree=RecordTree(open_end=chance.choice([6, 12, 25])))
    for _ in range(100):
        with path.open("ab") as file:
            file.write(b"".join(agent.lines() for _ in range(chance.randrange(1, 3))))
        followed.read()
        anew.read()
        assert seen(followed.shape) == seen(anew.shape)


class Counted(RecordTree):
    """Counts the places that are worked out."""

    worked = 0

    def _tree(self, settled):  # type: ignore[no-untyped-def]
        tree = super()._tree(settled)
        self.worked += len(self.kinds) - tree.begin
        return tree


def test_what_came_is_worked_out_and_nothing_before_it() -> None:
    tree, key = Counted(), 1
    for _ in range(20_000):
        tree.add(RecordKind.PERSON, key + 1, key if key > 1 else 0)
        key += 1
    assert tree.shape().messages == 20_000
    tree.add(RecordKind.PERSON, key + 1, key)
    # Who looks a second time follows it.
    assert tree.shape().messages == 20_001
    tree.worked = 0
    for more in range(100):
        key += 1
        tree.add(RecordKind.PERSON, key + 1, key)
        shape = tree.shape()
        assert (shape.messages, shape.active[-1]) == (20_002 + more, 20_001 + more)
    assert tree.worked <= 100 * 700
    assert shape.active == array("i", range(20_101))
    assert set(shape.kinds) == {KINDS.index(RecordKind.PERSON)}


def late(*came: tuple[RecordKind, int, int, int]) -> tuple[RecordTree, RecordTree]:
    """Returns a tree that was looked at before the last records came, and one that was not. A record is its kind, its
    id, its parent's, and its answer or call. The first hangs on what is not there."""
    first = [(RecordKind.PERSON, 1, 900, 0), (RecordKind.ANSWER, 2, 1, 70)]
    then = [(RecordKind.ANSWER, number, number - 1, 1_000 + number) for number in range(3, 60)]
    followed, anew = RecordTree(open_end=5), RecordTree(open_end=NEVER)
    for tree in (followed, anew):
        for number, (kind, own, parent, group) in enumerate([*first, *then, *came]):
            tree.add(kind, own, parent)
            tree.group(len(tree.kinds) - 1, group)
            if number == 1:
                tree.add_call(71)
            if tree is followed and number >= 50:
                tree.shape()
    return followed, anew


@pytest.mark.parametrize(
    "came",
    [
        (RecordKind.PERSON, 900, 0, 0),
        (RecordKind.ANSWER, 60, 59, 70),
        (RecordKind.RESULT, 60, 59, 71),
        (RecordKind.PERSON, 60, 20, 0),
        (RecordKind.PERSON, 60, 0, 0),
    ],
    ids=["a parent", "a line of an answer", "a result", "another way", "a beginning"],
)
def test_what_comes_late_changes_what_was_there(came: tuple[RecordKind, int, int, int]) -> None:
    followed, anew = late(came, (RecordKind.PERSON, 61, came[1], 0))
    assert seen(followed.shape()) == seen(anew.shape())

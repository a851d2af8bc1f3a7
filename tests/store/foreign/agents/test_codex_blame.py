"""The patches of Codex lead each line of a memory file to the person's message before the call that wrote it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.store.foreign.agents.codex import CodexStore
from tests.foreign_stores.codex import START, Rollout, patch_of

NOTE = "memories/extensions/ad_hoc/notes/n.md"
OUTSIDE, UNKNOWN = "outside", "unknown"


def owners(root: Path, path: str = NOTE) -> list[tuple[str, str]]:
    store = CodexStore(root)
    (file,) = (each for each in store.memory_files() if each.path == path)
    return [
        (each.text, UNKNOWN if each.is_unknown else each.edit.message_text if each.edit else OUTSIDE)
        for each in line_sources(path, file.text, store.edits())
    ]


def put(root: Path, text: str, path: str = NOTE) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / ".codex"


def update(*lines: str, path: str = NOTE) -> str:
    return patch_of(f"*** Update File: {path}", *lines)


def test_a_line_belongs_to_the_call_that_gave_it_its_present_words(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("begin")
    rollout.patches(patch_of(f"*** Add File: {NOTE}", "+# Note", "+- one", "+- two"))
    rollout.says("change").patches(update("@@", " - one", "-- two", "+- two, better"))
    rollout.says("fail").patches(update("@@", "-- nothing", "+- x"), "apply_patch verification failed: no")
    rollout.says("append").patches(update("@@", "+- three")).write()
    put(root, "# Note\n- by hand\n- one\n- two, better\n- three\n")
    assert owners(root) == [
        ("# Note", "begin"),
        ("- by hand", OUTSIDE),
        ("- one", "begin"),
        ("- two, better", "change"),
        ("- three", "append"),
    ]


def test_a_conversation_that_came_out_of_another_repeats_its_calls(root: Path) -> None:
    first = Rollout(root, cwd=str(root)).meta().says("begin")
    first.patches(patch_of(f"*** Add File: {NOTE}", "+- one", "+- two"))
    first.says("change").patches(update("@@", " - one", "-- two", "+- two, better")).write()
    fork = Rollout(root, cwd=str(root), id="ffffffff-1111-2222-3333-444444444444", start=START + timedelta(hours=1))
    fork.meta()
    for line in first.lines:
        fork.line(line["type"], line["payload"])
    fork.says("then").patches(update("@@", " - two, better", "+- three")).write()
    put(root, "- one\n- two, better\n- three\n")
    assert owners(root) == [("- one", "begin"), ("- two, better", "change"), ("- three", "then")]
    edits = list(CodexStore(root).edits())
    assert [each.conversation for each in edits] == [first.id, first.id, fork.id]


def test_a_file_that_was_there_before_is_from_outside_where_no_call_wrote_it(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("first")
    rollout.patches(update("@@ # Rules", "-- be brief", "+- be very brief", path="AGENTS.md"))
    rollout.says("second").patches(update("@@", "+- no emoji", path="AGENTS.md")).write()
    put(root, "# Rules\n- be very brief\n- stay\n- no emoji\n", "AGENTS.md")
    assert owners(root, "AGENTS.md") == [
        ("# Rules", OUTSIDE),
        ("- be very brief", "first"),
        ("- stay", OUTSIDE),
        ("- no emoji", "second"),
    ]


def test_what_others_wrote_between_two_calls_is_not_theirs(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("first")
    rollout.patches(update("@@", " - a", "-- b", "+- B", path="AGENTS.md"))
    rollout.says("second").patches(update("@@", " - strange", "-- c", "+- C", path="AGENTS.md")).write()
    put(root, "- a\n- B\n- strange\n- C\n- d\n", "AGENTS.md")
    assert owners(root, "AGENTS.md") == [
        ("- a", OUTSIDE),
        ("- B", "first"),
        ("- strange", OUTSIDE),
        ("- C", "second"),
        ("- d", OUTSIDE),
    ]


def test_what_cannot_be_told_is_unknown_and_never_guessed(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("begin").patches(patch_of(f"*** Add File: {NOTE}", "+- one"))
    rollout.says("shell").calls("shell", {"command": f"echo '- two' >> {NOTE}"}).write()
    put(root, "- one\n- two\n")
    assert owners(root) == [("- one", "begin"), ("- two", UNKNOWN)]


def test_a_file_that_is_deleted_and_made_again_is_the_second_call_s(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("begin").patches(patch_of(f"*** Add File: {NOTE}", "+- one"))
    rollout.patches(patch_of(f"*** Delete File: {NOTE}"))
    rollout.says("again").patches(patch_of(f"*** Add File: {NOTE}", "+- one")).write()
    put(root, "- one\n")
    assert owners(root) == [("- one", "again")]


def test_a_file_that_a_call_deleted_is_not_undone_by_guessing(root: Path) -> None:
    Rollout(root, cwd=str(root)).meta().says("x").patches(patch_of(f"*** Delete File: {NOTE}")).write()
    put(root, "- new\n")
    assert owners(root) == [("- new", OUTSIDE)]


def test_lines_that_only_others_know_are_found_by_what_took_their_place(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("begin").patches(patch_of(f"*** Add File: {NOTE}", "+- one"))
    rollout.says("later").patches(update("@@", "-- x", "+- X")).write()
    put(root, "- X\n- y\n")
    assert owners(root) == [("- X", "later"), ("- y", OUTSIDE)]


def test_what_was_only_taken_out_cannot_be_put_back(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("first").patches(update("@@", "-- gone", path="AGENTS.md"))
    rollout.says("second").patches(update("@@", "-- a", "+- A", path="AGENTS.md")).write()
    put(root, "- A\n- b\n", "AGENTS.md")
    assert owners(root, "AGENTS.md") == [("- A", "second"), ("- b", OUTSIDE)]


def test_what_is_added_at_the_end_is_the_call_s_own_though_the_text_before_is_not_known(root: Path) -> None:
    rollout = Rollout(root, cwd=str(root)).meta().says("begin").patches(patch_of(f"*** Add File: {NOTE}", "+- one"))
    rollout.says("shell").calls("shell", {"command": f"sed -i s/a/b/ {NOTE}"})
    rollout.says("append").patches(update("@@", "+- two")).write()
    put(root, "- one\n- two\n")
    assert owners(root) == [("- one", "begin"), ("- two", "append")]


class History:
    """A file of notes, changed by patches and by hand, of which it is known who wrote each line."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.lot = root, Random(seed)
        self.lines: list[str] = []
        self.owners: list[str] = []
        self.count = 0
        self.rollouts = [
            Rollout(root, id=f"c{number}", cwd=str(root), start=START + timedelta(days=1)).meta() for number in range(4)
        ]
        self.now = START + timedelta(days=1)

    def fresh(self) -> str:
        self.count += 1
        return f"- {self.lot.choice(['tea', 'clay', 'glaze', 'kiln'])} number {self.count}"

    def call(self, patch: str, output: str | None = None) -> str:
        self.now += timedelta(seconds=self.lot.randint(5, 900))
        said = f"please, {self.fresh()}"
        rollout = self.lot.choice(self.rollouts)
        rollout.set_clock(self.now)
        rollout.says(said).patches(patch, output)
        return said

    def begin(self) -> None:
        self.lines = [self.fresh() for _ in range(5)]
        said = self.call(patch_of(f"*** Add File: {NOTE}", *(f"+{line}" for line in self.lines)))
        self.owners = [said] * 5

    def patch(self) -> None:
        at = self.lot.randrange(len(self.lines))
        before, after = self.lines[max(0, at - 2) : at], self.lines[at + 1 : at + 2]
        how = self.lot.random()
        new = [] if how < 0.2 and len(self.lines) > 3 else [self.fresh() for _ in range(self.lot.randint(1, 3))]
        kept = how > 0.6
        body = [*(f" {line}" for line in before), f"{' ' if kept else '-'}{self.lines[at]}"]
        body += [*(f"+{line}" for line in new), *(f" {line}" for line in after)]
        if self.lot.random() < 0.1:
            self.call(update("@@", "-- not there", "+- x"), "apply_patch verification failed: no such lines")
        said = self.call(update("@@", *body))
        start = at + 1 if kept else at
        self.lines[start : at + 1] = new
        self.owners[start : at + 1] = [said] * len(new)

    def by_hand(self) -> None:
        at = self.lot.randrange(len(self.lines) + 1)
        self.lines.insert(at, self.fresh())
        self.owners.insert(at, OUTSIDE)


@pytest.mark.parametrize("seed", range(6))
def test_of_200_edits_99_in_100_lines_are_blamed_rightly_and_none_wrongly(root: Path, seed: int) -> None:
    history = History(root, seed)
    history.begin()
    for _ in range(200):
        history.patch()
        if history.lot.random() < 0.1:
            history.by_hand()
    for rollout in history.rollouts:
        rollout.write()
    put(root, "".join(f"{line}\n" for line in history.lines))
    found = owners(root)
    assert [line for line, _ in found] == history.lines
    wrong = [pair for pair, owner in zip(found, history.owners, strict=True) if pair[1] not in (owner, UNKNOWN)]
    right = sum(pair[1] == owner for pair, owner in zip(found, history.owners, strict=True))
    assert wrong == []
    assert right >= 0.99 * len(found)

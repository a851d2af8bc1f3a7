"""Anything a person, a model, other programs and a power switch may do, in any order. `python -m tests.proof.machine`.

After each step: every acknowledged message is there exactly once; every message behind a pointer is told exactly once
in the history log, and no other; no pointer went back; no line of the person's is lost, what they deleted is not back,
and there is no file that no workspace has.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter
from contextlib import suppress

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from mnemoscope.domain.errors import ApprovalMoved, MnemoscopeError, StorageError
from tests.proof.invariants import strays
from tests.proof.machine_world import KEY, PERSONAL, World
from tests.support.closing import closed

MOODS = st.sampled_from(["good", "good", "good", "bad", "broken", "drops", "rewrites", "brings back"])
MOMENTS = st.tuples(st.integers(1, 40), st.sampled_from(["before", "after", "half"]))
PICKS = st.integers(0, 7)


class Machine(RuleBasedStateMachine):
    """Keeps what is expected in `mine` (the person's lines) and `deleted`; everything else is read from the files."""

    @initialize()
    def begin(self) -> None:
        self.world = World()
        self.mine = {"- P0 was known before"}
        self.deleted: set[str] = set()
        self.stood: set[str] = set()
        self.twice: set[str] = set()
        self.entries: Counter[str] = Counter()
        self.pointers: dict[str, int] = {}
        self.numbers = self.lines = 0
        self.looked = ("", "")
        self.look()

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.clear_away()

    def be(self, mood: str) -> None:
        """Sets how the model answers from here on."""
        self.world.model.mood, self.world.model.brings_back = mood, sorted(self.deleted)

    # -- talking ------------------------------------------------------------------------------------------------------

    def say(self) -> None:
        self.numbers += 2
        name = f"m{self.numbers}"
        self.world.run(self.world.bench.loop.process(KEY, name))
        assert name in self.world.acknowledged

    @rule(mood=MOODS)
    def send(self, mood: str) -> None:
        self.be(mood)
        self.say()

    @rule(mood=MOODS, moment=MOMENTS)
    def send_and_be_killed(self, mood: str, moment: tuple[int, str]) -> None:
        self.be(mood)
        self.survive(self.say, moment)

    @rule()
    def be_killed_in_the_middle_of_an_answer(self) -> None:
        self.numbers += 2
        self.world.model.hangs = True

        async def begin() -> None:
            task = asyncio.ensure_future(self.world.bench.loop.process(KEY, f"m{self.numbers}"))
            for _ in range(50):
                await asyncio.sleep(0)
            assert not task.done()

        self.world.run(begin(), settle=False)
        self.restart()

    # -- consolidating ------------------------------------------------------------------------------------------------

    def consolidate(self) -> None:
        self.world.run(self.world.bench.loop.consolidate_now(KEY))

    @rule(mood=MOODS)
    def consolidate_now(self, mood: str) -> None:
        self.be(mood)
        self.consolidate()

    @rule(mood=MOODS, meanwhile=st.sampled_from(["edit", "outside", "message", "foreign", "history"]), pick=PICKS)
    def consolidate_slowly(self, mood: str, meanwhile: str, pick: int) -> None:
        async def happen() -> None:
            if meanwhile == "edit":
                await self.type_in(pick)
            elif meanwhile == "outside":
                self.change_outside(pick)
            elif meanwhile == "message":
                self.numbers += 2
                await self.world.bench.loop.process(KEY, f"m{self.numbers}")
            elif meanwhile == "foreign":
                self.foreign_message()
            else:
                self.foreign_entry()

        self.be(mood)
        self.world.model.meanwhile = happen
        self.consolidate()
        self.world.model.meanwhile = None

    @rule(moment=MOMENTS, mood=MOODS)
    def consolidate_and_be_killed(self, moment: tuple[int, str], mood: str) -> None:
        self.be(mood)
        self.survive(self.consolidate, moment)

    def close(self) -> None:
        self.world.run(closed(self.world.bench.loop, KEY))

    @rule(mood=MOODS)
    def start_new(self, mood: str) -> None:
        self.be(mood)
        self.close()

    @rule(moment=MOMENTS)
    def start_new_and_be_killed(self, moment: tuple[int, str]) -> None:
        self.be("good")
        self.survive(self.close, moment)

    # -- memory -------------------------------------------------------------------------------------------------------

    @rule()
    def look(self) -> None:
        """Opens the editor; what is typed later is typed into this."""
        now = self.world.memory.editing.read_text()
        self.looked = (now.text, now.digest)

    def changed(self, text: str, pick: int) -> str:
        """Returns a line more, one less, or one in other words; what the person wants by it is noted."""
        lines = text.split("\n")
        own = [line for line in lines if PERSONAL.fullmatch(line)]
        self.lines += 1
        fresh = f"- P{self.lines} is written by hand"
        if pick % 4 and own:
            old = own[pick % len(own)]
            place = lines.index(old)
            other = f"{old}, {self.lines}"
            lines[place : place + 1] = [other] if pick % 4 == 1 else []
            if old not in lines:
                self.mine.discard(old)
                self.deleted.add(old)
            if pick % 4 == 1:
                self.mine.add(other)
        if pick % 4 != 1:
            lines.insert(1 + pick % max(1, len(lines)), fresh)
            self.mine.add(fresh)
        return "\n".join(lines)

    async def type_in(self, pick: int) -> None:
        text, version = self.looked
        saved = await self.world.memory.editing.save_text(self.changed(text, pick), version)
        self.looked = (saved.text, saved.digest)

    @rule(pick=PICKS)
    def edit(self, pick: int) -> None:
        self.world.run(self.type_in(pick))
        self.reckon(kept=True)

    @rule(pick=PICKS, moment=MOMENTS)
    def edit_and_be_killed(self, pick: int, moment: tuple[int, str]) -> None:
        before = set(self.mine)
        if self.survive(lambda: self.world.run(self.type_in(pick)), moment):
            self.reckon(kept=True)
        else:
            # Nobody said that it was saved.
            assert before - self.deleted <= self.standing()

    def change_outside(self, pick: int) -> None:
        self.world.write_outside(self.changed(self.world.text, pick))
        # The folder is watched: a line that came and went between two looks was never seen.
        if not self.world.fuse.killed:
            self.world.memory.editing.read_text()

    @rule(pick=PICKS)
    def edit_outside(self, pick: int) -> None:
        self.change_outside(pick)

    @rule(pick=PICKS)
    def edit_outside_while_closed(self, pick: int) -> None:
        self.world.fuse.killed = True
        self.change_outside(pick)
        self.restart()

    @rule(pick=PICKS, moment=st.none() | MOMENTS)
    def undo(self, pick: int, moment: tuple[int, str] | None) -> None:
        changes = self.world.memory.editing.changes()
        if not changes:
            return
        change = changes[pick % len(changes)]
        before, after = (said(self.world.memory.editing.version_text(each)) for each in (change.before, change.after))
        others = said(self.world.text) - (after - before)

        def undo() -> None:
            with suppress(StorageError):
                self.world.run(self.world.memory.editing.undo_change(change.id))

        if self.survive(undo, moment):
            assert others <= said(self.world.text)
        self.reckon()
        # The window takes the new text into the editor.
        self.look()

    @rule(pick=PICKS, moment=st.none() | MOMENTS)
    def restore(self, pick: int, moment: tuple[int, str] | None) -> None:
        changes = self.world.memory.editing.changes()
        if not changes or not changes[pick % len(changes)].before:
            return
        version = changes[pick % len(changes)].before
        self.survive(lambda: self.world.run(self.world.memory.editing.restore_version(version)), moment)
        self.reckon()
        # The window takes the new text into the editor.
        self.look()

    @precondition(lambda self: hasattr(self, "world") and self.world.memory.ledger.suggestions())
    @rule(
        pick=PICKS, decision=st.sampled_from(["accept", "reject", "mine", "theirs", "both"]), moment=st.none() | MOMENTS
    )
    def settle(self, pick: int, decision: str, moment: tuple[int, str] | None) -> None:
        held = self.world.memory.ledger.suggestions()
        suggestion = held[pick % len(held)]

        def settle() -> None:
            with suppress(ApprovalMoved):
                if decision in ("accept", "reject"):
                    self.world.run(self.world.memory.editing.settle(suggestion.id, decision))
                elif suggestion.conflicts:
                    number = pick % len(suggestion.conflicts)
                    self.world.run(self.world.memory.editing.settle_conflict(suggestion.id, number, decision))

        before = set(PERSONAL.findall(self.world.text))
        self.survive(settle, moment)
        # Both wordings, or theirs of a line that was moved, is what the person asked for.
        self.twice |= {line for line, count in Counter(self.world.text.split("\n")).items() if count > 1}
        if decision in ("reject", "mine"):
            assert before <= set(PERSONAL.findall(self.world.text))
        self.reckon()
        # The window takes the new text into the editor.
        self.look()

    # -- others and crashes -------------------------------------------------------------------------------------------

    @rule()
    def foreign_message(self) -> None:
        self.numbers += 2
        self.world.append_outside(f"m{self.numbers}")

    @rule()
    def foreign_entry(self) -> None:
        self.lines += 1
        words = f"Noted elsewhere N{self.lines}."
        self.entries[words] = 1
        self.world.report_outside_change(words)

    @rule()
    def restart(self) -> None:
        self.world.reopen()
        self.look()

    def survive(self, work: object, moment: tuple[int, str] | None) -> bool:
        """Does it, killed at that moment; False where it was. What it wanted may then have happened or not."""
        assert callable(work)
        if moment is None:
            work()
            return True
        survived = self.world.survives(work, *moment)
        if not survived:
            self.look()
            self.reckon()
        return survived

    def standing(self) -> set[str]:
        """Returns the person's lines in memory, or waiting for them."""
        return set(PERSONAL.findall(self.world.text)) | set(PERSONAL.findall(self.world.waiting()))

    def reckon(self, *, kept: bool = False) -> None:
        """Takes what stands as expected, after the person's own decision or a kill that left open whether it was done.

        `kept`: nothing of theirs may be gone.
        """
        standing = self.standing()
        if kept:
            assert self.mine <= standing, self.mine - standing
        text = set(PERSONAL.findall(self.world.text))
        # What a killed process never wrote was not deleted either.
        self.deleted = (self.deleted | ((self.mine - standing) & self.stood)) - text
        self.mine = {line for line in self.mine | text if line in standing and line not in self.deleted}

    # -- what always holds --------------------------------------------------------------------------------------------

    @invariant()
    def all_holds(self) -> None:
        if hasattr(self, "world"):
            self.every_message_is_there_once()
            self.every_range_is_told_once()
            self.no_line_of_the_persons_is_lost_and_none_they_deleted_is_back()
            self.there_is_no_stray_file()

    def every_message_is_there_once(self) -> None:
        found = Counter(name for names, _, _ in self.world.transcripts() for name in names)
        assert not [name for name, count in found.items() if count > 1]
        assert set(self.world.acknowledged) <= set(found)

    def every_range_is_told_once(self) -> None:
        done: Counter[str] = Counter()
        for names, pointer, began in self.world.transcripts():
            done.update(names[:pointer])
            assert pointer >= self.pointers.get(began, 0)
            self.pointers[began] = pointer
        assert self.world.counts_in_history() == done
        history = self.world.paths.history_file
        text = history.read_text() if history.exists() else ""
        assert all(text.count(words) == 1 for words in self.entries)

    def no_line_of_the_persons_is_lost_and_none_they_deleted_is_back(self) -> None:
        assert self.mine <= self.standing(), self.mine - self.standing()
        lines = Counter(self.world.text.split("\n"))
        self.stood |= set(lines)
        assert not [line for line in self.deleted if lines[line]]
        assert not [line for line in self.mine - self.twice if lines[line] > 1]
        assert not any(mark in self.world.text for mark in ("<<<<<<<", ">>>>>>>"))

    def there_is_no_stray_file(self) -> None:
        assert strays(self.world.root) == []


def said(text: str) -> set[str]:
    """Returns the lines that are not blank."""
    return {line for line in text.split("\n") if line.strip()}


def profile(examples: int, steps: int) -> settings:
    """Returns how long to try."""
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=quiet)


def main() -> int:
    """Tries long; exit code 1 with the shortest story found where something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof.machine")
    parser.add_argument("--examples", type=int, default=2_000)
    parser.add_argument("--steps", type=int, default=60)
    options = parser.parse_args()
    # A killed process has no log.
    logging.disable(logging.CRITICAL)
    began = time.monotonic()
    try:
        run_state_machine_as_test(Machine, settings=profile(options.examples, options.steps))
    except (AssertionError, MnemoscopeError) as error:
        print("\n".join(getattr(error, "__notes__", [])), repr(error), sep="\n")
        return 1
    print(f"{options.examples:,} stories of up to {options.steps} steps in {time.monotonic() - began:.0f} s: all hold.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The workbench of capture: what rules find in a chat, what a person says of it, and how edited rules would do.

Rules are tried before they are saved; marks are tests of whatever rules are in force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.domain.capture.judgements import (
    Judgement,
    RuleScore,
    added_rules,
    broken_examples,
    score_rules,
    with_judgement,
)
from mnemoscope.domain.capture.rules import DECOY, STATEMENT, RuleSet
from mnemoscope.domain.capture.scan import Capture, Refusal, scan
from mnemoscope.store.capture.rule_files import default_rules, load_rules
from mnemoscope.store.capture.user_rules import RuleFile, UserCaptureRules
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.write_access import WriteAccess


@dataclass(frozen=True, slots=True)
class RuleRow:
    """Describes one rule as a person looks it over. `is_own`: it stands in a file of the person's, and not in the
    program's."""

    id: str
    category: str
    language: str
    confidence: float
    is_on: bool = True
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """Holds what rules find in messages: for each message its captures and refusals in order; how the rules do on the
    marks; every rule there is; and a sentence for each that cannot be used, or does not follow its own examples."""

    found: tuple[tuple[Capture | Refusal, ...], ...]
    score: RuleScore
    rules: tuple[RuleRow, ...] = ()
    problems: tuple[str, ...] = ()


class CaptureWorkbench:
    """Serves the workbench of one workspace; the disk's thread does the work."""

    def __init__(self, root: Path, disk: Disk, *, read_only: bool = False, calls: FileCalls = REAL_CALLS) -> None:
        self._root = root
        self._disk = disk
        self._access = WriteAccess(root, read_only)
        self._own = UserCaptureRules(root, calls=calls)

    async def files(self) -> list[RuleFile]:
        """Returns the person's files of rules; there is always one to begin with."""
        return await self._disk.run(self._own.files)

    async def marks(self) -> list[Judgement]:
        """Returns what was marked up to now, the oldest first. Raises UnreadableFile."""
        return await self._disk.run(self._own.marks)

    async def trial(self, messages: Sequence[str], drafts: Mapping[str, str] | None = None) -> Trial:
        """Runs the rules, with edited texts in place of the files of these names, over the messages and all marks."""
        return await self._disk.run(self._trial, tuple(messages), dict(drafts or {}))

    async def save(self, file: RuleFile, text: str) -> RuleFile:
        """Saves a file of rules; they are in force from the next message on. Raises StorageError."""
        self._access.require()
        return await self._disk.run(self._own.write, file.name, text, file.digest)

    async def switch(self, rule: str, on: bool) -> None:
        """Switches a rule off, or on again. Raises StorageError."""
        self._access.require()
        await self._disk.run(self._switch, rule, on)

    async def mark(self, mark: Judgement) -> list[Judgement]:
        """Keeps what the person says of a place; returns all marks that there are then. Raises StorageError."""
        self._access.require()
        return await self._disk.run(self._mark, mark)

    async def unmark(self, mark: Judgement) -> list[Judgement]:
        """Forgets a mark; returns all that are left. Raises StorageError."""
        self._access.require()
        return await self._disk.run(self._unmark, mark)

    # -- on the disk's thread -----------------------------------------------------------------------------------------

    def _trial(self, messages: Sequence[str], drafts: Mapping[str, str]) -> Trial:
        rules = load_rules(self._root, drafts)
        found = tuple(tuple(scan(message, rules)) for message in messages)
        shipped = default_rules()
        problems = (*rules.problems, *broken_examples(rules, shipped))
        return Trial(found, score_rules(self._own.marks(), rules), self._rows(rules, shipped), problems)

    def _rows(self, rules: RuleSet, shipped: RuleSet) -> tuple[RuleRow, ...]:
        off = self._own.switched_off()
        known = {each.id: each for each in shipped.rules} | {each.id: each for each in rules.rules}
        on = {each.id for each in rules.rules}
        added = {each.id for each in added_rules(rules, shipped)}
        return tuple(
            RuleRow(
                each.id,
                each.category,
                each.language.code,
                each.confidence,
                each.id in on,
                each.id in added,
            )
            for each in sorted(
                (each for each in known.values() if each.category not in (STATEMENT, DECOY)), key=lambda rule: rule.id
            )
        ) + tuple(RuleRow(each, "", "", 0.0, is_on=False, is_own=True) for each in sorted(off - known.keys()))

    def _switch(self, rule: str, on: bool) -> None:
        off = self._own.switched_off()
        self._own.switch_off(off - {rule} if on else off | {rule})

    def _mark(self, mark: Judgement) -> list[Judgement]:
        marks = with_judgement(self._own.marks(), mark)
        self._own.write_marks(marks)
        return marks

    def _unmark(self, mark: Judgement) -> list[Judgement]:
        marks = [each for each in self._own.marks() if each != mark]
        self._own.write_marks(marks)
        return marks

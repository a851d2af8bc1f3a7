"""The health of memory: how many planted faults of lines are found, and how many honest lines are taken for faults.

`tests/corpus/health` holds memories with their faults in English, Russian, Chinese and Uzbek in both alphabets. The
rules were tuned on `open.json`, and on the misses of `sealed.json` once its score was known; `sealed_2.json` is only
scored. Pairs of `tests/corpus/disagreement` are planted into their honest lines: what disagrees has to be found there,
and nothing else.

What is no matter of words is tried in whole workspaces, which begin empty and get the honest lines in turn. One is
saved in the editor, and the next one written into the file by another program: such lines have no source. The memory
budget has room for about half of them: what a prompt that is then sent does not hold is not sent. In the first
workspace USER.md has lines of the same two hands too, and more of them than a prompt takes; not in the quick form, most
of which it would be.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from mnemoscope.agent.prompt.workspace_files import PROMPT_FILE_LIMIT
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.health.disagreeing_lines import disagreeing_lines
from mnemoscope.domain.health.examination import examined
from mnemoscope.domain.health.report import FindingKind
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace, open_workspace
from tests.bench.rows import Row
from tests.support.agent_bench import KEY, make_workbench
from tests.support.scripted_provider import ScriptedProvider, says

FOLDER: Final = Path(__file__).parents[1] / "corpus" / "health"
FOUND: Final = 0.9
FALSE: Final = 0.05
_MANY: Final = 2_000
_ROOM_BESIDE: Final = 40
"""Tokens of memory's heading and of the line that says that some of it is not sent."""
_WIDE: Final = 2_000
"""Characters of a line of which few fill a prompt."""


def score(half: str) -> Counter[str]:
    """Returns for one half how many faults there are and were found, by kind and language, and the same of honest
    lines and false alarms."""
    count: Counter[str] = Counter()
    for memory in json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8")):
        planted = {fault["line"]: fault for fault in memory["faults"]}
        found = {fault.line: fault for fault in examined(memory["lines"], date.fromisoformat(memory["today"]))}
        for number, line in enumerate(memory["lines"], 1):
            fault, alarm = planted.get(number), found.get(number)
            if fault is not None:
                right = alarm is not None and alarm.kind == fault["kind"] and alarm.of == (fault["of"] or 0)
                for part in ("faults", fault["kind"], memory["language"]):
                    count[part] += 1
                    count[f"{part} found"] += right
            elif not line.startswith("#"):
                count["honest"] += 1
                count["alarms"] += alarm is not None
    return count


def score_disagreements(half: str, pairs: str) -> Counter[str]:
    """Returns how many pairs that disagree there are and were found, each planted by itself into the honest lines of a
    memory of its language, and of how many honest lines some seem to disagree with another where none was planted."""
    count: Counter[str] = Counter()
    memories: dict[str, list[list[str]]] = {}
    for memory in json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8")):
        faults = {fault["line"] for fault in memory["faults"]}
        lines = [line for number, line in enumerate(memory["lines"], 1) if number not in faults]
        memories.setdefault(memory["language"], []).append(lines)
        count["honest"] += sum(line.startswith("- ") for line in lines)
        count["alarms"] += len(_disagreeing(lines))
    for number, pair in enumerate(
        json.loads((FOLDER.parent / f"disagreement/{pairs}.json").read_text(encoding="utf-8"))
    ):
        if pair["disagree"]:
            known = memories[pair["language"]]
            planted = [*known[number % len(known)], f"- {pair['old']}", f"- {pair['new']}"]
            count["planted"] += 1
            count["found"] += {pair["old"], pair["new"]} in _disagreeing(planted)
    return count


def _disagreeing(lines: list[str]) -> list[set[str]]:
    found = disagreeing_lines({MEMORY_PATH: "\n".join(lines)}, date(2026, 1, 1))
    return [{fact_text(finding.row), finding.words} for finding in found]


def score_places(half: str, each: int, *, is_quick: bool = False) -> Counter[str]:
    """Returns how many lines without a source, and how many that are in no prompt, there are and were found, in
    workspaces made of some memories of a half; and the same of lines with a source or in a prompt, and of false
    alarms."""
    count: Counter[str] = Counter()
    for memory in json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))[::each]:
        faults = {fault["line"] for fault in memory["faults"]}
        numbered = enumerate(memory["lines"], 1)
        lines = [line for number, line in numbered if line.startswith("- ") and number not in faults]
        with TemporaryDirectory() as folder:
            asyncio.run(_score_workspace(Path(folder), lines, count, has_readings=not count and not is_quick))
    return count


async def _score_workspace(root: Path, lines: Sequence[str], count: Counter[str], *, has_readings: bool) -> None:
    create_workspace(root)
    provider = ScriptedProvider(last=says("Yes."))
    budget = _ROOM_BESIDE + estimate_tokens("\n".join(lines)) // 2
    paths = WorkspacePaths(root)
    bench, _ = make_workbench(open_workspace(root), provider, memory_budget_tokens=budget)
    try:
        await bench.recover()
        texts = {MEMORY_PATH: list(lines), USER_PATH: list(_readings()) if has_readings else []}
        outside: set[tuple[str, str]] = set()
        for path, wanted in texts.items():
            await bench.memory.editing.save_text("# Facts\n\n", bench.memory.editing.read_text(path).digest, path=path)
            for place in range(0, len(wanted), max(1, len(wanted) // 10)):
                some = wanted[place : place + max(1, len(wanted) // 10)]
                text = bench.memory.editing.read_text(path)
                grown = text.text + "".join(f"{line}\n" for line in some)
                if place // max(1, len(wanted) // 10) % 2:
                    paths.file(path).write_text(grown, encoding="utf-8")
                    bench.memory.editing.read_text(path)
                    outside.update((path, line) for line in some)
                else:
                    await bench.memory.editing.save_text(grown, text.digest, path=path)
        await bench.loop.process(KEY, "Hello?")
        held = "\n".join(text_of(message) for message in provider.requests[-1].messages)
        report = await bench.health.read()
    finally:
        await bench.close()
    found = {(finding.path, finding.row, finding.kind) for finding in report.findings}
    for path, wanted in texts.items():
        for line in wanted:
            is_sent, has_source = line in held.split("\n"), (path, line) not in outside
            _count(count, "not_sent", is_planted=not is_sent, is_found=(path, line, FindingKind.NOT_SENT) in found)
            if is_sent:
                # Of a line that is not sent no source is asked for: it has that fault.
                _count(
                    count, "no_source", is_planted=not has_source, is_found=(path, line, FindingKind.NO_SOURCE) in found
                )


def _readings() -> Iterator[str]:
    """Yields lines of which no two say the same, twice as many as a prompt takes of a file."""
    for number in range(1, 2 * PROMPT_FILE_LIMIT // _WIDE):
        yield f"- Meter {number} showed {' '.join(f'{number}{reading:03}' for reading in range(_WIDE // 6))}"


def _count(count: Counter[str], kind: str, *, is_planted: bool, is_found: bool) -> None:
    count[f"{kind} {'planted' if is_planted else 'honest'}"] += 1
    count[f"{kind} {'found' if is_planted else 'alarms'}"] += is_found


def rows(quick: bool) -> Iterable[Row]:
    halves = (("open", "tuned on"), ("sealed", "read later"), ("sealed_2", "only scored"))
    scores = {half: score(half) for half, _ in halves}
    for half, words in halves:
        count = scores[half]
        found, alarms = count["faults found"] / count["faults"], count["alarms"] / count["honest"]
        what = f"faults of lines, {words}: found of {count['faults']} / false alarms of {count['honest']} honest lines"
        reached = found >= FOUND and alarms <= FALSE
        yield Row(what, f"{found:.1%} / {alarms:.1%}", f">= {FOUND:.0%} / <= {FALSE:.0%}", reached)
        for part in ("duplicate", "rotting_date", "task_residue", "en", "uz", "uz_cyrl", "ru", "zh"):
            figure = f"{count[f'{part} found']} of {count[part]}"
            yield Row(f"faults of lines, {words}: {part}", figure, "shown", passed=True)
    planted = (("open", "open", "tuned on"), ("sealed_2", "sealed_second", "only scored"))
    for half, pairs, words in planted:
        count = score_disagreements(half, pairs)
        found, alarms = count["found"] / count["planted"], count["alarms"] / count["honest"]
        what = f"lines that disagree, {words}: found of {count['planted']} planted pairs"
        yield Row(
            f"{what} / false alarms of {count['honest']}", f"{found:.1%} / {alarms:.1%}", "shown", alarms <= FALSE
        )
        faults = scores[half]
        both = (count["found"] + faults["faults found"]) / (count["planted"] + faults["faults"])
        yield Row(f"all faults of lines, {words}: found", f"{both:.1%}", f">= {FOUND:.0%}", both >= FOUND)
    places = score_places("sealed_2", 28 if quick else 1, is_quick=quick)
    for kind, words in (("not_sent", "that no prompt holds"), ("no_source", "of which no source is known")):
        found, alarms = (
            places[f"{kind} found"] / places[f"{kind} planted"],
            places[f"{kind} alarms"] / places[f"{kind} honest"],
        )
        what = f"lines {words}, in whole workspaces: found of {places[f'{kind} planted']}"
        reached = found >= FOUND and alarms <= FALSE
        what = f"{what} / false alarms of {places[f'{kind} honest']} others"
        yield Row(what, f"{found:.1%} / {alarms:.1%}", f">= {FOUND:.0%} / <= {FALSE:.0%}", reached)
    many = _MANY // 10 if quick else _MANY
    lines = [f"- Fact {number} of the person is about thing{number % 97}" for number in range(many)]
    begun = process_time()
    examined(lines, date(2026, 1, 1))
    took = process_time() - begun
    yield Row(
        f"examining {many:,} lines, on a thread of its own, processor time", f"{took:.2f} s", "shown", passed=True
    )
    lines = [f"- Person {number} lives in town {number * 7}" for number in range(many // 4)]
    begun = process_time()
    _disagreeing(lines)
    took = process_time() - begun
    yield Row(
        f"comparing {len(lines):,} lines that are all alike, processor time", f"{took:.2f} s", "shown", passed=True
    )

"""Opens a workspace again after a crash: recovers it, checks the invariants, and tries to go on working in it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from mnemoscope.agent.importing.imports import ImportProgress
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import Noticed
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from tests.proof.invariants import EXTRA, facts_of, falsely_missed, problems_of, problems_of_import
from tests.proof.opened import KEY, Opened, nanobots_home
from tests.proof.scenarios import Scenario


def recover(root: Path, arm: Callable[[], None] = lambda: None, calls: FileCalls = REAL_CALLS) -> None:
    """Opens, recover, look at the conversation, close. Raises MnemoscopeError."""
    arm()
    asyncio.run(_recovered(root, calls))


def problems_after(root: Path, scenario: Scenario, said: Sequence[str], *, go_on: bool = True) -> list[str]:
    """Recovers a workspace and returns what does not hold: at once, after one more consolidation and opening."""
    missed = [f"before recovery: {each}" for each in falsely_missed(root)]
    asyncio.run(_recovered(root, versions=scenario.versions))
    problems = missed + problems_of(root, scenario, said)
    if scenario.waits:
        problems += asyncio.run(_shown_again(root))
    if scenario.imports and not scenario.takes_back:
        problems += asyncio.run(_imported_again(root)) or problems_of(root, scenario, said)
    if problems or not go_on:
        return problems
    if refusal := asyncio.run(_go_on(root, versions=scenario.versions)):
        return [refusal]
    problems = [f"after going on: {each}" for each in problems_of(root, scenario, said)]
    before = _tree(root)
    notices = asyncio.run(_recovered(root, versions=scenario.versions))
    if scenario.forgotten and not notices and _tree(root) != before:
        # A line that a refused forgetting left is asked about when it is next looked at: once, and then no more.
        before = _tree(root)
        notices = asyncio.run(_recovered(root, versions=scenario.versions))
    if notices or _tree(root) != before:
        problems.append(f"a second opening found something to do: {notices}")
    return problems


async def _recovered(root: Path, calls: FileCalls = REAL_CALLS, *, versions: bool = False) -> list[str]:
    opened = Opened(root, calls=calls, versions=versions)
    try:
        await opened.bench.recover()
        await opened.session()
    finally:
        await opened.close()
    notices = [event.sentence for event in opened.events if isinstance(event, Noticed)]
    # Where nanobot keeps conversations is said at each opening.
    return [sentence for sentence in notices if str(nanobots_home(root)) not in sentence]


async def _imported_again(root: Path) -> list[str]:
    """Imports what is missing; returns what is missing still, and what comes a second time."""
    opened = Opened(root)
    try:
        await opened.bench.imports.run(root / "export", ImportProgress())
        seen = await opened.bench.imports.run(root / "export", ImportProgress())
    except MnemoscopeError as error:
        return [f"the next import failed: {error}"]
    finally:
        await opened.close()
    brought = (seen.result.conversations, seen.result.grown, seen.result.messages, len(seen.result.memories))
    return [*problems_of_import(root), *([f"a further import brought {brought}"] if any(brought) else [])]


async def _shown_again(root: Path) -> list[str]:
    from tests.proof.waiting import shown_again  # where Qt is

    opened = Opened(root)
    try:
        return await shown_again(opened)
    finally:
        await opened.close()


async def _go_on(root: Path, *, versions: bool) -> str:
    """Talks on and consolidates; returns what refuses it, or ""."""
    opened = Opened(root, versions=versions)
    try:
        session = await opened.session()
        for number in range(EXTRA, EXTRA + 8):
            session.add_message("user" if number % 2 == 0 else "assistant", f"m{number}")
        opened.bench.sessions.save(session)
        await opened.bench.discretion.change(KEY, Discretion.REMEMBERED)
        if not await opened.bench.loop.consolidate_now(KEY):
            return f"the next consolidation failed: {opened.bench.memory.last_consolidation(KEY).failure}"
        if not any(number >= EXTRA for number in facts_of(root).numbers):
            return "what was said afterwards is not there"
    except MnemoscopeError as error:
        return f"one cannot go on: {error}"
    finally:
        await opened.close()
    return ""


def _tree(root: Path) -> str:
    """Returns all contents but the lock's, which names its last owner."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name != "lock":
            digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()

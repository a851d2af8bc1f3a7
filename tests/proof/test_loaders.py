"""Tries any bytes in the files of a workspace: it opens, or says so with an error of ours, and no byte is lost."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.history_entries import parse_history
from mnemoscope.memory.search.recall import search_memory
from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from tests.support.agent_bench import make_bench
from tests.support.faulty_calls import CountedCalls, KillingCalls, SimulatedKill
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import TelltaleModel, conversation, save_memory

pytestmark = pytest.mark.slow

KEY = "cli:direct"
SESSION: Final = "sessions/cli_direct.jsonl"
INTENT: Final = ".mnemoscope/intent.json"
JOURNAL: Final = ".mnemoscope/memory-changes.jsonl"
MEMORY: Final = "# Notes\n- Known before\n- Likes tea\n"
WRONG = st.sampled_from([None, True, -1, 2**70, 1e300, "", "x" * 300, [], [None], {}, {"a": 1}, "2026-13-45", "\ud800"])


async def _fill(root: Path) -> None:
    bench = make_bench(root, "Hello", real_memory=True)
    conversation(bench.sessions, 8)
    store = bench.memory
    await store.editing.save_text(MEMORY, "")
    session = bench.sessions.get_or_create(KEY)
    await store.consolidate(session, TelltaleModel(), "m", memory_window=8)
    proposed = MEMORY.replace("- Likes tea\n", "")
    held = ScriptedProvider(save_memory("[2026-01-02 10:00] Told m4.", proposed))
    await store.consolidate(session, held, "m", memory_window=4)
    DraftStore(WorkspacePaths(root).own.drafts_dir).save(KEY, {"text": "being typed"})
    (root / "config.json").write_text('{"agents": {"defaults": {"model": "built-in"}}, "mnemoscope": {"x": [1]}}\n')


def _open_and_look(root: Path, calls: CountedCalls | None = None) -> None:
    """Reads all that the program reads of a workspace."""
    bench = make_bench(root, real_memory=True, calls=calls or CountedCalls())
    store, paths = bench.memory, WorkspacePaths(root)
    settings_ = SettingsStore(paths)
    settings_.load()
    for step in (
        store.recover,
        lambda: asyncio.run(bench.loop.services.partials.recover(bench.sessions, bench.loop.writer)),
        bench.sessions.overviews,
        bench.sessions.moves.trashed,
        lambda: bench.sessions.read_tail(KEY),
        lambda: [bench.sessions.get_or_create(KEY).messages[:], bench.sessions.health.damage(KEY)],
        store.editing.read_text,
        store.ledger.suggestions,
        store.ledger.records,
        lambda: store.records(bench.sessions.get_or_create(KEY)),
        store.editing.changes,
        lambda: [store.editing.version_text(change.after) for change in store.editing.changes()],
        lambda: search_memory(paths, "tea known"),
        lambda: parse_history(paths.history_file.read_bytes()),
        lambda: DraftStore(paths.own.drafts_dir).load(KEY),
    ):
        with suppress(MnemoscopeError):
            step()


async def _write(root: Path) -> None:
    """Does what a person does next: it works, or is refused in plain words."""
    bench = make_bench(root, "m9", real_memory=True)
    store = bench.memory

    async def change_memory() -> None:
        now = store.editing.read_text()
        await store.editing.save_text(now.text + "\n- Written later\n", now.digest)

    async def change_settings() -> None:
        kept = SettingsStore(WorkspacePaths(root))
        kept.load()
        kept.change(memory_window=20)

    async def consolidate() -> None:
        await store.consolidate(bench.sessions.get_or_create(KEY), TelltaleModel(), "m", archive_all=True)

    async def undo() -> None:
        for change in store.editing.changes()[-1:]:
            await store.editing.undo_change(change.id)

    async def settle() -> None:
        for suggestion in store.ledger.suggestions():
            await store.editing.settle(suggestion.id, "accept")

    for step in (change_memory, change_settings, consolidate, undo, settle, lambda: bench.loop.process(KEY, "m8")):
        with suppress(MnemoscopeError):
            await step()


@cache
def template() -> Path:
    """Returns a workspace with a file of each kind; the intent is one that was committed when its process was
    killed."""
    root = Path(tempfile.mkdtemp(prefix="loaders-")) / "template"
    root.mkdir()
    asyncio.run(_fill(root))
    pending = root.with_name("pending")
    for at in range(1, 200):
        shutil.rmtree(pending, ignore_errors=True)
        shutil.copytree(root, pending)
        try:
            bench = make_bench(pending, real_memory=True, calls=KillingCalls(at))
            session = bench.sessions.get_or_create(KEY)
            asyncio.run(bench.memory.consolidate(session, TelltaleModel(), "m", archive_all=True))
        except SimulatedKill:
            if (pending / INTENT).exists():
                break
    shutil.copy(pending / INTENT, root.with_name("intent.json"))
    return root


@pytest.fixture(scope="module", autouse=True)
def _remove_template() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
    shutil.rmtree(template().parent)
    template.cache_clear()


def files() -> dict[str, bytes]:
    """Returns each kind of file, with valid bytes."""
    root = template()
    ledger, suggestion, draft = (
        next((root / ".mnemoscope" / folder).glob("*.json")).relative_to(root).as_posix()
        for folder in ("ledger", "suggestions", "drafts")
    )
    names = [SESSION, "memory/MEMORY.md", "memory/HISTORY.md", "config.json", JOURNAL, ledger, suggestion, draft]
    found = {name: (root / name).read_bytes() for name in names}
    return {**found, INTENT: root.with_name("intent.json").read_bytes()}


KINDS: Final = ["session", "memory", "history", "config", "journal", "ledger", "suggestion", "draft", "intent"]


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """Returns the bytes with a few pieces taken out, doubled, put in or turned over."""
    pieces = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(pieces)))
        stop = draw(st.integers(start, min(len(pieces), start + draw(st.sampled_from([1, 8, 400])))))
        kind = draw(st.sampled_from(["cut", "drop", "double", "put", "zero"]))
        if kind == "cut":
            del pieces[start:]
        elif kind == "drop":
            del pieces[start:stop]
        elif kind == "double":
            pieces[start:start] = pieces[start:stop]
        elif kind == "zero":
            pieces[start:stop] = bytes(stop - start)
        else:
            odd = [b"\xff", b"\n", b"\r\n", b'"', b"}", b"[" * 2_000, b"\xed\xa0\x80", b"\xe2\x80\xa8", b"NaN", b"null"]
            pieces[start:start] = draw(st.sampled_from(odd) | st.binary(max_size=12))
    return bytes(pieces)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield (*path, name)
        yield from _places(each, (*path, name))


@st.composite
def with_wrong_values(draw: st.DrawFn, data: bytes, *, sealed: bool) -> bytes:
    """Draws valid JSON lines in which something is of another type, or gone. `sealed`: the checksum is right."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")] or [data]
    number = draw(st.integers(0, len(lines) - 1))
    try:
        document = json.loads(lines[number])
    except ValueError:
        document = json.loads(data)
        lines, number = [data], 0
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(document))
        if not places:
            break
        *outer, last = draw(st.sampled_from(places))
        target = document
        for name in outer:
            target = target[name]
        if draw(st.booleans()):
            target[last] = copy.deepcopy(draw(WRONG))
        else:
            del target[last]
    lines[number] = json.dumps(document).encode()
    return b"\n".join([*lines, digest_of(lines[0]).encode()] if sealed else lines) + b"\n"


def _kept(root: Path, name: str, data: bytes) -> bool:
    """Returns whether every line of the file is still somewhere in the workspace, told by its bytes."""
    everything = b"\n".join(path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file())
    whole = digest_of(data).encode()
    return all(line in everything or whole in everything for line in data.replace(b"\r\n", b"\n").split(b"\n"))


def try_it(kind: str, data: bytes) -> None:
    """Opens a workspace in which the file holds these bytes."""
    name = list(files())[KINDS.index(kind)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        shutil.copytree(template(), root)
        (root / name).write_bytes(data)
        _open_and_look(root)
        if kind == "config":
            assert (root / name).read_bytes() == data
        elif kind not in ("intent", "draft"):
            assert _kept(root, name, data)
        asyncio.run(_write(root))
        if kind == "memory":
            version = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
            assert (root / name).read_bytes() == data or _kept(root, name, version)
        if kind in ("session", "history"):
            assert _kept(root, name, data)
        _open_and_look(root)


# Each example opens a whole workspace three times. With `--long` there are ten times as many.
quiet = settings(
    max_examples=settings().max_examples // 4,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("kind", KINDS)
def test_any_bytes_at_all_are_no_reason_to_fail(kind: str) -> None:
    @quiet
    @given(data=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
    @example(data=b"")
    @example(data=b"\xff\xfe\x00")
    @example(data=b"[" * 100_000)
    @example(data=b'{"a":' * 20_000)
    def check(data: bytes) -> None:
        try_it(kind, data)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_ours_that_was_damaged_costs_itself_at_most(kind: str) -> None:
    @quiet
    @given(data=st.deferred(lambda: mutated(list(files().values())[KINDS.index(kind)])))
    def check(data: bytes) -> None:
        try_it(kind, data)

    check()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("memory", "history")])
def test_values_of_another_type_are_no_reason_to_fail(kind: str) -> None:
    sealed = kind in ("intent", "ledger")

    @quiet
    @given(data=st.deferred(lambda: with_wrong_values(list(files().values())[KINDS.index(kind)], sealed=sealed)))
    def check(data: bytes) -> None:
        try_it(kind, data)

    check()

"""After everything was forgotten no plain hash of it stays: who guesses the fact finds nothing that says so.

Every hash that is made of a text with the fact, or of such a hash, is noted while the workspace is used as a person
and a model use it. None of them may stand in a file or a name afterwards.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.disagreement.memory_check import Disagreement
from mnemoscope.domain.forgetting.forgetting_receipt import ForgettingReceipt
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.domain.review.review_items import review_items
from mnemoscope.domain.review.sources import Sources
from mnemoscope.store.forgetting.byte_search import files_below
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY, Opened

NUMBER = "020 7946 0123"
LINE = f"- Sam's phone number is {NUMBER}"
BEFORE = "# Facts\n\n- Known before\n- Has two cats\n"
_LEAST = 12
"""Hexadecimal digits of a hash that is cut short."""
_TOKEN = re.compile(rb"[0-9a-f]{12,128}")


class NotedHashes:
    """The hashes made of texts that have the number, and of what such hashes are in."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def note(self, data: bytes, hexadecimal: str) -> None:
        said = data.decode("utf-8", "replace")
        named = {token.decode()[:_LEAST] for token in _TOKEN.findall(data)}
        if "02079460123" in re.sub(r"\W", "", said) or named & self.found.keys():
            self.found.setdefault(hexadecimal[:_LEAST], said)

    def left_in(self, root: Path) -> dict[str, str]:
        """Returns the files whose bytes or name have one of the hashes, with a text it was made of."""
        left: dict[str, str] = {}
        for path in files_below(root):
            data = path.read_bytes()
            if "objects" in path.parts:
                with suppress(zlib.error):
                    data = zlib.decompress(data)
            data = path.relative_to(root).as_posix().encode() + b"\n" + data
            for token in _TOKEN.findall(data):
                for start in range(len(token) - _LEAST + 1):
                    if (known := self.found.get(token[start : start + _LEAST].decode())) is not None:
                        left[f"{path.relative_to(root)}: {token.decode()}"] = known[:200]
        return left


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> NotedHashes:
    notes = NotedHashes()

    def noting(make: Callable[..., Any]) -> Callable[..., Any]:
        def made(data: Any = b"", *args: Any, **named: Any) -> Any:
            hashed = make(data, *args, **named)
            notes.note(bytes(data), hashed.hexdigest())
            return hashed

        return made

    for name in ("sha256", "blake2b"):
        monkeypatch.setattr(hashlib, name, noting(getattr(hashlib, name)))
    return notes


async def lived_in(root: Path) -> Opened:
    """Returns a workspace in which the fact was captured, consolidated, edited, deleted, brought back, proposed,
    accepted and drafted."""
    await asyncio.to_thread(conversation, root)
    paths = WorkspacePaths(root)
    paths.memory_file.write_text(BEFORE, encoding="utf-8")
    opened = Opened(root, window=8, versions=True)
    editing, run = opened.bench.memory.editing, opened.bench.disk.run

    async def save(text: str) -> None:
        await editing.save_text(text, (await run(editing.read_text)).digest)

    await opened.bench.loop.process(KEY, f"Remember that Sam's phone number is {NUMBER}. m12")
    await opened.bench.loop.process(KEY, f"I prefer to be called on {NUMBER}. m14")
    await save(f"{BEFORE}{LINE}\n- Plays the cello\n")
    await save(f"{BEFORE}- Plays the cello\n")
    # Written back by another program, and taken in.
    paths.memory_file.write_text(f"{BEFORE}- Plays the cello\n{LINE}\n- Sam: {NUMBER}\n", encoding="utf-8")
    await save(f"{BEFORE}{LINE}\n- Sam: {NUMBER}\n- Plays the viola\n")
    # A tool proposes a line that a person has to look at; they take it, and look at two facts that disagree.
    base = await run(editing.read_text)
    proposed = f"{base.text}- Always call Sam on {NUMBER} before the nightly job runs\n"
    await editing.save_text(proposed, base.digest, "agent", sources=Sources())
    for item in review_items(await run(opened.bench.memory.ledger.suggestions)):
        await editing.decide(item, "accept")
    await save(f"{(await run(editing.read_text)).text}- Sam's phone number is 020 7946 0999\n")
    await editing.propose_pair(Disagreement(LINE, "- Sam's phone number is 020 7946 0999"))
    await opened.bench.loop.consolidate_now(KEY)
    current = await run(editing.read_text)
    drafts = DraftStore(paths.own.drafts_dir)
    drafts.save("editor", {"text": f"{current.text}- More of {NUMBER}\n", "based_on": current.digest})
    return opened


async def reopened(root: Path) -> Opened:
    opened = Opened(root, window=8, versions=True)
    await opened.bench.recover()
    return opened


async def forgotten(opened: Opened, *, everything: bool) -> ForgettingReceipt:
    forgetting = opened.bench.forgetting
    plan = await forgetting.plan([NUMBER])
    chosen = plan.everything if everything else plan.by_default
    return await forgetting.carry_out(plan.text, chosen, plan.without(chosen))


async def test_after_everything_no_plain_hash_is_left(tmp_path: Path, noted: NotedHashes) -> None:
    opened = await lived_in(tmp_path)
    assert noted.left_in(tmp_path)
    receipt = await forgotten(opened, everything=True)
    assert receipt.is_clean
    await opened.close()
    assert noted.left_in(tmp_path) == {}


async def test_after_the_default_only_what_is_made_of_places_that_stay_is_left(
    tmp_path: Path, noted: NotedHashes
) -> None:
    opened = await lived_in(tmp_path)
    receipt = await forgotten(opened, everything=False)
    await opened.close()
    assert {each.kind for each in receipt.left} == {PlaceKind.CONVERSATIONS, PlaceKind.DRAFTS, PlaceKind.COMMITS}
    left = {name.partition(":")[0] for name in noted.left_in(tmp_path)}
    # The ledger names the messages of a consolidation, which stand in the conversation word for word.
    assert {name for name in left if not name.startswith((".mnemoscope/ledger/", "memory/.git/"))} == set()
    later = await reopened(tmp_path)
    await forgotten(later, everything=True)
    await later.close()
    assert noted.left_in(tmp_path) == {}


async def test_taken_back_everything_goes_by_its_former_hashes(tmp_path: Path) -> None:
    opened = await lived_in(tmp_path)
    kept = (
        ".mnemoscope/memory-changes.jsonl",
        ".mnemoscope/versions/",
        ".mnemoscope/ledger/",
        ".mnemoscope/suggestions/",
    )

    def tree() -> dict[str, bytes]:
        files = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in files_below(tmp_path)}
        return {name: data for name, data in files.items() if name.startswith(kept)}

    before = tree()
    receipt = await forgotten(opened, everything=True)
    assert tree() != before
    assert await opened.bench.forgetting.undo(receipt.id) == []
    assert tree().items() >= before.items()
    await opened.close()

"""`mnemoscope import PATH --into WORKSPACE`: takes conversations of another assistant in. Needs no Qt."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TextIO

from mnemoscope.agent.importing.import_sources import open_source
from mnemoscope.agent.importing.importer import Importer, ImportResult, ImportUndone
from mnemoscope.agent.search.search_service import local_vectors
from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.domain.foreign.foreign_export import ForeignExport
from mnemoscope.domain.settings import LOCAL_EMBEDDING, Settings, embedding_model_in_force
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.import_records import ImportRecords
from mnemoscope.store.workspace.links_out import require_agreed_links
from mnemoscope.store.workspace.program_folders import ProgramFolders
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.trust_store import TrustStore
from mnemoscope.store.workspace.workspace import create_workspace, inspect_workspace, open_workspace

_FINE: Final = 0
_NOT_WHOLE: Final = 1
_NOTHING_TO_IMPORT: Final = 2


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Imports and returns 0, 1: something could not be read or written, 2: there is nothing to import, or nowhere."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope import",
        description="Take the conversations and memories of another assistant into a workspace: an export of ChatGPT "
        "or Claude (a folder, a zip, or one of a set of zips), or the folder of an agent on this computer. What was "
        "imported before is not imported again. Memories wait for your review.",
    )
    parser.add_argument("path", type=Path, metavar="PATH", help="what is imported; it stays as it is")
    parser.add_argument("--into", type=Path, required=True, metavar="WORKSPACE", help="made where there is none")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--preview", action="store_true", help="only tell what would be imported")
    parser.add_argument("--undo", action="store_true", help="take the last import from there back")
    options = parser.parse_args(argv)
    stream = out or sys.stdout
    try:
        if not options.path.exists():
            print(f"“{options.path}” is not there. Nothing was imported.", file=sys.stderr)
            return _NOTHING_TO_IMPORT
        source = open_source(options.path)
        if source is None:
            sentence = f"“{options.path}” is no export and no store of an agent that can be read. Nothing was imported."
            print(sentence, file=sys.stderr)
            return _NOTHING_TO_IMPORT
        try:
            if options.preview:
                found = _preview(options.into, source)
            else:
                with importer_of(options.into, may_make=not options.undo) as importer:
                    if options.undo:
                        return _undo(importer, source.format_name, stream, as_json=options.json)
                    found = importer.run(source)
        finally:
            source.close()
    except MnemoscopeError as error:
        print(error, file=sys.stderr)
        return _NOTHING_TO_IMPORT
    _print(_as_json(found) if options.json else _text(found, source.title), stream)
    return _FINE if found.is_whole and not found.problems else _NOT_WHOLE


@contextmanager
def importer_of(root: Path, *, may_make: bool) -> Iterator[Importer]:
    """Opens a workspace for an import, and makes it where there is none. Raises WorkspaceError or StorageError."""
    if may_make and _is_to_be_made(root):
        create_workspace(root, template=shipped("resources", "blank"))
    require_agreed_links(root, TrustStore(ProgramFolders.of_this_person().trusted))
    with open_workspace(root) as workspace:
        sessions = SessionManager(workspace.root)
        memory = MemoryStore(workspace.root, sessions=sessions)
        memory.finish_pending()
        sessions.branches.tidy()
        records = ImportRecords(workspace.paths)
        yield Importer(
            sessions,
            memory.ledger,
            records,
            lambda: memory.read_long_term() or "",
            objection=memory.files.memory.changes.objection,
            rejections=memory.rejections,
            compare=_compare_of(memory, SettingsStore(workspace.paths, profile=workspace.report.profile).load()),
        )


def _compare_of(memory: MemoryStore, settings: Settings) -> Callable[[str, str], None]:
    """Returns what knows rejected facts in what an import brings by their meaning, as the window does: where the search
    by meaning asks the model of this computer, and where that is installed."""

    async def compared(before: str, after: str) -> None:
        embedder = LocalEmbedder()
        memory.rejected_meanings.use_model(partial(local_vectors, embedder))
        try:
            await memory.rejected_meanings.compare(before, after)
        finally:
            await embedder.aclose()

    def compare(before: str, after: str) -> None:
        is_asked = embedding_model_in_force(settings) == LOCAL_EMBEDDING
        if is_asked and memory.rejections.facts():
            asyncio.run(compared(before, after))

    return compare


def _is_to_be_made(root: Path) -> bool:
    return inspect_workspace(root).kind in ("missing", "empty", "begun")


def _preview(root: Path, source: ForeignExport) -> ImportResult:
    """Tells what an import would bring. Where the workspace is not made yet, a passing one stands in for it."""
    if not _is_to_be_made(root):
        with importer_of(root, may_make=False) as importer:
            return importer.preview(source)
    with TemporaryDirectory(prefix="mnemoscope-") as folder, importer_of(Path(folder), may_make=True) as importer:
        return importer.preview(source)


def _undo(importer: Importer, source: str, stream: TextIO, *, as_json: bool) -> int:
    newest = next((each for each in importer.imports() if each.source == source), None)
    if newest is None:
        raise StorageError("Nothing that could be taken back was imported from there.", next_step="")
    done = importer.undo(newest.id)
    _print(_as_json(done) if as_json else _undone(done), stream)
    return _FINE


def _undone(done: ImportUndone) -> str:
    text = f"{_count(done.conversations, 'conversation')} went to the trash."
    if done.kept:
        text += f" {_count(done.kept, 'conversation')} went on here and stayed."
    if done.memories:
        wait = "waits" if done.memories == 1 else "wait"
        text += f" {_count(done.memories, 'memory', 'memories')} {wait} for review no more."
    return text


def _as_json(found: ImportResult | ImportUndone) -> str:
    return json.dumps(asdict(found), ensure_ascii=False, indent=2)


def _print(text: str, stream: TextIO) -> None:
    stream.write(text.encode("utf-8", "replace").decode() + "\n")


def _text(found: ImportResult, title: str) -> str:
    lines = [
        f"From {title}: {_count(found.conversations, 'new conversation')}, {_count(found.messages, 'message')}.",
    ]
    if found.grown:
        lines.append(f"{_count(found.grown, 'conversation')} had more to say than before.")
    if found.skipped:
        lines.append(f"{_count(found.skipped, 'conversation')} went on or were deleted here, and were left alone.")
    if found.left_out:
        stay = "stays" if found.left_out == 1 else "stay"
        lines.append(
            f"{_count(found.left_out, 'conversation')} of subagents or of the archive {stay} there: only the "
            "conversations that the person had are imported."
        )
    if found.memories:
        wait = "waits" if len(found.memories) == 1 else "wait"
        lines.append(f"{_count(len(found.memories), 'memory', 'memories')} {wait} for your review:")
        lines += [f"    {text}" for text in found.memories]
    lines += [f"Problem: {each}" for each in found.problems]
    return "\n".join(lines)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"

"""`mnemoscope export WORKSPACE`: conversations as Markdown, HTML or their own records. Needs no Qt and no model.

Reads only: nothing in the workspace is written, not even a lock.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from mnemoscope.agent.export.exported_conversation import ExportWords
from mnemoscope.agent.export.exporter import (
    ConversationExporter,
    ExportFormat,
    ExportPart,
    ExportSource,
    encoded_parts,
    file_name_of,
    file_names_of,
    images_beside,
    parts_of_export,
    write_export,
)
from mnemoscope.agent.export.html_export import Render
from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.store.files.atomic import make_directory
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.workspace import inspect_workspace, open_workspace

_FINE: Final = 0
_NOT_WHOLE: Final = 1
_NOTHING_TO_EXPORT: Final = 2


class PageReader(AbstractContextManager[Any], Protocol):
    """Reads Markdown for a page, from when it is entered until it is left."""

    def html_of(self, markdown: str) -> str:
        """Returns an untrusted Markdown text as HTML that holds none of its own."""


def main(argv: Sequence[str], make_reader: Callable[[], PageReader], out: BinaryIO | None = None) -> int:
    """Exports and returns 0, 1: something could not be read or written, 2: no such workspace or conversation.

    `make_reader` gives what reads Markdown for a page; it is called for HTML alone.
    """
    parser = argparse.ArgumentParser(
        prog="mnemoscope export",
        description="Take conversations out of a workspace, which stays as it is. One conversation is printed, or "
        "written to --out; all of them are written to the folder --out. Nothing is ever overwritten.",
    )
    parser.add_argument("workspace", type=Path, metavar="WORKSPACE", help="the folder whose conversations are exported")
    parser.add_argument("--conversation", metavar="X", help="one of them, by its key, its title or how that begins")
    parser.add_argument("--format", choices=[each.value for each in ExportFormat], default=ExportFormat.MARKDOWN.value)
    parser.add_argument("--out", type=Path, metavar="PATH", help="the file, or the folder where all are exported")
    options = parser.parse_args(argv)
    report = inspect_workspace(options.workspace)
    if report.kind not in {"workspace", "peer"}:
        print(f"{report.sentence} There is nothing to export.", file=sys.stderr)
        return _NOTHING_TO_EXPORT
    form = ExportFormat(options.format)
    try:
        with ExitStack() as opened:
            render = opened.enter_context(make_reader()).html_of if form is ExportFormat.HTML else str
            workspace = opened.enter_context(open_workspace(report.root, read_only=True))
            exporter = ConversationExporter(workspace.paths, SessionManager(workspace.root, read_only=True))
            export = _Export(exporter, form, render)
            if options.conversation is not None:
                return export.one(options.conversation, options.out, out or sys.stdout.buffer)
            return export.all(options.out)
    except MnemoscopeError as error:
        print(error, file=sys.stderr)
        return _NOTHING_TO_EXPORT


class _Export:
    def __init__(self, exporter: ConversationExporter, form: ExportFormat, render: Render) -> None:
        self._exporter = exporter
        self._form = form
        self._render = render

    def one(self, words: str, place: Path | None, stream: BinaryIO) -> int:
        source = wanted_source(self._exporter.sources(), words)
        try:
            if place is None:
                stream.writelines(encoded_parts(self._parts(source), self._exporter.images.read))
                stream.flush()
            else:
                self._write(place / file_name_of(source, self._form) if place.is_dir() else place, source)
        except (MnemoscopeError, OSError) as error:
            if isinstance(error, OSError) and place is None:
                raise  # The output is the caller's.
            print(error, file=sys.stderr)
            return _NOT_WHOLE
        return _FINE

    def all(self, folder: Path | None) -> int:
        if folder is None:
            print("Name the folder they go to with --out, or one of them with --conversation.", file=sys.stderr)
            return _NOTHING_TO_EXPORT
        sources, failed = self._exporter.sources(), 0
        make_directory(folder, mode=0o700)
        for source, name in zip(sources, file_names_of(sources, self._form), strict=True):
            try:
                self._write(folder / name, source)
            except MnemoscopeError as error:
                failed += 1
                print(f"{name}: {error}", file=sys.stderr)
        print(f"{len(sources) - failed:,} of {len(sources):,} conversations are in {folder}.", file=sys.stderr)
        return _NOT_WHOLE if failed else _FINE

    def _write(self, path: Path, source: ExportSource) -> None:
        write_export(path, self._parts(source, path), self._exporter.images.read)

    def _parts(self, source: ExportSource, path: Path | None = None) -> Iterable[ExportPart]:
        """Returns the parts of an export; the images of Markdown are put beside `path`."""
        if self._form is ExportFormat.RECORDS:
            return self._exporter.records(source)
        conversation, places = self._exporter.read(source), dict[str, str]()
        if path is not None and self._form is ExportFormat.MARKDOWN:
            places = images_beside(path, conversation, self._exporter.images.read)
        return parts_of_export(conversation, self._form, ExportWords(), self._render, places)


def wanted_source(sources: Sequence[ExportSource], words: str) -> ExportSource:
    """Returns the conversation that a person names by its key, its title or the beginning of that. Raises StorageError
    with what they can do where there is none, or more than one."""
    named = words.casefold()
    matches = (
        [each for each in sources if each.key == words and not each.closed],
        [each for each in sources if each.key == words],
        [each for each in sources if each.title.casefold() == named],
        [each for each in sources if named and each.title.casefold().startswith(named)],
    )
    found = next((each for each in matches if each), [])
    if len(found) == 1:
        return found[0]
    known = "\n".join(f"  {each.key}  {each.title}" for each in found or sources)
    sentence = f"{len(found)} conversations are called “{words}”." if found else f"No conversation is called “{words}”."
    raise StorageError(sentence, next_step=f"Name one by its key:\n{known}" if known else "")

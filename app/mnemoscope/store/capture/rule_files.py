"""The files that hold capture rules: those that ship with the program, and the person's own in `capture/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from mnemoscope.domain.capture.rules import File, RuleSet, rule_set
from mnemoscope.store.files.shipped import shipped

FOLDER: Final = "capture"
SWITCHED_OFF: Final = "switched-off.toml"
"""Read last, so that whatever file a rule stands in, it can be switched off."""
LARGEST_FILE: Final = 1_000_000
"""Bytes of a file of rules; a larger one is none a person wrote."""


def load_rules(workspace: Path | None = None, drafts: Mapping[str, str] | None = None) -> RuleSet:
    """Returns the shipped rules and, over them, those in the workspace. What cannot be read or used is left out and
    named in `problems`; nothing is raised. `drafts`: texts that take the place of the workspace's files of these names.
    """
    own, own_problems = _read(workspace / FOLDER, drafts or {}) if workspace is not None else ([], [])
    if workspace is not None and not own and not own_problems:
        # To read and build the shipped ones takes some 80 ms.
        return default_rules()
    ours, problems = _read(shipped("resources", FOLDER), {})
    return rule_set(own, problems + own_problems, shipped=ours)


@cache
def default_rules() -> RuleSet:
    """Returns the rules that ship with the program, read once."""
    return load_rules()


class ActiveRules:
    """Holds the rules of one workspace, read again when a file of the person's own changed. Nothing is read before
    asked."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._mark: tuple[tuple[str, int, int], ...] = ()
        self._rules: RuleSet | None = None

    def rules(self) -> RuleSet:
        """Returns the rules as the files say now."""
        mark = tuple(sorted(_marks(self._workspace / FOLDER)))
        if self._rules is None or mark != self._mark:
            self._mark = mark
            self._rules = load_rules(self._workspace) if mark else default_rules()
        return self._rules


def _marks(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Yields what tells one state of each file of rules from another without reading it."""
    with suppress(OSError):
        for path in folder.glob("*.toml"):
            status = path.stat()
            yield path.name, status.st_size, status.st_mtime_ns


def _read(folder: Path, drafts: Mapping[str, str]) -> tuple[list[File], list[str]]:
    files: list[File] = []
    problems: list[str] = []
    paths = {*folder.glob("*.toml"), *(folder / name for name in drafts)}
    for path in sorted(paths, key=lambda path: (path.name == SWITCHED_OFF, path.name)):
        try:
            text = drafts[path.name] if path.name in drafts else _text(path)
            files.append((path.name, tomllib.loads(text)))
        except (OSError, ValueError, RecursionError) as error:
            problems.append(f"{path.name} cannot be read, so none of its rules is used: {_reason(error)}.")
    return files, problems


def _text(path: Path) -> str:
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError("it is larger than a million bytes")
    # Editors of Windows begin a file with a mark that is no text.
    return path.read_text(encoding="utf-8-sig")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or "the disk does not answer"
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    return str(error).rstrip(".")

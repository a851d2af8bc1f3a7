"""Finds the links in a workspace that lead out of it, and has none written through before the person agrees to it.

A folder from elsewhere could so have what is said, and what it brings itself, written into any file of the person's, or
have any file of theirs sent along. The files that have a name in the root are looked at, and everything in the folders
that are written to.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import LeadsOut
from mnemoscope.domain.memory.file_registry import HEARTBEAT_PATH, INSTRUCTION_FILES, STATE_PATH, USER_PATH
from mnemoscope.domain.trust import INSTRUCTION_FOLDERS, FolderIdentity, links_agreed_to, with_links
from mnemoscope.store.files.display_names import OWN_FOLDER
from mnemoscope.store.workspace.trust_store import TrustStore, identity_of

_SENT_FILES: Final = ("MEMORY.md", USER_PATH, STATE_PATH)
_SENT_FOLDERS: Final = ("memory", "sessions")
_WRITTEN_FILES: Final = (*_SENT_FILES, *INSTRUCTION_FILES, HEARTBEAT_PATH, "config.json")
_WRITTEN_FOLDERS: Final = (*_SENT_FOLDERS, *INSTRUCTION_FOLDERS, OWN_FOLDER)
_GIT: Final = ".git"
_MOST_NAMED: Final = 5


def shared_links_out(root: Path) -> dict[str, str]:
    """Returns the links out that a model may be sent something of: by their path in the workspace, where they lead."""
    return _links_out(root, _SENT_FILES, _SENT_FOLDERS)


def links_out(root: Path) -> dict[str, str]:
    """Returns the links through which something would be written outside, with where they lead; most have none. A link
    to a file that is not there yet counts too."""
    return _links_out(root, _WRITTEN_FILES, _WRITTEN_FOLDERS)


def leads_elsewhere(root: Path, path: str) -> bool:
    """Returns whether a path in the folder leads out of it through a link that nobody is asked about."""
    if path.partition("/")[0] in (*_WRITTEN_FILES, *_WRITTEN_FOLDERS):
        return False
    return not _is_in(os.path.realpath(root / path), os.path.realpath(root))


def require_agreed_links(root: Path, store: TrustStore, agreed: str = "") -> None:
    """Raises LeadsOut while a link leads out of the folder that nobody on this computer agreed to.

    `agreed`: the fingerprint of such an error once the person agreed to what it names, which is kept. Raises
    StorageError where that cannot be kept.
    """
    found = links_out(root)
    if not found:
        return
    identity = identity_of(root)
    known = store.load(identity)
    if found.items() <= links_agreed_to(known).items():
        return
    if agreed != (fingerprint := _fingerprint(identity, found)):
        raise LeadsOut(_sentence(root, found), path=str(root), links=found, fingerprint=fingerprint)
    store.save(identity, with_links(known, found))


def _links_out(root: Path, files: Sequence[str], folders: Sequence[str]) -> dict[str, str]:
    home = os.path.realpath(root)
    places = [root / name for name in (*files, *folders)]
    links = [str(place) for place in places if place.is_symlink()]
    for folder in folders:
        links += _links_in(str(root / folder))
    found = {}
    for link in links:
        real = os.path.realpath(link)
        if not _is_in(real, home):
            found[Path(link).relative_to(root).as_posix()] = os.fsencode(real).decode("utf-8", "backslashreplace")
    return found


def _is_in(real: str, home: str) -> bool:
    return real == home or real.startswith(home.rstrip(os.sep) + os.sep)


def _links_in(folder: str) -> Iterator[str]:
    """Yields the links in a folder and below it; none is followed."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink():
                yield entry.path
            elif entry.name != _GIT and entry.is_dir(follow_symlinks=False):
                yield from _links_in(entry.path)


def _fingerprint(identity: FolderIdentity, found: Mapping[str, str]) -> str:
    said = json.dumps([identity.path, identity.device, identity.inode, found], sort_keys=True)
    return hashlib.sha256(said.encode("ascii")).hexdigest()


def _sentence(root: Path, found: Mapping[str, str]) -> str:
    named = ", ".join(sorted(found)[:_MOST_NAMED]) + (", …" if len(found) > _MOST_NAMED else "")
    return f"“{root.name or root}” has links that lead outside it, and would be written to there: {named}."

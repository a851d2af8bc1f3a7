"""Names of session files. nanobot's readable name where it is free, base64url of the key where two keys would collide.

The key inside the file is the truth; a name only says where to look first.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

SUFFIX: Final = ".jsonl"
_UNSAFE: Final = str.maketrans(dict.fromkeys('<>:"/\\|?*', "_"))
_BEFORE_DATES: Final = "0-"
_LONGEST_STEM: Final = 180
"""In bytes; leaves room for suffixes under the 255 bytes most file systems allow."""


def readable_stem(key: str) -> str:
    """Returns `cli_direct` for `cli:direct`, as in nanobot up to 0.2.2. Different keys may give the same stem."""
    return key.translate(_UNSAFE).strip()


def encoded_stem(key: str) -> str:
    """Returns the key in base64url without `=`, as nanobot names files from 0.3.0 on."""
    return base64.urlsafe_b64encode(key.encode("utf-8", "surrogatepass")).decode("ascii").rstrip("=")


def lookup_names(key: str) -> list[str]:
    """Returns file names to look for. base64url first, as in 0.3.0: only it cannot be for another key."""
    names = [*islice(candidate_names(key), 4), *islice(candidate_names(key, before_dates=True), 2)]
    encoded = encoded_stem(key) + SUFFIX
    return sorted(names, key=lambda name: name != encoded)


def candidate_names(key: str, *, encoded_first: bool = False, before_dates: bool = False) -> Iterator[str]:
    """Returns file names for a new file of a key, the preferred one first: nanobot up to 0.2.2 reads only the readable
    one, from 0.3.5 on only the encoded one.

    `before_dates`: they come before `2026-03-01.jsonl` in the order of names. Qanot names its files by the day, and
    after a restart reads the seven files whose names come last, whoever wrote them.
    """
    ahead = _BEFORE_DATES if before_dates else ""
    stems = [readable_stem(key), encoded_stem(key)]
    for stem in reversed(stems) if encoded_first else stems:
        if _is_usable(stem):
            yield ahead + stem + SUFFIX
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    for number in range(1, 100):
        yield f"{ahead}session-{digest}-{number}{SUFFIX}"


def key_from_stem(stem: str) -> str:
    """Returns the key of a file that does not state one: decoded base64url, else the first `_` read as `:`."""
    stem = stem.removeprefix(_BEFORE_DATES)
    return _decoded(stem) or stem.replace("_", ":", 1)


def _is_usable(stem: str) -> bool:
    if not stem or stem.startswith(".") or not stem.isprintable():
        return False
    return len(stem.encode("utf-8", "surrogatepass")) <= _LONGEST_STEM


def _decoded(stem: str) -> str:
    try:
        key = base64.urlsafe_b64decode(stem + "=" * (-len(stem) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    # Any word of letters is base64url of something: only a key's shape is believed.
    return key if ":" in key and key.isprintable() and encoded_stem(key) == stem else ""

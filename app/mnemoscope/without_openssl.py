"""Imported before everything else, for what it does: the window's process runs without OpenSSL, which weighs 5 MB.

It has no use for it: litellm, alone in speaking TLS, lives in a process of its own (`llm/host`), and the digests are
small. The standard library is made to be built without OpenSSL too: asyncio then offers no TLS of its own, hashlib and
hmac take CPython's own algorithms. Whoever imports `ssl` later gets it.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Final, cast

_OWN_ALGORITHMS: Final = ("_sha256", "_sha2")
"""CPython's own digests, up to 3.11 and from 3.12 on; some distributions build it without them."""


def _import_without(missing: str, wanted: str) -> None:
    """Import a module as if another were not installed; without effect where either is there already."""
    if missing in sys.modules or wanted in sys.modules:
        return
    # None is the import system's own way to say so: whoever imports it meets ModuleNotFoundError.
    sys.modules[missing] = cast(ModuleType, None)
    try:
        importlib.import_module(wanted)
    finally:
        del sys.modules[missing]


if any(map(find_spec, _OWN_ALGORITHMS)):
    _import_without("_hashlib", "hashlib")
    _import_without("_hashlib", "hmac")
_import_without("ssl", "asyncio")

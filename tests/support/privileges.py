"""Gets access refused for real, also where the tests run as root, who may read and write everything."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Takes root's rights away for the length of a with block; import before it whatever is needed inside."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(_NOBODY, _NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """Yields a folder that any user may enter; pytest's own belong to the user who runs it alone."""
    folder = Path(tempfile.mkdtemp(prefix="mnemoscope-reachable-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)

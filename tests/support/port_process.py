"""A server in a process of its own: a module that prints its port, and ends when its input is closed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(module: str, *, patience: float | None = None) -> Iterator[int]:
    """Yields the port of `module`'s server; `patience`: seconds that it may take to end, None for as long as it
    takes."""
    command = [sys.executable, "-m", module]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(patience)

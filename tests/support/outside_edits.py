"""Edits MEMORY.md as another program while we do, in both ways programs save; counts what is lost.

`python -m tests.support.outside_edits [--edits 1500]` runs the full comparison and prints one line a style.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved

STYLES: Final = ("truncate", "rename", "append")
_BEGINNING: Final = "# Notes\n\n## Outside\n- outside begins\n\n## Inside\n- inside begins\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts edits made by the other program and by us, and those of the other program that are not in the file."""

    style: str
    outside: int
    inside: int
    lost: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.style}: {self.outside:,} edits of another program beside {self.inside:,} of ours in "
            f"{self.seconds:.1f} s: {self.lost} lost"
        )


Write = Callable[[MemoryFile, int], bool]


def compete(folder: Path, style: str, edits: int, write: Write | None = None) -> Outcome:
    """Lets a real process make that many edits while this one writes, with compare-and-swap or as it is given."""
    write = write or write_once
    path = folder / "MEMORY.md"
    path.write_text(_BEGINNING, encoding="utf-8")
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.support.outside_edits", "--edit", str(path), style, str(edits)]
    inside = 0
    with subprocess.Popen(command) as child:
        file = MemoryFile(path)
        while child.poll() is None:
            inside += write(file, inside)
    if child.returncode:
        raise RuntimeError(f"the other program ended with {child.returncode}")
    text = path.read_text(encoding="utf-8")
    # What cannot be merged is kept beside the file: nothing of this kind is text, so nothing may be.
    kept = [name for name in os.listdir(folder) if name.endswith(".kept")]
    lost = sum(f"- outside {number}\n" not in text for number in range(edits)) + len(kept)
    return Outcome(style, edits, inside, lost, time.monotonic() - began)


def write_once(file: MemoryFile, number: int) -> bool:
    """Writes one line of ours upon the present text; whether that was done."""
    with suppress(MemoryMoved, StorageError):
        found = file.read()
        # One line of ours that changes: what grows is theirs, so that the race is not slowed down by length alone.
        lines = [line for line in found.text.split("\n") if not line.startswith("- inside")]
        text = "\n".join(lines).rstrip("\n") + f"\n- inside {number}\n"
        file.write(text, based_on=found.digest)
        return True
    return False


def edit(path: Path, style: str, edits: int) -> None:
    """Does what the other program does: reads, adds a line, saves; it never looks whether the file moved on meanwhile.

    It comes in bursts without a pause, and with pauses in which we come to write as well.
    """
    pauses = itertools.cycle([0.0] * 5 + [0.002, 0.005, 0.011, 0.017, 0.003])
    for number in range(edits):
        time.sleep(next(pauses))
        line = f"- outside {number}\n"
        if style == "append":
            with path.open("a", encoding="utf-8") as file:
                file.write(line)
            continue
        text = path.read_text(encoding="utf-8")
        text = text.replace("\n\n## Inside", f"\n{line}\n## Inside", 1)
        if style == "truncate":
            path.write_text(text, encoding="utf-8")
        else:
            beside = path.with_name("edited")
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)


def main() -> int:
    """Runs every style; 1 where anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.outside_edits")
    parser.add_argument("--edits", type=int, default=1_500)
    parser.add_argument("--edit", nargs=3, metavar=("PATH", "STYLE", "COUNT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.edit:
        edit(Path(options.edit[0]), options.edit[1], int(options.edit[2]))
        return 0
    lost = 0
    for style in STYLES:
        with tempfile.TemporaryDirectory() as folder:
            outcome = compete(Path(folder), style, options.edits)
        print(outcome, flush=True)
        lost += outcome.lost
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

"""The path swap race: a process of its own exchanges a folder and a file with links to a secret, as fast as it can.

The full count of opens:  python -m tests.agent.tools.path_swap [OPENS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.domain.errors import PathRefused

SECRET: Final = b"top secret"
INSIDE: Final = b"inside"
OPENS: Final = 60_000
_SWAPPER: Final = """
import ctypes, os, sys
call = ctypes.CDLL(None, use_errno=True).renameat2
names = [tuple(os.fsencode(name) for name in pair.split("|")) for pair in sys.argv[1:]]
for one, other in names:
    if call(-100, one, -100, other, 2):
        sys.exit("no exchange")
print("ready", flush=True)
while True:
    for one, other in names:
        call(-100, one, -100, other, 2)
"""


@dataclass(slots=True)
class Tally:
    """What became of the opens: inside, refused, or out of the workspace (an escape)."""

    opens: int = 0
    inside: int = 0
    refused: int = 0
    escapes: int = 0


def race(folder: Path, kind: str, files_of: Callable[[Path], Any], *, opens: int = OPENS) -> Tally | None:
    """Tries `kind` (read, write or list) `opens` times during the swaps; None where names cannot be exchanged here."""
    root, outside = _prepare(folder)
    files, tally, attempts = files_of(root), Tally(), ATTEMPTS[kind]
    with _swapping(root) as is_swapping:
        if not is_swapping:
            return None
        for number in range(opens):
            tally.opens += 1
            try:
                is_inside = attempts[number % len(attempts)](files)
            except PathRefused:
                tally.refused += 1
            else:
                tally.inside += is_inside
                tally.escapes += not is_inside
    tally.escapes += {each.name: each.read_bytes() for each in outside.iterdir()} != {"f": SECRET, "secret": SECRET}
    return tally


def _prepare(folder: Path) -> tuple[Path, Path]:
    root, outside = folder / "workspace", folder / "outside"
    (root / "swap").mkdir(parents=True)
    outside.mkdir()
    (root / "swap" / "f").write_bytes(INSIDE)
    (root / "file").write_bytes(INSIDE)
    (outside / "f").write_bytes(SECRET)
    (outside / "secret").write_bytes(SECRET)
    (root / "link").symlink_to(outside)
    (root / "file-link").symlink_to(outside / "secret")
    return root, outside


@contextmanager
def _swapping(root: Path) -> Iterator[bool]:
    pairs = [f"{root / 'swap'}|{root / 'link'}", f"{root / 'file'}|{root / 'file-link'}"]
    command = [sys.executable, "-c", _SWAPPER, *pairs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline() == b"ready\n"
        finally:
            process.kill()


def openat2(root: Path) -> SandboxedFiles:
    """Returns the files, with paths resolved by the kernel in one step."""
    return SandboxedFiles(root, in_one_step=True)


def walk(root: Path) -> SandboxedFiles:
    """Returns the files, with paths opened component by component."""
    return SandboxedFiles(root, in_one_step=False)


def _reads(path: str) -> Callable[[SandboxedFiles], bool]:
    return lambda files: files.read(path) == INSIDE


def _writes(path: str) -> Callable[[SandboxedFiles], bool]:
    def write(files: SandboxedFiles) -> bool:
        files.write(path, INSIDE)
        return True  # whether it was is seen in the folder outside

    return write


def _lists(files: SandboxedFiles) -> bool:
    return "secret" not in files.listing("swap").names


ATTEMPTS: Final[dict[str, tuple[Callable[[SandboxedFiles], bool], ...]]] = {
    "read": (_reads("swap/f"), _reads("file")),
    "write": (_writes("swap/f"),),
    "list": (_lists,),
}


def main(opens: int) -> int:
    """Race both ways and all kinds, print a line each; 1 if anything got out."""
    escapes = 0
    for files_of in (openat2, walk):
        for kind in ATTEMPTS:
            with tempfile.TemporaryDirectory() as folder:
                tally = race(Path(folder), kind, files_of, opens=opens)
            print(files_of.__name__, kind, tally or "names cannot be exchanged here", flush=True)
            escapes += tally.escapes if tally else 0
    return 1 if escapes else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else OPENS))

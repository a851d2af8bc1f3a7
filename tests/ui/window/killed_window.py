"""A window that is killed while it talks, edits and consolidates, beside another program that writes MEMORY.md.

`python -m tests.ui.window.killed_window [--kills 100]` kills one at random moments, opens the same workspace again, and
prints what was acknowledged and lost, or is there twice.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from threading import Timer

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.memory.history_entries import parse_history
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.proof.invariants import strays

BEGINNING = "# Notes\n\n## Outside\n- begun\n\n## Inside\n- begun too\n"
HOME = Path(__file__).parents[3]
PATIENCE = 900.0
WINDOW = 6
"""Messages from which on it consolidates: every third exchange."""


@dataclass
class Life:
    """A workspace, and what was promised in it: `sent` messages, and `lines` of MEMORY.md by whoever wrote them."""

    root: Path
    kills: int = 0
    consolidating: int = 0
    sent: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=lambda: count(0, 1_000))
    """Where each process begins to count."""

    def begin(self) -> None:
        """Makes the workspace."""
        create_workspace(self.root, template=shipped("resources", "blank"))
        paths = WorkspacePaths(self.root)
        paths.memory_file.write_text(BEGINNING, encoding="utf-8")
        settings = {"agents": {"defaults": {"memoryWindow": WINDOW}}}
        (self.root / "config.json").write_text(json.dumps(settings), encoding="utf-8")

    def live_and_die(self, seconds: float, *, consolidating: bool) -> None:
        """Opens a window and kill it so long after it began to consolidate, or after its first message."""
        first = str(next(self.numbers))
        ini = str(self.root.with_name("window.ini"))
        command = [sys.executable, "-m", "tests.ui.window.killed_window_child", str(self.root), ini, first]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        other = [sys.executable, "-m", "tests.ui.window.killed_window", "--write", str(self.root), first]
        with (
            subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HOME, env=environment, text=True) as window,
            subprocess.Popen(other, stdout=subprocess.PIPE, cwd=HOME, env=environment, text=True) as writer,
        ):
            assert window.stdout is not None
            assert writer.stdout is not None
            # One that hangs is ended, and said to have ended.
            late = Timer(PATIENCE, window.kill)
            late.start()
            try:
                self._hear(window.stdout, "consolidating" if consolidating else "sent")
                time.sleep(seconds)
            finally:
                late.cancel()
                window.kill()
                # The other program ends between two lines: what it wrote, it has said.
                writer.terminate()
            for line in (*window.stdout, *writer.stdout):
                self._note(line)
        self.kills += 1

    def _hear(self, lines: Iterable[str], awaited: str) -> None:
        for line in lines:
            self._note(line)
            if line.startswith(awaited):
                return
        raise RuntimeError("the window ended by itself, or hung")

    def _note(self, line: str) -> None:
        what, _, words = line.rstrip("\n").partition(" ")
        self.sent |= {words} if what == "sent" else set()
        self.lines |= {words} if what == "saved" else set()
        self.consolidating += what == "consolidating"

    def problems(self) -> list[str]:
        """Returns what does not hold once it was opened again: sentences."""
        asyncio.run(_opened_once(self.root))
        paths = WorkspacePaths(self.root)
        said = Counter(_messages(paths))
        lines = Counter(paths.memory_file.read_text("utf-8").split("\n"))
        found = [f"message {each} is there {said[each]} times" for each in sorted(self.sent) if said[each] != 1]
        found += [f"message {each} is there twice" for each in said.keys() - self.sent if said[each] > 1]
        found += [f"line “{each}” is there {lines[each]} times" for each in sorted(self.lines) if lines[each] != 1]
        found += [f"line “{each}” is there twice" for each in lines if each.startswith("- ") and lines[each] > 1]
        return [*found, *_history(paths), *(f"stray file {each}" for each in _strays(self.root))]


async def _opened_once(root: Path) -> None:
    core = open_core(root)
    await core.bench.recover()
    await core.bench.close()


def _messages(paths: WorkspacePaths) -> Iterator[str]:
    for file in paths.sessions_dir.rglob("*.jsonl"):
        records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        yield from (record["content"].split()[0] for record in records if record.get("role") == "user")


def _history(paths: WorkspacePaths) -> Iterator[str]:
    """Yields each range once, one after the other, and an entry for each."""
    ledger = [json.loads(file.read_text("utf-8").split("\n")[0]) for file in paths.own.ledger_dir.glob("*.json")]
    ranges = sorted((each["start"], each["stop"]) for each in ledger if each["kind"] == "consolidation")
    yield from (f"{one} is followed by {other}" for one, other in pairwise(ranges) if one[1] != other[0])
    entries = parse_history(paths.history_file.read_bytes()) if paths.history_file.exists() else []
    if len(entries) != len(ranges):
        yield f"{len(ranges)} consolidations and {len(entries)} entries"


def _strays(root: Path) -> list[str]:
    ours = (".mnemoscope/changes/", ".mnemoscope/drafts/", ".mnemoscope/search.db", ".mnemoscope/quarantine/")
    # What a new workspace begins with, and what windows keep.
    begun = {
        path.relative_to(shipped("resources", "blank")).as_posix() for path in shipped("resources", "blank").rglob("*")
    }
    return [name for name in strays(root) if not name.startswith(ours) and name not in begun]


def write(root: Path, first: int) -> None:
    """The other program: adds a line to MEMORY.md now and then, and says so, until it is told to end."""
    going = True

    def end(*_: object) -> None:
        nonlocal going
        going = False

    signal.signal(signal.SIGTERM, end)
    for number in count(first):
        if not going:
            break
        with WorkspacePaths(root).memory_file.open("a", encoding="utf-8") as file:
            file.write(f"- outside{number}\n")
        os.write(1, f"saved - outside{number}\n".encode())
        time.sleep(random.uniform(0, 0.25))


def main() -> int:
    """Kill as often as is asked for; 1 where anything was lost or doubled."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.window.killed_window")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--write", nargs=2, metavar=("WORKSPACE", "FIRST"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(Path(options.write[0]), int(options.write[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder) / "workspace")
        life.begin()
        for number in range(options.kills):
            life.live_and_die(random.uniform(0, random.choice([0.02, 0.2, 2])), consolidating=bool(number % 3))
        problems = life.problems()
    print(
        f"{life.kills} kills, {life.consolidating} consolidations begun; {len(life.sent)} messages and "
        f"{len(life.lines)} lines acknowledged: {len(problems)} lost or doubled",
        *problems,
        sep="\n",
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

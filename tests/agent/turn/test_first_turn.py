"""The first turn of a run loads its code beside the loop: the window does not stand still for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
FIRST_TURN = """
import asyncio, sys, threading
from pathlib import Path
from mnemoscope.store.files.disk import DiskThread
from tests.support.agent_bench import KEY, make_bench

class Watching:
    names = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread() and name.startswith("mnemoscope."):
            self.names.append(name)

async def main(root):
    disk = DiskThread()
    bench = make_bench(root, "Noted.", real_memory=True, disk=disk)
    assert "mnemoscope.domain.secrets.detection" not in sys.modules, "nothing is left to load"
    sys.meta_path.insert(0, Watching())
    await bench.loop.process(KEY, "I prefer tea.")
    assert bench.provider.requests, "the model was not asked"
    disk.close()
    print(*Watching.names)

root = Path(sys.argv[1])
(root / "memory").mkdir()
asyncio.run(main(root))
"""


def test_the_loops_thread_loads_nothing_of_a_turn(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FIRST_TURN, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == []

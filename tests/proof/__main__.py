"""`python -m tests.proof matrix|power|recovery|planted|peers|soak|traces [--quick]`: print a table; exit 1 where it
failed."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.proof import shim


def main() -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof")
    parser.add_argument("what", choices=sorted(_PROOFS))
    parser.add_argument("--quick", action="store_true", help="an evenly spread part of the runs")
    parser.add_argument("--only", default="", help="scenarios whose name begins so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--turns", type=int, default=0, help="of the soak; 0: as many as it takes")
    options = parser.parse_args()
    if options.what == "soak":
        from tests.proof.soak import QUICK_TURNS, TURNS, print_soak

        return print_soak(options.turns or (QUICK_TURNS if options.quick else TURNS))
    if options.what == "traces":
        from tests.proof.window_traces import print_traces

        return print_traces(quick=options.quick)
    needs_shim = _PROOFS[options.what]
    if not needs_shim or shim.is_loaded():
        from tests.proof.tables import print_table

        return print_table(options.what, quick=options.quick, only=options.only, jobs=options.jobs)
    if reason := shim.why_not():
        print(f"Not run: {reason}.")
        return 0
    with tempfile.TemporaryDirectory(prefix="proof-shim-") as folder:
        again = [sys.executable, "-m", "tests.proof", *sys.argv[1:]]
        return subprocess.run(again, env=shim.environment(shim.compiled(Path(folder))), check=False).returncode


_PROOFS = {
    "matrix": True,
    "power": False,
    "recovery": False,
    "planted": True,
    "peers": False,
    "soak": False,
    "traces": False,
}

if __name__ == "__main__":
    sys.exit(main())

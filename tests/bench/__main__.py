"""`python -m tests.bench [name …] [--quick] [--strict]`: run the benchmarks and print a table.

Each tests/bench/bench_<name>.py has `rows(quick: bool) -> Iterable[Row]` and runs in a process of its own. With
--strict the exit code is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from pathlib import Path

from tests.bench.rows import Row


def main() -> int:
    """Runs what was asked for."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    options = _options(known)
    names = options.names or known
    if len(names) == 1:
        missed = _run(names[0], quick=options.quick)
        return 1 if missed and options.strict else 0
    flags = [flag for flag in ("--quick", "--strict") if getattr(options, flag[2:])]
    codes = [subprocess.run([sys.executable, "-m", "tests.bench", name, *flags], check=False) for name in names]
    return max(each.returncode for each in codes)


def _options(known: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(known)}; all where none is named")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where a target is missed")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(known))
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(known)}")
    return options


def _run(name: str, *, quick: bool) -> int:
    print(name, flush=True)
    missed = 0
    for row in importlib.import_module(f"tests.bench.bench_{name}").rows(quick):
        missed += not row.passed
        print(_line(row), flush=True)
    return missed


def _line(row: Row) -> str:
    return f"  {'ok  ' if row.passed else 'MISS'} {row.what:<70} {row.figure:>30}   {row.target}"


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.bench [name …] [--quick] [--strict] [--beside]`: run the benchmarks and print a table.

Each tests/bench/bench_<name>.py has `rows(quick: bool) -> Iterable[Row]` and runs in a process of its own. With
--strict the exit code is 1 where a target is missed. With --beside, those that show no window run beside those that do:
two cores are at work, and no two windows at once. The figures of FIGURES.md are taken without it.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
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
    rows = [[name for name in names if _shows_window(name) is shows] for shows in (True, False)]
    if options.beside:
        with ThreadPoolExecutor(len(rows)) as threads:
            return max(threads.map(lambda row: _run_each(row, flags, as_one=True), rows))
    return _run_each(names, flags)


def _shows_window(name: str) -> bool:
    text = Path(__file__).with_name(f"bench_{name}.py").read_text(encoding="utf-8")
    return any(words in text for words in ("PySide6", "mnemoscope.ui", "window_"))


def _run_each(names: list[str], flags: list[str], *, as_one: bool = False) -> int:
    """Runs each in a process of its own, one after another; returns the highest exit code. `as_one`: what a process
    prints comes in one piece, when it has ended."""
    highest = 0
    for name in names:
        command = [sys.executable, "-m", "tests.bench", name, *flags]
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if as_one else {}
        done = subprocess.run(command, check=False, text=True, **output)  # type: ignore[call-overload]
        if as_one:
            sys.stdout.write(done.stdout)
            sys.stdout.flush()
        highest = max(highest, abs(done.returncode))
    return highest


def _options(known: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(known)}; all where none is named")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where a target is missed")
    parser.add_argument("--beside", action="store_true", help="those without a window beside those with one")
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

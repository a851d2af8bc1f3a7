"""`python -m tests.bench [name …] [--windows | --others] [--quick] [--strict]`: run the benchmarks and print a table.

Each tests/bench/bench_<name>.py has `rows(quick: bool) -> Iterable[Row]` and runs in a process of its own; the quick
forms in forks of one that has imported the program, which would take longer than some of them. With --windows, only
those run that show a window, with --others only the rest. With --strict the exit code is 1 where a target is missed.
With --quick, sizes are so small that the figures say little: each benchmark is seen to run.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.bench.rows import Row

_OF_WINDOWS: Final = ("mnemoscope.desktop", "mnemoscope.ui.shell.application", "mnemoscope.ui.shell.workspace_window")
"""What a benchmark that shows a window imports late."""


def main() -> int:
    """Runs what was asked for."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    options = _options(known)
    names = [name for name in options.names or known if options.shows in (None, _shows_window(name))]
    if len(names) == 1:
        return _code_of(names[0], options)
    # Each in a process of its own, one after another.
    codes = _in_forks(names, options) if options.quick and sys.platform == "linux" else _in_processes(names, options)
    return max(codes, default=0)


def _in_processes(names: Sequence[str], options: argparse.Namespace) -> Iterator[int]:
    flags = [flag for flag in ("--quick", "--strict") if getattr(options, flag[2:])]
    for name in names:
        yield abs(subprocess.run([sys.executable, "-m", "tests.bench", name, *flags], check=False).returncode)


def _in_forks(names: Sequence[str], options: argparse.Namespace) -> Iterator[int]:
    for module in _OF_WINDOWS if any(map(_shows_window, names)) else ():
        importlib.import_module(module)
    for name in names:
        importlib.import_module(f"tests.bench.bench_{name}")
    for name in names:
        process = multiprocessing.get_context("fork").Process(target=_exit_after, args=(name, options))
        process.start()
        process.join()
        yield abs(process.exitcode or 0)


def _exit_after(name: str, options: argparse.Namespace) -> None:
    sys.exit(_code_of(name, options))


def _code_of(name: str, options: argparse.Namespace) -> int:
    missed = _run(name, quick=options.quick)
    return 1 if missed and options.strict else 0


def _shows_window(name: str) -> bool:
    text = Path(__file__).with_name(f"bench_{name}.py").read_text(encoding="utf-8")
    return any(words in text for words in ("PySide6", "mnemoscope.ui", "window_"))


def _options(known: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(known)}; all where none is named")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--windows", dest="shows", action="store_true", default=None, help="only those with a window")
    shown.add_argument("--others", dest="shows", action="store_false", help="only those without one")
    parser.add_argument("--quick", action="store_true", help="the smallest sizes: does each still run?")
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

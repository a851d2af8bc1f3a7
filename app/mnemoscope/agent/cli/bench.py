"""`mnemoscope bench`: what memory systems let through, ours and others, on the corpora that are shipped.

Offline and without a model: every system gets the same raw answers. The manual's page on it says what a number means.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TextIO

from mnemoscope.agent.bench.peers import PEERS, PeerProcess
from mnemoscope.agent.bench.profiles import own_profiles
from mnemoscope.agent.bench.protocol import SystemFactory
from mnemoscope.agent.bench.protocol_check import ProtocolBroken, checked_scores
from mnemoscope.agent.bench.scoring import MEASURES, BenchCorpora, BenchCount, BenchTrials, shipped_corpora
from mnemoscope.domain.errors import MnemoscopeError

_FINE: Final = 0
_NO_SYSTEM: Final = 2
Scores = Mapping[str, BenchCount]


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Prints the table and returns 0, or 2 if the system that was named cannot be loaded or tried."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope bench",
        description="Measure what memory systems keep of conversations and of a model's answers. Nothing leaves the "
        "computer, no model is asked, and no workspace is touched.",
        epilog="A memory system is a class with four methods: take, settle, remembered and forget. They are told in "
        "mnemoscope.agent.bench.protocol, and with an example in the manual, under “A benchmark of what memory keeps”.",
    )
    parser.add_argument(
        "--system", metavar="MODULE:CLASS", help="a memory system of yours, tried instead of the others"
    )
    parser.add_argument("--first", type=_at_least_one, metavar="N", help="the first N cases of each corpus alone")
    parser.add_argument(
        "--peers", "--neighbours", type=Path, default=Path(), metavar="DIR", help="where nanobot and Qanot lie"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(argv)
    corpora = shipped_corpora()
    if options.first is not None:
        corpora = corpora.first(options.first)
    scores: Mapping[str, Scores | str]
    if options.system:
        try:
            system = _loaded(options.system)
        except (ImportError, AttributeError, SyntaxError, ValueError) as error:
            print(f"{options.system} cannot be loaded: {error}", file=sys.stderr)
            return _NO_SYSTEM
        try:
            scores = {options.system: checked_scores(system, corpora)}
        except ProtocolBroken as error:
            if error.__cause__ is not None:
                traceback.print_exception(error.__cause__)
            print(f"{options.system} cannot be tried. {error.sentence}", file=sys.stderr)
            return _NO_SYSTEM
    else:
        # A trial waits for nothing but the processor, so ours are tried beside the peers, each in a process.
        profiles = own_profiles()
        with ProcessPoolExecutor(min(len(profiles), os.cpu_count() or 1), get_context("spawn")) as pool:
            ours = {name: pool.submit(_scores, make, corpora) for name, make in profiles.items()}
            peers = _peers(options.peers.absolute(), corpora)
            scores = {name: each.result() for name, each in ours.items()} | peers
    stream = out or sys.stdout
    stream.write((json.dumps(_plain(scores), ensure_ascii=False, indent=2) if options.json else _table(scores)) + "\n")
    return _FINE


def _table(scores: Mapping[str, Scores | str]) -> str:
    """Returns a table: a measure a row, a system a column, then a line for each system that was not tried."""
    tried = {name: found for name, found in scores.items() if not isinstance(found, str)}
    wide = max(len(measure.name) for measure in MEASURES) + 2
    columns = {name: max(len(name), 15) + 2 for name in tried}
    rows = [" " * wide + "".join(f"{name:>{columns[name]}}" for name in tried)]
    for measure in MEASURES:
        cells = (f"{_cell(found[measure.name]):>{columns[name]}}" for name, found in tried.items())
        sign = "+" if measure.wants_more else "-"
        rows.append(f"{sign} {measure.name:<{wide - 2}}" + "".join(cells))
    missing = [found for found in scores.values() if isinstance(found, str)]
    return "\n".join([*rows, "", "+ more is better, - less is better; a dash: the system cannot be tried.", *missing])


def _at_least_one(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 on")
    return number


def _scores(make: SystemFactory, corpora: BenchCorpora) -> Scores:
    return BenchTrials(make, corpora).scores()


def _cell(count: BenchCount) -> str:
    return f"{count.count}/{count.of} {count.count / count.of:6.1%}" if count.of else "–"


def _plain(scores: Mapping[str, Scores | str]) -> dict[str, object]:
    return {
        name: {"missing": found}
        if isinstance(found, str)
        else {measure: asdict(each) for measure, each in found.items()}
        for name, found in scores.items()
    }


def _loaded(name: str) -> SystemFactory:
    module, _, within = name.partition(":")
    if not within:
        raise ValueError("it has to be named as package.module:Class.")
    # A program's own module lies where it is called.
    sys.path.insert(0, str(Path.cwd()))
    try:
        made: SystemFactory = getattr(import_module(module), within)
    finally:
        sys.path.remove(str(Path.cwd()))
    return made


def _peers(home: Path, corpora: BenchCorpora) -> dict[str, Scores | str]:
    """Returns the scores of each peer, or a sentence that says why it was not tried."""
    scores: dict[str, Scores | str] = {}
    for peer in PEERS:
        with tempfile.TemporaryDirectory(prefix="mnemoscope-peer-") as scratch:
            try:
                process = PeerProcess(peer, home, Path(scratch))
            except MnemoscopeError as error:
                scores[peer.name] = error.sentence
                continue
            try:
                scores[peer.name] = _scores(process.make, corpora)
            except MnemoscopeError as error:
                scores[peer.name] = error.sentence
            finally:
                process.close()
    return scores

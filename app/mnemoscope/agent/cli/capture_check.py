"""`mnemoscope capture WORKSPACE`: what a person marked, and the examples beside their rules, run as tests of these."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

from mnemoscope.domain.capture.judgements import RuleScore, Tally, added_rules, broken_examples, score_rules
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.capture.rule_files import default_rules, load_rules
from mnemoscope.store.capture.user_rules import UserCaptureRules

FINE: Final = 0
NOT_FOLLOWED: Final = 1
NOTHING_TO_RUN: Final = 2


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Prints how the rules do, and returns 0: every mark and example is followed, 1: some are not, or a rule cannot
    be used, 2: there are none."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope capture",
        description="Run the marks of a workspace as tests of its rules of capture. Changes nothing.",
    )
    parser.add_argument("workspace", type=Path, metavar="WORKSPACE", help="the folder whose capture/marks.jsonl is run")
    options = parser.parse_args(argv)
    stream = out or sys.stdout
    try:
        marks = UserCaptureRules(options.workspace).marks()
    except StorageError as error:
        print(error, file=sys.stderr)
        return NOTHING_TO_RUN
    rules = load_rules(options.workspace)
    added = added_rules(rules, default_rules())
    if not marks and not added and not rules.problems:
        folder = options.workspace / "capture"
        print(f"There are no marks in {folder / 'marks.jsonl'}, and no rules beside it.", file=sys.stderr)
        return NOTHING_TO_RUN
    found = score_rules(marks, rules)
    problems = [*rules.problems, *broken_examples(rules, default_rules())]
    stream.write("\n".join([*_report(found, len(marks)), *problems]) + "\n")
    return NOT_FOLLOWED if found.failures or problems else FINE


def _report(found: RuleScore, count: int) -> list[str]:
    languages = [f"  {code or '?':<4} {_shares(tally)}" for code, tally in sorted(found.by_language.items())]
    failures = [failure.sentence for failure in found.failures]
    return [f"{count:,} marks, {len(failures):,} not followed: {_shares(found.total)}", *languages, *failures]


def _shares(tally: Tally) -> str:
    return f"precision {_share(tally.precision)}, recall {_share(tally.recall)}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"

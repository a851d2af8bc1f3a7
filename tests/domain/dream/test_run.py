"""The records of Dream's runs."""

from __future__ import annotations

import json

from mnemoscope.domain.dream.run import DreamRun, FileEdit, Spend, run_of


def test_a_run_is_read_back_as_it_was_recorded() -> None:
    run = DreamRun(
        "a1", "2026-04-03T00:02:00", 1.5, "manual", "m", 3, 7, 5, 2, Spend(10, 2, None), "changed",
        edits=(FileEdit("memory/MEMORY.md", 1, 2),), commit="abcdef01",
    )  # fmt: skip
    assert run_of(json.loads(json.dumps(run.as_record()))) == run
    assert run_of({"id": "a1"}) is None
    assert run_of([1, 2]) is None
    assert run_of("words") is None


def test_spend_with_an_unknown_price_is_unknown() -> None:
    spend = Spend().plus({"prompt_tokens": 5, "completion_tokens": 2}, 0.25).plus({"prompt_tokens": 1}, None)
    assert (spend.tokens, spend.money) == (8, None)

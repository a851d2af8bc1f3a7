"""How long a run took is never nothing."""

from __future__ import annotations

from mnemoscope.ui.dream.words import duration


def test_what_took_no_time_worth_telling_took_a_little() -> None:
    assert duration(0.01) == "under 0.1 s"
    assert [duration(seconds) for seconds in (0.06, 2.0, 42.0, 61.0)] == ["0.1 s", "2.0 s", "42 s", "1 min 1 s"]

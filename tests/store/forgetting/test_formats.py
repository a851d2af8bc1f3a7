"""The forms of files, each written again without words."""

from __future__ import annotations

import json

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.forgetting.formats import ChangeLines


def test_a_line_of_the_change_log_that_is_no_change_loses_the_words_too() -> None:
    what = ForgottenText.of("Lives in Graz with two cats")
    data = json.dumps(["Lives in Graz with two cats", 7]).encode() + b"\n"
    written = ChangeLines().without(data, what)
    assert b"Graz" not in written
    assert json.loads(written)[1] == 7

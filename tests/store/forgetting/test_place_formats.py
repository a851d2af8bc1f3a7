"""The forms of files, each written again without words."""

from __future__ import annotations

import json

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.forgetting.place_formats import ChangeLines, DraftTexts


def test_a_line_of_the_change_log_that_is_no_change_loses_the_words_too() -> None:
    what = ForgottenText.of("Lives in Graz with two cats")
    data = json.dumps(["Lives in Graz with two cats", 7]).encode() + b"\n"
    written = ChangeLines().without(data, what)
    assert b"Graz" not in written
    assert json.loads(written)[1] == 7


def drafted(text: str, **spans: object) -> bytes:
    return json.dumps({"name": "composer:a", "draft": {"text": text, **spans}}).encode()


def test_what_was_pasted_and_the_files_of_a_draft_move_with_its_words() -> None:
    text = "My code is 4711 for the gym.\nIt is 4711-A\n4711 harbour\nquoted words\nfile.txt"
    quotes = [[text.index("quoted"), text.index("\nfile"), "paste"], [text.index("file"), len(text), "file"]]
    files = [{"name": "file.txt", "start": text.index("file"), "stop": len(text)}]
    data = drafted(text, quotes=quotes, files=files)
    (clean,) = map(json.loads, [DraftTexts().without(data, ForgottenText.of("4711 harbour", "code is 4711"))])
    now = clean["draft"]["text"]
    assert now == "My […] for the gym.\nIt is 4711-A\nquoted words\nfile.txt"
    assert [now[start:stop] for start, stop, _ in clean["draft"]["quotes"]] == ["quoted words", "file.txt"]
    (file,) = clean["draft"]["files"]
    assert now[file["start"] : file["stop"]] == "file.txt"


def test_a_pasted_passage_that_is_forgotten_is_none_any_more_and_what_is_no_span_is_left_out() -> None:
    text = "I typed this\nthe secret of the harbour"
    quotes = [[13, len(text), "paste"], ["a", 2, "paste"], 7, {}, [1]]
    data = drafted(text, quotes=quotes, files=[{"name": "n"}])
    clean = json.loads(DraftTexts().without(data, ForgottenText.of("the secret of the harbour")))
    assert clean["draft"] == {"text": "I typed this", "quotes": [], "files": []}


def test_a_draft_without_the_words_stays_byte_for_byte_and_one_without_spans_loses_them() -> None:
    what = ForgottenText.of("the secret of the harbour")
    other = drafted("else", quotes=[[0, 4, "paste"]])
    assert DraftTexts().without(other, what) == other
    clean = json.loads(DraftTexts().without(drafted("a\nthe secret of the harbour"), what))
    assert clean["draft"] == {"text": "a"}


def test_in_a_draft_that_is_json_everything_is_as_pasted_as_some_of_it_was() -> None:
    text = '{"note":"the secret of the harbour","more":1}'
    data = drafted(text, quotes=[[3, 7, "paste"]])
    draft = json.loads(DraftTexts().without(data, ForgottenText.of("the secret of the harbour")))["draft"]
    assert draft["quotes"] == [[0, len(draft["text"]), "paste"]]
    assert "harbour" not in draft["text"]

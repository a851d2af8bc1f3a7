"""Marks run as tests on the command line."""

from io import StringIO
from pathlib import Path

import pytest

from mnemoscope import __main__
from mnemoscope.agent.cli.capture_check import FINE, NOT_FOLLOWED, NOTHING_TO_RUN, main
from mnemoscope.domain.capture.judgements import Judgement, PersonsVerdict
from mnemoscope.store.capture.user_rules import UserCaptureRules


def marked(root: Path, verdict: PersonsVerdict) -> Path:
    UserCaptureRules(root).write_marks([Judgement("I prefer tea", 0, 12, "preference", verdict, "en.prefers", "en")])
    return root


def run(root: Path) -> tuple[int, str]:
    out = StringIO()
    return main([str(root)], out), out.getvalue()


def test_marks_that_are_followed_end_well(tmp_path: Path) -> None:
    code, printed = run(marked(tmp_path, "right"))
    assert code == FINE
    assert "1 marks, 0 not followed: precision 100.0%, recall 100.0%" in printed


def test_a_mark_that_is_not_followed_is_named(tmp_path: Path) -> None:
    code, printed = run(marked(tmp_path, "wrong"))
    assert code == NOT_FOLLOWED
    assert "“I prefer tea” would be remembered as preference, by" in printed
    assert "recall -" in printed


def test_a_rule_that_cannot_be_used_is_no_success(tmp_path: Path) -> None:
    marked(tmp_path, "right")
    (tmp_path / "capture" / "mine.toml").write_text("[[rule]]\nid = 'x'\n")
    code, printed = run(tmp_path)
    assert code == NOT_FOLLOWED
    assert "mine.toml, rule 1" in printed


def test_an_example_that_is_not_followed_is_no_success(tmp_path: Path) -> None:
    marked(tmp_path, "right")
    rule = "[[rule]]\nid = 'x'\ncategory = 'preference'\ncues = ['kiln']\npatterns = ['kiln at {rest}']\n"
    (tmp_path / "capture" / "mine.toml").write_text(f"{rule}examples = ['The kiln']\n")
    code, printed = run(tmp_path)
    assert code == NOT_FOLLOWED
    assert "x: its example “The kiln”" in printed


@pytest.mark.slow
def test_rules_are_tested_by_their_examples_without_marks_too(tmp_path: Path) -> None:
    (tmp_path / "capture").mkdir()
    rule = "[[rule]]\nid = 'x'\ncategory = 'preference'\ncues = ['kiln']\npatterns = ['kiln at {rest}']\n"
    file = tmp_path / "capture" / "mine.toml"
    file.write_text(f"{rule}examples = ['kiln at 9']\n")
    assert run(tmp_path)[0] == FINE
    file.write_text(f"{rule}examples = ['The kiln']\n")
    assert run(tmp_path)[0] == NOT_FOLLOWED


def test_without_marks_there_is_nothing_to_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == (NOTHING_TO_RUN, "")
    assert "no marks" in capsys.readouterr().err
    (tmp_path / "capture" / "marks.jsonl").mkdir(parents=True)
    assert run(tmp_path)[0] == NOTHING_TO_RUN


def test_it_is_a_word_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["capture", str(marked(tmp_path, "right"))]) == FINE
    assert "precision" in capsys.readouterr().out

"""The workbench of capture: rules are tried before they are saved, and marks test them."""

import asyncio
from pathlib import Path

import pytest

from mnemoscope.domain.capture.judgements import Judgement
from mnemoscope.domain.capture.scan import Capture
from mnemoscope.domain.errors import StorageError, WorkspaceReadOnly
from mnemoscope.memory.capture.capture_workbench import CaptureWorkbench, RuleRow, Trial
from mnemoscope.store.capture.rule_files import load_rules
from mnemoscope.store.files.disk import InlineDisk

OWN = """
language = "en"
[[rule]]
id = "mine.kiln"
category = "preference"
cues = ["kiln"]
patterns = ["kiln at {rest}"]
"""
TEA = Judgement("I prefer tea", 0, 12, "preference", "right", "", "en")


def bench(root: Path, *, read_only: bool = False) -> CaptureWorkbench:
    return CaptureWorkbench(root, InlineDisk(), read_only=read_only)


def tried(root: Path, *messages: str, **drafts: str) -> Trial:
    named = {f"{name.replace('_', '-')}.toml": text for name, text in drafts.items()}
    return asyncio.run(bench(root).trial(messages, named))


def row(trial: Trial, rule: str) -> RuleRow:
    return next(each for each in trial.rules if each.id == rule)


@pytest.mark.slow
def test_a_rule_is_tried_before_it_is_saved(tmp_path: Path) -> None:
    assert tried(tmp_path, "kiln at 1240").found == ((),)
    trial = tried(tmp_path, "kiln at 1240", my_rules=OWN)
    (hit,) = trial.found[0]
    assert isinstance(hit, Capture)
    assert (hit.rule, hit.value) == ("mine.kiln", "1240")
    assert row(trial, "mine.kiln").is_own
    assert not (tmp_path / "capture").exists()


@pytest.mark.slow
def test_a_rule_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (problem,) = tried(tmp_path, my_rules="[[rule]]\nid = 'x'\n").problems
    assert "my-rules.toml" in problem
    (problem,) = tried(tmp_path, my_rules="not toml").problems
    assert "cannot be read" in problem


@pytest.mark.slow
def test_an_example_that_a_rule_does_not_follow_is_named(tmp_path: Path) -> None:
    fine = 'examples = ["kiln at 1240"]\ncounterexamples = ["Is it kiln at 9?"]\n'
    assert tried(tmp_path, my_rules=OWN + fine).problems == ()
    missed, hit = tried(tmp_path, my_rules=OWN + 'examples = ["The kiln"]\ncounterexamples = ["kiln at 9"]\n').problems
    assert missed == "mine.kiln: its example “The kiln” is not found by it."
    assert hit == "mine.kiln: its counterexample “kiln at 9” is found by it."
    (other,) = tried(tmp_path, my_rules=OWN + 'examples = ["I prefer tea"]\n').problems
    assert "en.prefers finds it instead" in other


@pytest.mark.slow
def test_what_is_saved_is_in_force(tmp_path: Path) -> None:
    async def save() -> None:
        workbench = bench(tmp_path)
        (first,) = await workbench.files()
        again = await workbench.save(first, OWN)
        assert (await workbench.files())[0] == again
        with pytest.raises(StorageError, match="another program"):
            await workbench.save(first, "")

    asyncio.run(save())
    assert "mine.kiln" in {each.id for each in load_rules(tmp_path).rules}


@pytest.mark.slow
def test_a_rule_is_switched_off_and_on_again(tmp_path: Path) -> None:
    (hit,) = tried(tmp_path, TEA.text).found[0]
    asyncio.run(bench(tmp_path).switch(hit.rule, on=False))
    off = tried(tmp_path, TEA.text)
    assert not row(off, hit.rule).is_on
    assert hit.rule not in {each.rule for each in off.found[0]}
    asyncio.run(bench(tmp_path).switch(hit.rule, on=True))
    assert row(tried(tmp_path, TEA.text), hit.rule).is_on


def test_a_rule_that_is_there_no_more_can_be_switched_on_again(tmp_path: Path) -> None:
    asyncio.run(bench(tmp_path).switch("gone", on=False))
    assert row(tried(tmp_path), "gone") == RuleRow("gone", "", "", 0.0, is_on=False, is_own=True)


@pytest.mark.slow
def test_marks_are_kept_and_judge_the_rules_that_are_tried(tmp_path: Path) -> None:
    asyncio.run(bench(tmp_path).mark(TEA))
    assert tried(tmp_path).score.total.recall == 1
    (hit,) = tried(tmp_path, TEA.text).found[0]
    worse = tried(tmp_path, my_rules=f'off = ["{hit.rule}"]')
    assert worse.score.total.recall == 0
    assert asyncio.run(bench(tmp_path).unmark(TEA)) == []
    assert asyncio.run(bench(tmp_path).marks()) == []


def test_lines_that_are_no_marks_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "capture"
    folder.mkdir()
    (folder / "marks.jsonl").write_text("# by hand\n")
    asyncio.run(bench(tmp_path).mark(TEA))
    assert (folder / "marks.jsonl").read_text().startswith("# by hand\n{")


def test_a_window_that_only_looks_changes_nothing(tmp_path: Path) -> None:
    workbench = bench(tmp_path, read_only=True)
    for work in (workbench.mark(TEA), workbench.unmark(TEA), workbench.switch("x", on=False)):
        with pytest.raises(WorkspaceReadOnly):
            asyncio.run(work)
    assert list(tmp_path.iterdir()) == []

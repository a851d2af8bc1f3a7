"""The health of a whole workspace: what memory costs in the prompts that were sent, its faults, and a year's curve."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import ApprovalMoved
from mnemoscope.domain.health.report import FindingKind
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.store.files.disk import DiskThread
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace, open_workspace
from tests.support.agent_bench import KEY, Clock, make_workbench
from tests.support.comparing import threads_left_by
from tests.support.scripted_provider import ScriptedProvider, says

CAT = "- The cat is called Biscuit"
TEXT = f"# Facts\n\n{CAT}\n- Rent is 940\n- Rent is 1,020\n- Has a dentist appointment tomorrow\n"


async def test_what_a_new_workspace_begins_with_has_no_fault(tmp_path: Path) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider())
    try:
        await bench.recover()
        assert (await bench.health.read()).findings == ()
        user = tmp_path / "USER.md"
        user.write_text(user.read_text("utf-8") + "\n- Lives in Truro\n", "utf-8")
        (found,) = (await bench.health.read()).findings
    finally:
        await bench.close()
    assert (found.kind, found.path, found.row) == (FindingKind.NO_SOURCE, "USER.md", "- Lives in Truro")


async def test_a_line_that_two_files_have_is_found_in_the_second_whatever_else_is_not_known_of_it(
    tmp_path: Path,
) -> None:
    create_workspace(tmp_path, template=shipped("resources", "blank"))
    bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider())
    try:
        await bench.recover()
        for path in (MEMORY_PATH, "USER.md"):
            file = tmp_path / path
            file.write_text(f"{file.read_text('utf-8')}\n{CAT}\n", "utf-8")
        found = (await bench.health.read()).findings
    finally:
        await bench.close()
    assert [(each.kind, each.path, each.row, each.other) for each in found if each.row == CAT] == [
        (FindingKind.NO_SOURCE, MEMORY_PATH, CAT, ""),
        (FindingKind.DUPLICATE, "USER.md", CAT, MEMORY_PATH),
    ]


async def test_a_reading_that_is_not_waited_for_any_more_ends_its_thread(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    lines = (f"- Takes {'milk' if number % 2 else 'sugar'} to meeting {number}\n" for number in range(400))
    paths.memory_file.write_text("".join(lines), encoding="utf-8")
    bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider())
    try:
        await bench.recover()
        assert await threads_left_by(bench.health.read(), "memory-health") == []
    finally:
        await bench.close()


class Likens:
    """An embedding model to which all texts mean the same."""

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        del model, is_question
        return [(1.0, 0.5)] * len(texts)


async def test_a_reading_given_up_while_lines_are_compared_in_meaning_ends_its_thread(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    letters = "bdfgklmn"
    names = ("".join(each).capitalize() for each in product(letters, "aeiou", letters, "aeiou"))
    # The first two are compared as facts, too, by which it is seen that it has begun.
    lines = [
        "Never a quiet garden",
        "Never an old broken ladder",
        *(f"Knows the painter {name} by sight" for name in names),
    ]
    paths.memory_file.write_text("".join(f"- {line}\n" for line in lines), encoding="utf-8")
    bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider(), embedder=Likens())
    try:
        await bench.recover()
        assert await threads_left_by(bench.health.read(), "memory-health") == []
    finally:
        await bench.close()


async def test_what_is_said_twice_in_other_words_is_found_by_the_model_of_this_computer(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    paths.memory_file.write_text("# Facts\n\n- Hates noisy bars\n- Loud pubs are not for her\n", encoding="utf-8")
    bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider(), embedder=Likens())
    try:
        await bench.recover()
        found = [each for each in (await bench.health.read()).findings if each.kind is FindingKind.DUPLICATE]
    finally:
        await bench.close()
    assert [(each.row, each.words) for each in found] == [("- Loud pubs are not for her", "Hates noisy bars")]


async def test_cost_faults_and_growth_are_read_of_what_was_sent_and_kept(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    paths.memory_dir.mkdir()
    paths.memory_file.write_text("# Facts\n\n", encoding="utf-8")
    clock = Clock()
    provider = ScriptedProvider(last=says("Your cat is called Biscuit."))
    bench, _ = make_workbench(open_workspace(tmp_path), provider, disk=DiskThread(), clock=clock)
    try:
        await bench.recover()
        for text in (first := f"# Facts\n\n{CAT}\n", TEXT):
            base = await bench.disk.run(bench.memory.editing.read_text, MEMORY_PATH)
            await bench.memory.editing.save_text(text, base.digest)
            await bench.commits.kept()
            clock.now += timedelta(days=30)
        await bench.loop.process(KEY, "What is my cat called?")
        report = await bench.health.read()
        await bench.health.propose(report.lines[0].finding)
        (held,) = await bench.disk.run(bench.memory.ledger.suggestions)
        waiting = await bench.health.waiting([each.finding for each in report.lines])
        assert paths.memory_file.read_text(encoding="utf-8") == TEXT
    finally:
        await bench.close()
    assert report.cost is not None
    assert report.cost.prompts == 1
    assert report.cost.tokens > report.cost.unused > 0
    assert {FindingKind.DISAGREEMENT, FindingKind.ROTTING_DATE} <= {each.kind for each in report.findings}
    assert [(each.row, each.used) for each in report.lines if each.row == CAT] == [(CAT, 1)]
    assert report.lines[0].used == 0
    assert waiting == {report.lines[0].finding}
    assert held.proposed == TEXT.replace(f"{report.lines[0].row}\n", "")
    curves = {each.path: each.sizes for each in report.growth}
    assert set(curves) == {MEMORY_PATH, ""}
    sizes = [size for _, size in curves[MEMORY_PATH]]
    assert len(sizes) >= 2
    assert sizes == sorted(sizes)
    # What was there and the first save are kept within the same second: the week ends with the later one.
    assert sizes[0] == estimate_tokens(first)
    assert sizes[-1] == report.tokens


async def test_what_waits_is_known_after_a_restart_and_is_not_proposed_twice(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    paths.memory_dir.mkdir()
    paths.memory_file.write_text(TEXT, encoding="utf-8")
    kinds = {FindingKind.DISAGREEMENT, FindingKind.ROTTING_DATE}
    for is_first in (True, False):
        bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider(), disk=DiskThread())
        try:
            await bench.recover()
            found = [each for each in (await bench.health.read()).findings if each.kind in kinds]
            waiting = await bench.health.waiting(found)
            assert waiting == (frozenset() if is_first else frozenset(found))
            for finding in found:
                await bench.health.propose(finding)
            held = await bench.disk.run(bench.memory.ledger.suggestions)
            assert len(held) == len(found) == len(kinds)
            if not is_first:
                for each in held:
                    await bench.memory.editing.settle(each.id, "reject")
                assert await bench.health.waiting(found) == frozenset()
        finally:
            await bench.close()
        # A line above moves the others: they wait still.
        text = paths.memory_file.read_text(encoding="utf-8")
        paths.memory_file.write_text(text.replace(CAT, f"{CAT}\n- Plays chess"), encoding="utf-8")


@pytest.mark.parametrize("seen_first", [True, False])
@pytest.mark.parametrize("other", ["- Allergic to peanuts", "- Has an allergy: peanuts"])
async def test_the_last_copy_of_what_was_said_twice_is_not_taken_out(
    tmp_path: Path, other: str, *, seen_first: bool
) -> None:
    last = "- Has an allergy: peanuts"
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    paths.memory_dir.mkdir()
    paths.memory_file.write_text(f"# Facts\n\n{CAT}\n{other}\n- Likes tea\n{last}\n", encoding="utf-8")
    bench, _ = make_workbench(open_workspace(tmp_path), ScriptedProvider(), disk=DiskThread())
    try:
        await bench.recover()
        (found,) = [each for each in (await bench.health.read()).findings if each.kind is FindingKind.DUPLICATE]
        await bench.health.propose(found)
        (item,) = await bench.disk.run(bench.memory.editing.waiting_items)
        text = f"# Facts\n\n{CAT}\n- Likes tea\n{last}\n"
        paths.memory_file.write_text(text, encoding="utf-8")
        if not seen_first:
            with pytest.raises(ApprovalMoved):
                await bench.memory.editing.decide(item, "accept")
        assert (await bench.memory.editing.bring_up_to_date()).dropped == 1
        assert await bench.disk.run(bench.memory.editing.waiting_items) == []
    finally:
        await bench.close()
    assert paths.memory_file.read_text(encoding="utf-8") == text

"""Memory's health is read when its pane is looked at, and what is chosen there waits for review."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.health.report import FindingKind, Growth, HealthFinding, HealthReport, LineUse, MemoryCost
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.ui.health.growth_curve import GrowthCurve
from mnemoscope.ui.health.health_pane import HealthPane
from mnemoscope.ui.health.line_models import Unsourced
from mnemoscope.ui.widgets.lists.two_line_delegate import FIGURE
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import Opened, Stage, click, press, until, words_in

MEMORY = (
    "# Facts\n\n- Allergic to penicillin\n- Has a penicillin allergy\n"
    "- Has a dentist appointment tomorrow\n- Rent is 940\n- Rent is 1,020\n- Likes tea\n"
)


async def read(stage: Stage) -> tuple[Opened, HealthPane]:
    """Returns a window with the health of this memory, read."""
    stage.make(memory=MEMORY)
    person = await stage.open(offline=ScriptedProvider("Yes."))
    person.press("Ctrl+6")
    pane = person.window.health.widget
    await until(lambda: bool(pane.model.rows) and pane.busy.isHidden(), "the end of reading")
    return person, pane


def choose(pane: HealthPane, kind: FindingKind) -> HealthFinding:
    """Returns the first finding of a kind, chosen."""
    at, found = next(
        (at, row) for at, row in enumerate(pane.model.rows) if isinstance(row, HealthFinding) and row.kind is kind
    )
    pane.list.setCurrentIndex(pane.model.index(at))
    return found


async def proposed(person: Opened) -> list[str]:
    """Returns the memory texts that wait for review."""
    bench = person.current.bench
    return [each.proposed for each in await bench.disk.run(bench.memory.ledger.suggestions)]


async def test_faults_are_listed_and_one_press_has_a_change_wait_for_review(stage: Stage) -> None:
    person, pane = await read(stage)
    assert [each.kind for each in pane.model.rows if isinstance(each, HealthFinding)] == [
        FindingKind.DISAGREEMENT,
        FindingKind.DUPLICATE,
        FindingKind.ROTTING_DATE,
    ]
    assert "tokens" in pane.summary.text()
    twice = choose(pane, FindingKind.DUPLICATE)
    click(pane.propose)
    await until(lambda: pane.is_waiting(twice), "the proposal")
    assert await proposed(person) == [MEMORY.replace("- Has a penicillin allergy\n", "")]
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    bench = person.current.bench
    (held,) = await bench.disk.run(bench.memory.ledger.suggestions)
    await bench.memory.editing.settle(held.id, "reject")
    await until(lambda: not pane.is_waiting(twice), "what was rejected to wait no more")


@pytest.mark.usefixtures("double_clicks")
async def test_a_double_click_proposes_one_line_alone(stage: Stage) -> None:
    person, pane = await read(stage)
    wanted: list[object] = []
    pane.proposal_requested.connect(wanted.append)
    first = choose(pane, FindingKind.DISAGREEMENT)
    click(pane.propose)
    await until(lambda: pane.chosen != first, "the next line to be chosen")
    after = pane.chosen
    assert after is not None
    assert pane.propose.isEnabled()
    click(pane.propose)
    assert wanted == [first]
    await until(lambda: pane.is_waiting(first), "the proposal")
    assert pane.chosen == after
    assert len(await proposed(person)) == 1


async def test_of_two_lines_that_disagree_the_older_is_proposed_to_be_struck(stage: Stage) -> None:
    person, pane = await read(stage)
    doubted = choose(pane, FindingKind.DISAGREEMENT)
    assert (doubted.row, doubted.words) == ("- Rent is 940", "Rent is 1,020")
    assert pane.propose.text() == "Propose to strike it"
    click(pane.propose)
    await until(lambda: pane.is_waiting(doubted), "the proposal")
    assert await proposed(person) == [MEMORY.replace("- Rent is 940\n", f"{doubted.instead}\n")]
    assert "~~Rent is 940~~" in doubted.instead
    reviews = person.current.reviews
    reviews.open()
    await until(lambda: reviews.dialog is not None and reviews.dialog.queue.items, "the pair in the review")
    assert reviews.dialog is not None
    assert (reviews.dialog.pair.old.words.text(), reviews.dialog.pair.new.words.text()) == (
        "Rent is 940",
        "Rent is 1,020",
    )


async def test_lines_without_a_source_are_one_row_that_the_keyboard_unfolds(stage: Stage) -> None:
    person, pane = await read(stage)
    folded = [row for row in pane.model.rows if isinstance(row, Unsourced)]
    assert len(folded) == 1
    of_memory = [each.row for each in folded[0].findings if each.path == MEMORY_PATH]
    assert of_memory == ["- Allergic to penicillin", "- Rent is 940", "- Rent is 1,020", "- Likes tea"]
    at = pane.model.rows.index(folded[0])
    assert at == len(pane.model.rows) - 1
    assert QApplication.focusWidget() is pane.list
    pane.list.setCurrentIndex(pane.model.index(at))
    assert not pane.propose.isEnabled()
    assert not pane.copy.isEnabled()
    press(pane.list, "Return")
    assert list(pane.model.rows[at + 1 :]) == list(folded[0].findings)
    assert pane.show_line.text() == "Fold"
    press(pane.list, "Return")
    assert len(pane.model.rows) == at + 1
    assert person.window.pane_with_keyboard() is pane


async def test_what_was_changed_after_it_was_read_is_said_and_read_again(stage: Stage) -> None:
    _, pane = await read(stage)
    assert pane.stale.isHidden()
    stage.paths.memory_file.write_text("# Facts\n\n- Likes tea\n", encoding="utf-8")
    await until(pane.stale.isVisible, "the word that memory was changed")
    click(pane.read_again)
    await until(lambda: [type(row) for row in pane.model.rows] == [Unsourced], "the new report")
    assert pane.stale.isHidden()


async def test_a_prompt_that_was_sent_after_it_was_read_is_said(stage: Stage) -> None:
    person, pane = await read(stage)
    assert pane.stale.isHidden()
    await person.say("Thank you.")
    await until(pane.stale.isVisible, "the word that a prompt was sent")
    assert pane.stale.text() == "A prompt was sent since it was read."
    stage.paths.memory_file.write_text("# Facts\n\n- Likes tea\n", encoding="utf-8")
    await until(lambda: pane.stale.text() == "Memory was changed since it was read.", "the change")
    click(pane.read_again)
    await until(pane.stale.isHidden, "the new report")


async def test_a_memory_without_a_fault_says_so_and_leads_on_to_what_it_costs(stage: Stage) -> None:
    _, pane = await read(stage)
    line = LineUse("memory/MEMORY.md", 3, "- Likes tea", 4, 2, date(2026, 3, 4))
    pane.show_report(HealthReport(3, lines=(line,)))
    assert "No line has a fault" in words_in(pane)
    assert not pane.buttons.isVisible()
    pane.setFocus()
    assert QApplication.focusWidget() is pane.faults.nothing.button
    press(pane, "Space")
    assert pane.pages.currentWidget() is pane.spent
    assert QApplication.focusWidget() is pane.costs
    assert pane.buttons.isVisible()


async def test_an_empty_memory_says_so_and_leads_to_its_pane(stage: Stage) -> None:
    person, pane = await read(stage)
    pane.show_report(HealthReport(0))
    assert "Memory is empty" in words_in(pane)
    person.click("Go to memory", pane)
    await until(person.memory.isVisible, "the pane of memory")
    person.press("Ctrl+6")
    for part in (pane.spent, pane.grown):
        pane.pages.setCurrentWidget(part)
        assert part.nothing.sentence.text()
        assert part.nothing.button.isVisible()
    pane.show_report(HealthReport(3, (HealthFinding(FindingKind.DUPLICATE, "memory/MEMORY.md", 3, "- Tea", "tea"),)))
    pane.pages.setCurrentIndex(0)
    assert pane.list.isVisible()
    assert "Memory is empty" not in words_in(pane)


async def test_a_line_that_was_never_used_is_listed_with_its_cost_and_one_press_proposes_to_take_it_out(
    stage: Stage,
) -> None:
    person, pane = await read(stage)
    of_tea = LineUse(MEMORY_PATH, 8, "- Likes tea", 1_200, 40, date(2026, 11, 20))
    of_rent = LineUse(MEMORY_PATH, 6, "- Rent is 940", 900, 40, date(2026, 11, 20), used=3)
    cost = MemoryCost(30, 40, 41_000, 1_200)
    pane.show_report(HealthReport(60, cost=cost, lines=(of_tea, of_rent)))
    pane.pages.setCurrentIndex(1)
    assert "41,000" in pane.cost.text()
    shown = pane.costs.model().index(0, 0)
    assert shown.data().startswith("Likes tea\nnever likely used · in 40 prompts, last 20 Nov 2026")
    assert shown.data(FIGURE) == "1,200 tokens"
    assert shown.data(Qt.ItemDataRole.AccessibleTextRole).startswith("Likes tea, 1,200 tokens, never likely used")
    assert "likely used in 3 answers" in pane.costs.model().index(1, 0).data()
    pane.propose.setFocus()
    click(pane.propose)
    await until(lambda: pane.is_waiting(of_tea.finding) and pane.chosen == of_rent.finding, "the proposal")
    assert QApplication.focusWidget() is pane.costs
    assert await proposed(person) == [MEMORY.replace("- Likes tea\n", "")]
    assert stage.paths.memory_file.read_text(encoding="utf-8") == MEMORY
    assert not pane.propose.isEnabled()
    assert pane.copy.isEnabled()
    press(pane.costs, "Up")
    assert "waits for review" in pane.costs.model().index(0, 0).data()
    assert not pane.propose.isEnabled()
    pane.pages.setCurrentIndex(2)
    assert pane.buttons.isHidden()


async def test_the_curves_say_in_words_what_they_paint_and_are_told_apart(stage: Stage) -> None:
    _, pane = await read(stage)
    pane.pages.setCurrentIndex(2)
    curve = pane.curve
    names = (MEMORY_PATH, "USER.md", "", "*", "memory/a-topic-with-a-very-long-name/of-which-the-middle-is-left-out.md")
    days = ((date(2026, 3, 3), 1_200), (date(2026, 11, 28), 2_000))
    curve.show_growth([Growth(name, days) for name in names])
    first = "MEMORY.md: from 1,200 tokens on 3 Mar 2026 to 2,000 on 28 Nov 2026."
    assert curve.accessibleDescription().splitlines()[0] == first
    assert len(set(curve.accessibleDescription().splitlines())) == len(names)
    assert not curve.grab().isNull()
    curve.show_growth([Growth("", ((date(2026, 3, 3), 0),))])
    assert not curve.grab().isNull()
    empty = GrowthCurve(pane)
    assert "Nothing" in empty.words()
    assert not empty.grab().isNull()

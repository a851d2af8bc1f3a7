"""The pane of memory's health says what is wrong with a line, whatever it is."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.health.report import FindingKind, Growth, HealthFinding, HealthReport, MemoryCost, SentFile
from mnemoscope.ui.health.health_pane import HealthDialog, HealthPane

TEA = "- Likes tea"


def found(kind: FindingKind) -> HealthFinding:
    return HealthFinding(kind, "memory/MEMORY.md", 3, TEA, "the words")


@pytest.mark.parametrize("kind", FindingKind)
def test_each_kind_of_finding_is_counted_and_described(qtbot: QtBot, kind: FindingKind) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    pane.show_report(HealthReport(120, (found(kind),)))
    assert pane.counts.text().startswith("1 ")
    assert "no line has a fault" not in pane.counts.text().lower()
    shown = pane.model.index(0).data(Qt.ItemDataRole.DisplayRole)
    assert shown.splitlines()[1:]
    assert pane.model.about(found(kind))


def test_no_two_kinds_are_described_alike(qtbot: QtBot) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    assert len({pane.model.about(found(kind)) for kind in FindingKind}) == len(FindingKind)


def test_the_file_of_the_other_line_is_named_where_it_is_another_one(qtbot: QtBot) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    twice, other = (
        pane.model.about(HealthFinding(kind, "memory/MEMORY.md", 3, TEA, "the words", other="USER.md"))
        for kind in (FindingKind.DUPLICATE, FindingKind.DISAGREEMENT)
    )
    assert twice != other
    assert "USER.md" in twice
    assert "USER.md" in other


def test_the_other_line_reads_as_a_line_does(qtbot: QtBot) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    other = "- **remember**: The key hangs behind the door"
    twice = HealthFinding(FindingKind.DUPLICATE, "memory/MEMORY.md", 3, TEA, other)
    assert pane.model.about(twice) == "said before: “The key hangs behind the door”"


def test_of_another_agent_what_it_sends_each_time_is_told_by_file(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = HealthDialog(window, "Memory's health")
    pane = dialog.pane
    pane.show_report(HealthReport(900, sent=(SentFile("MEMORY.md", 300), SentFile("USER.md", 1))))
    assert pane.summary.text() == "900 tokens · up to 301 in each prompt"
    pane.pages.setCurrentIndex(1)
    assert "not known" in pane.cost.text()
    rows = [pane.cost_model.index(row).data() for row in range(2)]
    assert rows == ["MEMORY.md\n300 tokens in each prompt", "USER.md\n1 token in each prompt"]
    assert pane.chosen is None
    assert not pane.show_line.isEnabled()
    asked = MemoryCost(10, 4, 1_200)
    pane.show_report(HealthReport(900, sent=(SentFile("MEMORY.md", 300),), sent_cost=asked))
    assert pane.summary.text().endswith("up to 300 in each prompt · at most some 120 a day, an estimate")
    assert "4 answers of 10 days are kept." in pane.cost.text()
    assert "1,200 tokens: an estimate" in pane.cost.text()
    pane.show_report(HealthReport(900, sent=(SentFile("MEMORY.md", 300),), sent_cost=MemoryCost(30)))
    assert "nothing is said of a day" in pane.cost.text()
    pane.show_report(HealthReport(900))
    assert "none of these files" in pane.cost.text()


def test_what_memory_costs_is_not_known_without_prompts(qtbot: QtBot) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    pane.show_report(HealthReport(120, cost=MemoryCost(30)))
    assert pane.summary.text() == "120 tokens"
    assert "not known" in pane.cost.text()
    pane.show_failure("It cannot be read.")
    assert pane.summary.text() == "It cannot be read."


def test_in_a_low_pane_the_lines_end_within_their_page(qtbot: QtBot) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    pane.resize(340, 250)
    grown = tuple(
        Growth(name, ((date(2026, 3, 3), 9), (date(2026, 3, 4), 12))) for name in ("MEMORY.md", "USER.md", "")
    )
    pane.show_report(HealthReport(900, tuple(found(kind) for kind in FindingKind), grown))
    with qtbot.waitExposed(pane):
        pane.show()
    page = pane.pages.currentWidget()
    [bar] = [area.verticalScrollBar() for area in pane.findChildren(QScrollArea)]
    assert not bar.maximum(), "nothing scrolls beside the list"
    assert pane.counts.height() > pane.counts.fontMetrics().height(), "the counts take two lines"
    assert page.rect().contains(pane.list.geometry())


@pytest.mark.parametrize("report", [HealthReport(0), HealthReport(900)])
def test_in_a_low_pane_a_part_that_says_nothing_yet_does_not_scroll(qtbot: QtBot, report: HealthReport) -> None:
    pane = HealthPane()
    qtbot.addWidget(pane)
    pane.resize(340, 250)
    pane.show_report(report)
    with qtbot.waitExposed(pane):
        pane.show()
    [bar] = [area.verticalScrollBar() for area in pane.findChildren(QScrollArea)]
    for part in (pane.faults, pane.spent, pane.grown):
        pane.pages.setCurrentWidget(part)
        assert part.nothing.isVisible()
        qtbot.waitUntil(lambda: not bar.maximum())

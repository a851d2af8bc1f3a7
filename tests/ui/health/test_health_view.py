"""The view of memory's health says what is wrong with a line, whatever it is."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.health.report import FindingKind, Growth, HealthFinding, HealthReport, MemoryCost, SentFile
from mnemoscope.ui.health.health_view import HealthDialog, HealthView

TEA = "- Likes tea"


def found(kind: FindingKind) -> HealthFinding:
    return HealthFinding(kind, "memory/MEMORY.md", 3, TEA, "the words")


@pytest.mark.parametrize("kind", FindingKind)
def test_each_kind_of_finding_is_counted_and_described(qtbot: QtBot, kind: FindingKind) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    view.show_report(HealthReport(120, (found(kind),)))
    assert view.counts.text().startswith("1 ")
    assert "no line has a fault" not in view.counts.text().lower()
    shown = view.model.index(0).data(Qt.ItemDataRole.DisplayRole)
    assert shown.splitlines()[1:]
    assert view.model.about(found(kind))


def test_no_two_kinds_are_described_alike(qtbot: QtBot) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    assert len({view.model.about(found(kind)) for kind in FindingKind}) == len(FindingKind)


def test_the_file_of_the_other_line_is_named_where_it_is_another_one(qtbot: QtBot) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    twice, other = (
        view.model.about(HealthFinding(kind, "memory/MEMORY.md", 3, TEA, "the words", other="USER.md"))
        for kind in (FindingKind.DUPLICATE, FindingKind.DISAGREEMENT)
    )
    assert twice != other
    assert "USER.md" in twice
    assert "USER.md" in other


def test_the_other_line_reads_as_a_line_does(qtbot: QtBot) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    other = "- **remember**: The key hangs behind the door"
    twice = HealthFinding(FindingKind.DUPLICATE, "memory/MEMORY.md", 3, TEA, other)
    assert view.model.about(twice) == "said before: “The key hangs behind the door”"


def test_of_another_agent_what_it_sends_each_time_is_told_by_file(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = HealthDialog(window, "Memory's health")
    view = dialog.view
    view.show_report(HealthReport(900, sent=(SentFile("MEMORY.md", 300), SentFile("USER.md", 1))))
    assert view.summary.text() == "900 tokens · up to 301 in each prompt"
    view.pages.setCurrentIndex(1)
    assert "not known" in view.cost.text()
    rows = [view.cost_model.index(row).data() for row in range(2)]
    assert rows == ["MEMORY.md\n300 tokens in each prompt", "USER.md\n1 token in each prompt"]
    assert view.chosen is None
    assert not view.show_line.isEnabled()
    asked = MemoryCost(10, 4, 1_200)
    view.show_report(HealthReport(900, sent=(SentFile("MEMORY.md", 300),), sent_cost=asked))
    assert view.summary.text().endswith("up to 300 in each prompt · at most some 120 a day, an estimate")
    assert "4 answers of 10 days are kept." in view.cost.text()
    assert "1,200 tokens: an estimate" in view.cost.text()
    view.show_report(HealthReport(900, sent=(SentFile("MEMORY.md", 300),), sent_cost=MemoryCost(30)))
    assert "nothing is said of a day" in view.cost.text()
    view.show_report(HealthReport(900))
    assert "none of these files" in view.cost.text()


def test_what_memory_costs_is_not_known_without_prompts(qtbot: QtBot) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    view.show_report(HealthReport(120, cost=MemoryCost(30)))
    assert view.summary.text() == "120 tokens"
    assert "not known" in view.cost.text()
    view.show_failure("It cannot be read.")
    assert view.summary.text() == "It cannot be read."


def test_in_a_low_pane_the_lines_end_within_their_page(qtbot: QtBot) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    view.resize(340, 250)
    grown = tuple(
        Growth(name, ((date(2026, 3, 3), 9), (date(2026, 3, 4), 12))) for name in ("MEMORY.md", "USER.md", "")
    )
    view.show_report(HealthReport(900, tuple(found(kind) for kind in FindingKind), grown))
    with qtbot.waitExposed(view):
        view.show()
    page = view.pages.currentWidget()
    [bar] = [area.verticalScrollBar() for area in view.findChildren(QScrollArea)]
    assert not bar.maximum(), "nothing scrolls beside the list"
    assert view.counts.height() > view.counts.fontMetrics().height(), "the counts take two lines"
    assert page.rect().contains(view.list.geometry())


@pytest.mark.parametrize("report", [HealthReport(0), HealthReport(900)])
def test_in_a_low_pane_a_part_that_says_nothing_yet_does_not_scroll(qtbot: QtBot, report: HealthReport) -> None:
    view = HealthView()
    qtbot.addWidget(view)
    view.resize(340, 250)
    view.show_report(report)
    with qtbot.waitExposed(view):
        view.show()
    [bar] = [area.verticalScrollBar() for area in view.findChildren(QScrollArea)]
    for part in (view.faults, view.spent, view.grown):
        view.pages.setCurrentWidget(part)
        assert part.nothing.isVisible()
        qtbot.waitUntil(lambda: not bar.maximum())

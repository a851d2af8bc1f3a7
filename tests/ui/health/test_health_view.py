"""The view of memory's health says what is wrong with a line, whatever it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from mnemoscope.domain.health.report import FindingKind, HealthFinding, HealthReport
from mnemoscope.ui.health.health_view import HealthView

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

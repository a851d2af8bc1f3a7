"""The guards of the suite that look at Qt: each catches what it is there for."""

import pytest

from tests.support.test_guards import outcomes

QT_OFFENDERS = """
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtWidgets import QWidget

kept = []

def test_leaves_a_widget(qapp):
    kept.append(QWidget())

def test_leaves_a_timer(qapp):
    timer = QTimer()
    timer.start(1000)
    kept.append(timer)

def test_warns(qapp):
    qWarning(b"unexpected")

def test_leaves_nothing(qtbot):
    qtbot.addWidget(QWidget())
"""


def test_what_qt_is_left_with_fails_the_test(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, QT_OFFENDERS) == {"passed": 3, "failed": 1, "errors": 2}

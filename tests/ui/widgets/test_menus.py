"""Menus within menus are made here, so that no stale wrapper of Qt is taken for one."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.menus import menu_place_of_choice, submenu
from tests.support.source_trees import modules_with, tree_of

MADE_BY_QT: Final = {"addMenu", "createStandardContextMenu", "createPopupMenu"}
HOME: Final = Path("ui/widgets/menus.py")


def menus_of_qt(tree: ast.Module) -> list[int]:
    """Returns the lines that take a menu that Qt makes."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MADE_BY_QT
    ]


def test_no_menu_is_taken_that_qt_makes() -> None:
    assert menus_of_qt(ast.parse("menu.addAction(x)\nmenu.addMenu('Words')\nbox.createStandardContextMenu()")) == [2, 3]
    modules = [path for path in modules_with(*MADE_BY_QT) if path != HOME]
    assert {str(path): lines for path in modules if (lines := menus_of_qt(tree_of(path)))} == {}


def test_a_menu_stands_at_the_end_of_its_parent(qtbot: QtBot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    file, edit = submenu(bar, "&File"), submenu(bar, "&Edit")
    recent = submenu(file, "Recent")
    assert [action.menu() for action in bar.actions()] == [file, edit]
    assert [action.text() for action in file.actions()] == ["Recent"]
    assert isinstance(recent, QMenu)
    assert recent.parent() is file


def test_a_menu_that_a_key_asks_for_opens_at_the_caret_though_the_pointer_is_elsewhere(qtbot: QtBot) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    view.setGeometry(100, 100, 200, 100)
    view.show()
    QCursor.setPos(700, 500)
    assert menu_place_of_choice(QRect(30, 20, 1, 10), view) == view.mapToGlobal(QPoint(30, 29))
    assert menu_place_of_choice(QRect(-400, 900, 1, 10), view) == view.mapToGlobal(QPoint(0, 99))

"""Menus within menus are made here, so that no stale wrapper of Qt is taken for one."""

from __future__ import annotations

import ast
from pathlib import Path

from PySide6.QtWidgets import QMenu, QMenuBar
from pytestqt.qtbot import QtBot

import mnemoscope.ui
from mnemoscope.ui.widgets.menus import submenu

UI = Path(mnemoscope.ui.__file__).parent
MADE_BY_QT = {"addMenu", "createStandardContextMenu", "createPopupMenu"}
HOME = UI / "widgets" / "menus.py"


def menus_of_qt(tree: ast.Module) -> list[int]:
    """Returns the lines that take a menu that Qt makes."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MADE_BY_QT
    ]


def test_no_menu_is_taken_that_qt_makes() -> None:
    assert menus_of_qt(ast.parse("menu.addAction(x)\nmenu.addMenu('Words')\nbox.createStandardContextMenu()")) == [2, 3]
    trees = {path: ast.parse(path.read_text("utf-8")) for path in UI.rglob("*.py") if path != HOME}
    assert {path.name: lines for path, tree in trees.items() if (lines := menus_of_qt(tree))} == {}


def test_a_menu_stands_at_the_end_of_its_parent(qtbot: QtBot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    file, edit = submenu(bar, "&File"), submenu(bar, "&Edit")
    recent = submenu(file, "Recent")
    assert [action.menu() for action in bar.actions()] == [file, edit]
    assert [action.text() for action in file.actions()] == ["Recent"]
    assert isinstance(recent, QMenu)
    assert recent.parent() is file

"""Menus within menus.

What `QMenu.addMenu("words")` makes is Qt's own, and PySide may give it the wrapper of an object that was at its address
before: it is not the menu then, and what is asked of it fails. A menu that is made here is its own.
"""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QMenuBar


def submenu(parent: QMenu | QMenuBar, words: str) -> QMenu:
    """Returns a new menu, which stands at the end of `parent` under these words."""
    menu = QMenu(words, parent)
    parent.addMenu(menu)
    return menu

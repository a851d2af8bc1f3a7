"""Ctrl+F: what finding means depends on where the keyboard is."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QWidget

from mnemoscope.ui.shell.main_window import MainWindow


def find_where_the_keyboard_is(window: MainWindow) -> None:
    """Open the finding of the pane that has the keyboard; where that has none of its own, the conversation's."""
    prompt = window.prompt_place.built
    for pane in (window.memory, window.history, prompt):
        if pane is not None and _has_keyboard(pane):
            pane.find()
            return
    if _has_keyboard(window.sessions):
        window.search_conversations()
        return
    if _has_keyboard(window.timeline):
        window.status.say(window.tr("The timeline lists what the conversation says: find it there, click to go to it."))
    window.chat.transcript.find_bar.start()


def _has_keyboard(pane: QWidget) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and (pane is focus or pane.isAncestorOf(focus))

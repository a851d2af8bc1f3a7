"""Commands that a person gives twice before the dialog they asked for is there: one dialog opens."""

from __future__ import annotations

import pytest
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QDialog

from mnemoscope.ui.sessions.deletions import TrashDialog
from mnemoscope.ui.sessions.export_dialog import ExportDialog
from mnemoscope.ui.widgets.dialogs.question import Question
from tests.ui.window_fixture import Opened, Stage, rest, until


def shown(kind: type[QDialog]) -> list[QDialog]:
    """Returns the dialogs of this kind that are in sight."""
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("export", ExportDialog),
        ("print", QPrintDialog),
        ("conversation.restore", TrashDialog),
        ("dream.profile", Question),
    ],
)
async def test_a_command_that_is_given_twice_opens_one_dialog(stage: Stage, command: str, kind: type[QDialog]) -> None:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person: Opened = await stage.open()
    await person.until_ready()
    for _ in range(2):
        person.current.actions[command].trigger()
    await until(lambda: shown(kind), "the dialog")
    await rest(0.2)
    dialogs = shown(kind)
    for dialog in dialogs:
        dialog.reject()
    assert len(dialogs) == 1

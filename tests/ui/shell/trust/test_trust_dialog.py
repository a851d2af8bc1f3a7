"""What the dialog of a folder's trust looks like: what is to be agreed to stands in two columns."""

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import ChangedTerm, TrustState
from mnemoscope.ui.shell.trust.trust_dialog import TrustDialog


def test_each_term_is_named_in_one_line_beside_what_it_says_however_long_that_is(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    changes = (
        ChangedTerm("model", "openai/gpt-oss-20b"),
        ChangedTerm("exec", True),
        ChangedTerm("api_base", "http://example.org/" + "long-path/" * 20),
    )
    dialog = TrustDialog(Settings(), TrustState(changes=changes, fingerprint="x"), {}, may_change=True, parent=parent)
    dialog.show()
    (form,) = dialog.findChildren(QFormLayout)
    assert form.rowCount() == 3
    for row in range(form.rowCount()):
        items = [form.itemAt(row, role) for role in (form.ItemRole.LabelRole, form.ItemRole.FieldRole)]
        name, said = (item.widget() for item in items if item is not None)
        assert isinstance(name, QLabel)
        assert isinstance(said, QLabel)
        assert name.width() >= name.fontMetrics().horizontalAdvance(name.text())
        assert (name.y(), name.alignment()) == (said.y(), said.alignment())
    dialog.close()

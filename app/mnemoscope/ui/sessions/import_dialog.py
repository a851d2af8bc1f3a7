"""Asks what is to be imported, shows what it would bring, and how far it is."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.importing.imports import ImportReport
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import set_role

_NARROWEST: Final = 520
_MOST_SHOWN: Final = 200
_LINES_SEEN: Final = 6
"""Lines of memories that are in sight at once; the others are scrolled to."""
_NO_BOUND: Final = 16_777_215
"""The greatest height that Qt has."""


class ImportDialog(Dialog):
    """Offers a file or a folder, tells what is new in it, and imports it after one more press."""

    manual_page: ClassVar = "import"
    file_requested = Signal()
    folder_requested = Signal()
    import_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import"))
        self._intro = QLabel(
            self.tr(
                "Conversations and memories of another assistant: the zip or folder of an export of ChatGPT or Claude, "
                "or the folder of an agent on this computer. What you choose stays as it is."
            ),
            self,
        )
        self._intro.setWordWrap(True)
        self.choose_file = QPushButton(self.tr("Choose a file…"), self)
        self.choose_folder = QPushButton(self.tr("Choose a folder…"), self)
        self.report = plain_label(self)
        self.report.setAccessibleName(self.tr("What the import brings"))
        self.memories = plain_box(self, self.tr("Memories that would wait for your review"))
        self.memories.hide()
        self.bar = QProgressBar(self)
        self.bar.setAccessibleName(self.tr("How far the import is"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        self._lay_out()
        self.choose_file.clicked.connect(self.file_requested)
        self.choose_folder.clicked.connect(self.folder_requested)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(self)
        self.start = buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_role(self.start, kind="primary")
        self.start.setEnabled(False)
        self.leave = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.import_requested)
        buttons.rejected.connect(self.reject)
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(self.choose_file)
        choices.addWidget(self.choose_folder)
        choices.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addWidget(self._intro)
        column.addLayout(choices)
        column.addWidget(self.report)
        column.addWidget(self.memories, 1)
        column.addWidget(self.bar)
        column.addStretch(0)
        column.addWidget(buttons)
        self.setMinimumWidth(_NARROWEST)

    def show_reading(self, path: Path) -> None:
        """Shows that a file is looked at."""
        self.report.setText(self.tr("Looking at {file}…").format(file=path.name))
        set_role(self.report, role="muted")
        self.memories.hide()
        self._work(is_working=True)

    def show_working(self) -> None:
        """Shows that the import runs. Closing the dialog stops it."""
        self.report.setText(self.tr("Importing…"))
        self._work(is_working=True)
        self.leave.setText(self.tr("Stop"))

    def show_progress(self, done: int, total: int) -> None:
        """Shows how many conversations were looked at."""
        self.bar.setRange(0, total)
        self.bar.setValue(done)

    def show_seen(self, seen: ImportReport) -> None:
        """Shows what an import would bring."""
        self._work(is_working=False)
        set_role(self.report, role="")
        self.report.setText(self._words(seen))
        memories = seen.result.memories
        self.memories.setPlainText("\n".join(memories[:_MOST_SHOWN]))
        self.memories.setVisible(bool(memories))
        found = seen.result
        self.start.setEnabled(bool(found.conversations or found.grown or memories))
        self._fit()
        (self.start if self.start.isEnabled() else self.choose_file).setFocus()

    def show_fault(self, sentence: str) -> None:
        """Shows why something cannot be imported."""
        set_role(self.report, role="")
        self.report.setText(core_words(sentence))
        self.memories.hide()
        self._work(is_working=False)

    def show_ended(self) -> None:
        """Offers the choice again where what it worked at ended without a word."""
        if self.bar.isVisible():
            self.show_fault("")

    def reject(self) -> None:
        """Closes the dialog; what it looks at or imports is stopped."""
        self.stop_requested.emit()
        super().reject()

    def _fit(self) -> None:
        """Gives what is told the height that it needs and no more, as far as the screen has it."""
        # Wrapped lines count each, once the box has its width.
        lines = max(self.memories.document().blockCount(), round(self.memories.document().size().height()))
        around = 2 * (round(self.memories.document().documentMargin()) + self.memories.frameWidth())
        # Qt shows a bar already where the text ends at the last pixel.
        height = min(_LINES_SEEN, lines) * self.memories.fontMetrics().lineSpacing() + around + 1
        self.memories.setMinimumHeight(height)
        self.memories.setMaximumHeight(height if lines <= _LINES_SEEN else _NO_BOUND)
        column = self.layout()
        if column is not None:
            column.activate()
            wanted = QSize(self.width(), column.totalHeightForWidth(self.width()))
            self.resize(bounded(wanted, self))

    def _work(self, *, is_working: bool) -> None:
        self.bar.setVisible(is_working)
        self.bar.setRange(0, 0)
        for button in (self.choose_file, self.choose_folder):
            button.setEnabled(not is_working)
        self.start.setEnabled(False)
        self.leave.setText(self.tr("Cancel"))
        self._fit()

    def _words(self, seen: ImportReport) -> str:
        found = seen.result
        said = [
            self.tr("%n new conversations from {assistant},", "", found.conversations).format(assistant=seen.title)
            + " "
            + self.tr("%n messages.", "", found.messages)
        ]
        if found.grown:
            said.append(self.tr("%n conversations went on there and are replaced.", "", found.grown))
        if found.skipped:
            said.append(self.tr("%n went on or were deleted here and are left alone.", "", found.skipped))
        if found.left_out:
            said.append(self.tr("%n conversations of subagents or of its archive stay there.", "", found.left_out))
        if found.memories:
            said.append(self.tr("%n memories would wait for your review.", "", len(found.memories)))
        if not (found.conversations or found.grown or found.memories):
            said = [self.tr("Everything in it is here already."), *said[1:]]
        said += [core_words(each) for each in found.problems[:3]]
        return "\n".join(said)

"""Shows the receipts of forgettings: the places, the search afterwards as proof, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.forgetting.forgetting_receipt import ForgettingReceipt
from mnemoscope.ui.forgetting.place_words import counted, kind_name
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role


class ForgettingReceiptsDialog(Dialog):
    """Stands beside the window. `take_back_requested` carries the receipt's id."""

    manual_page: ClassVar = "forget"
    take_back_requested = Signal(str)

    def __init__(self, parent: QWidget, can_take_back: Callable[[str], bool]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("What was forgotten"))
        self._can_take_back = can_take_back
        self._receipts: list[ForgettingReceipt] = []
        self._is_unfinished = False
        self.which = ComboBox(self)
        self.which.setAccessibleName(self.tr("Receipt"))
        self.which.currentIndexChanged.connect(self._show_chosen)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("The receipt"))
        self.text.setMinimumHeight(Theme.current().scaled(96))
        self.state = plain_label(self)
        self.take_back = QPushButton(self.tr("Take back"), self)
        SinglePress(self).connect_button(self.take_back, self._take_back)
        self.copy = QPushButton(self.tr("Copy"), self)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self.shut = QPushButton(self.tr("Close"), self)
        self.shut.setDefault(True)
        self.shut.clicked.connect(self.reject)
        self._lay_out()
        self.resize(bounded(QSize(Theme.current().scaled(640), Theme.current().scaled(520)), self))
        self._show_chosen()

    @property
    def chosen(self) -> ForgettingReceipt | None:
        """Returns the receipt that is shown."""
        at = self.which.currentIndex()
        return self._receipts[at] if 0 <= at < len(self._receipts) else None

    def show_receipts(self, receipts: Sequence[ForgettingReceipt], *, is_unfinished: bool = False) -> None:
        """Shows the receipts, the newest first; the one that was shown stays. `is_unfinished`: one is still to come."""
        self._is_unfinished = is_unfinished
        shown = self.chosen
        self.which.blockSignals(True)
        self._receipts = list(receipts)
        self.which.clear()
        self.which.addItems([self._title(each) for each in receipts])
        ids = [each.id for each in receipts]
        if shown is not None and shown.id in ids:
            self.which.setCurrentIndex(ids.index(shown.id))
        self.which.blockSignals(False)
        self._show_chosen()

    def show_state(self, words: str) -> None:
        """Says what became of taking back."""
        self.state.setText(words)
        self.state.show()
        self._offer()

    def _show_chosen(self) -> None:
        receipt = self.chosen
        state = ""
        if self._is_unfinished:
            state = self.tr(
                "A forgetting began and is not finished. It goes on as soon as the disk takes it, at the latest when "
                "the workspace is opened next; then its receipt is here."
            )
        elif receipt is not None and not receipt.undone and not self._can_take_back(receipt.id):
            state = self.tr("This cannot be taken back any more: what that needs was kept until the window closed.")
        self.state.setText(state)
        self.state.setVisible(bool(state))
        nothing = "" if self._is_unfinished else self.tr("Nothing was forgotten yet.")
        self.text.setPlainText(nothing if receipt is None else self.words(receipt))
        self._offer()

    def words(self, receipt: ForgettingReceipt) -> str:
        """Returns a receipt as text."""
        lines = [self.tr("Forgotten on {when}.").format(when=receipt.when[:16].replace("T", " "))]
        if receipt.undone:
            lines.append(self.tr("Taken back on {when}.").format(when=receipt.undone[:16].replace("T", " ")))
        elif receipt.taking_back:
            began = self.tr(
                "Taking it back began on {when} and is not finished: places that are named below may have the words "
                "again. A line of memory that is back is held: it is in no prompt and waits for your word."
            )
            lines.append(began.format(when=receipt.taking_back[:16].replace("T", " ")))
        searched = self.tr("%n files with {bytes} bytes were searched afterwards.", "", receipt.searched)
        lines.append(searched.format(bytes=f"{receipt.bytes:,}"))
        if not receipt.undone:
            lines.append(self._outcome(receipt))
        lines.append(
            self.tr(
                "Not searched: pictures, what is encrypted, what is compressed otherwise than by gzip, zlib, bzip2, xz "
                "or zip, and other codes than those of JSON, addresses, HTML and base64. Files that are known to be so "
                "packed are named below."
            )
        )
        lines += ["", self.tr("Taken out of:")]
        for taken in receipt.taken:
            words = f"{taken.path} × {taken.count:,}"
            lines.append(f"- {kind_name(taken.kind)}: {words}")
            if taken.digest:
                lines.append(f"  SHA-256 {taken.digest}")
        if receipt.is_indexed_again:
            lines.append(self.tr("  It is made anew with the next search, and has the words again of what was left."))
        if receipt.left:
            lines += ["", self.tr("Left:")]
        for left in receipt.left:
            words = counted(left.path, left.count)
            lines.append(f"- {kind_name(left.kind)}: {words}. {core_words(left.reason)}")
        if not receipt.undone:
            lines += ["", self.tr("Kept:"), self._kept()]
        return "\n".join(lines)

    def _title(self, receipt: ForgettingReceipt) -> str:
        """Returns what tells a receipt from the others, as it has none of the words."""
        when, places = receipt.when[:16].replace("T", " "), self.tr("%n places", "", len(receipt.taken))
        return " · ".join((when, places, *([self.tr("taken back")] if receipt.undone else ())))

    def _outcome(self, receipt: ForgettingReceipt) -> str:
        """Returns in one sentence what the search afterwards found."""
        if receipt.is_clean:
            return self.tr("The words were found nowhere.")
        count = sum(each.count > 0 for each in receipt.left)
        if count:
            return self.tr("%n places have the words still: they are named below, with the reason.", "", count)
        return self.tr("The words were found nowhere. What cannot be looked into is named below.")

    def _kept(self) -> str:
        words = self.tr(
            "Hashes of the words and values, so that they are known when they come back; none of the words. The key "
            "they are made with lies outside the workspace. They go when you say the same again yourself."
        )
        return f"- .mnemoscope/tombstones.json: {words}"

    def _take_back(self) -> None:
        receipt = self.chosen
        if receipt is not None:
            self.take_back.setEnabled(False)
            self.take_back_requested.emit(receipt.id)

    def _offer(self) -> None:
        receipt = self.chosen
        self.which.setVisible(bool(self._receipts))
        self.copy.setEnabled(receipt is not None)
        self.take_back.setEnabled(receipt is not None and self._can_take_back(receipt.id))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.take_back, self.copy):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.shut)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addWidget(self.which)
        column.addWidget(self.text, 1)
        column.addWidget(self.state)
        column.addLayout(row)
        set_role(self.text, role="card")

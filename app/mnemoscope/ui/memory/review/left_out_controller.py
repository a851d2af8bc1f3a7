"""The proposals that were left out of the review: how many there are, and the list from which one is let in again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import review_items
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_SIZE: Final = (560, 320)


class LeftOutController(QObject):
    """Says in the open review how many proposals never began to wait, lists them, and lets one in again."""

    opened = Signal(object)
    """Comes with the dialog that lists them."""

    def __init__(self, services: MemoryServices, parent: QObject) -> None:
        super().__init__(parent)
        self._bench = services.bench
        self._tasks = services.tasks
        self._review: ReviewDialog | None = None
        self._dialog: LeftOutDialog | None = None

    def join(self, review: ReviewDialog) -> None:
        """Does so in this review until it is closed."""
        self._review = review
        review.left_out_requested.connect(lambda: self._tasks.spawn(self._open(), "review"))
        review.finished.connect(self._on_review_closed)

    async def refresh(self) -> None:
        """Reads anew what was left out, and says in the review how many that are."""
        found, when = await self._bench.disk.run(self._found)
        if self._review is not None:
            self._review.show_left_out(len(found), when)

    def _found(self) -> tuple[list[Suggestion], str]:
        """Returns what was left out, and when the person rejected the newest of it. Blocks on the disk."""
        found = self._bench.memory.ledger.left_out()
        return found, self._bench.memory.rejections.when(found[-1]) if found else ""

    async def _open(self) -> None:
        found, _ = await self._bench.disk.run(self._found)
        if self._review is not None and self._dialog is None:
            dialog = self._dialog = LeftOutDialog(self._review)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.show_left_out(found)
            dialog.button.setVisible(not self._bench.read_only)
            dialog.finished.connect(self._on_closed)
            dialog.let_in.connect(lambda each: self._tasks.spawn(self._let_in(each, dialog), "let in"))
            dialog.open()
            self.opened.emit(dialog)

    async def _let_in(self, suggestion: Suggestion, dialog: LeftOutDialog) -> None:
        try:
            await self._bench.memory.editing.suggest_left_out(suggestion)
        except MnemoscopeError as error:
            sentence = f"{error.sentence} {error.next_step}".strip()
            if self._review is not None:
                self._review.show_sentence(sentence)
            if self._dialog is dialog:
                dialog.show_refused(suggestion, core_words(sentence))
            return
        if self._dialog is dialog:
            dialog.take_out(suggestion)

    def _on_closed(self) -> None:
        self._dialog = None

    def _on_review_closed(self) -> None:
        self._review = None


class LeftOutDialog(Dialog):
    """Lists the proposals that never began to wait, since the person had rejected the same."""

    manual_page: ClassVar = "review"
    let_in = Signal(object)
    """This `Suggestion` is to wait again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Left out of the review"))
        meaning = QLabel(
            self.tr("You rejected the same before, in these or in other words. Nothing was changed."), self
        )
        meaning.setWordWrap(True)
        set_role(meaning, role="caption")
        self._under_way: set[str] = set()
        """The ids of the proposals that are being let in: each once, whatever time the disk takes."""
        self.button = QPushButton(self.tr("Let it in again"), self)
        self.button.setEnabled(False)
        SinglePress(self).connect_button(self.button, self._let_in)
        self.list = QListWidget(self)
        self.list.setWordWrap(True)
        self.list.setAccessibleName(self.tr("Proposals that were left out"))
        self.list.currentRowChanged.connect(lambda row: self.button.setEnabled(row >= 0))
        self.said = plain_label(self)
        self.said.hide()
        buttons = self.closing_buttons(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(meaning)
        column.addWidget(self.list, 1)
        column.addWidget(self.said)
        column.addWidget(buttons)
        self.resize(QSize(*(Theme.current().scaled(side) for side in _SIZE)))

    def show_left_out(self, found: Sequence[Suggestion]) -> None:
        """Lists these, the newest first."""
        self.list.clear()
        for suggestion in reversed(found):
            row = QListWidgetItem(self._words(suggestion), self.list)
            row.setData(Qt.ItemDataRole.UserRole, suggestion)
        self.list.setCurrentRow(0)

    def _words(self, suggestion: Suggestion) -> str:
        removal = self.tr("take out: {words}")
        return "\n".join(
            item.after.strip() or removal.format(words=item.before.strip()) for item in review_items([suggestion])
        )

    def show_refused(self, suggestion: Suggestion, sentence: str) -> None:
        """Says why a proposal could not be let in; it stays in the list."""
        self._under_way.discard(suggestion.id)
        self.said.setText(sentence)
        self.said.show()

    def take_out(self, suggestion: Suggestion) -> None:
        """Takes a proposal that waits again out of the list, and closes with the last one."""
        self.said.hide()
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole).id == suggestion.id:
                self.list.takeItem(row)
                break
        if not self.list.count():
            self.accept()

    def _let_in(self) -> None:
        row = self.list.currentItem()
        suggestion = row.data(Qt.ItemDataRole.UserRole) if row is not None else None
        # The button stays as it is meanwhile: one that is switched off would lose the keyboard to the next.
        if isinstance(suggestion, Suggestion) and suggestion.id not in self._under_way:
            self._under_way.add(suggestion.id)
            self.let_in.emit(suggestion)

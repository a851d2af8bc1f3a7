"""Brings in what others wrote while the person was typing: the bar, the comparison, the merge and its conflicts."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.editor.working_copy import Rebased, WorkingCopy
from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack
from mnemoscope.ui.widgets.page_stack import PageStack
from mnemoscope.ui.widgets.theme import LINK_INSET, set_role


class Incoming(QObject):
    """Asks what to do with a text that arrived. `rebased(text and conflicts, flash)` is to be shown in the editor."""

    rebased = Signal(object, bool)
    merging = Signal(str)
    """The text merged with this one is about to be shown."""
    left = Signal()

    def __init__(
        self,
        copy: WorkingCopy,
        view: LazyWidget[IncomingView],
        editor: MemoryEditor,
        pages: PageStack,
        bars: NoticeStack,
        name: str,
    ) -> None:
        super().__init__(pages)
        self._copy = copy
        self._view = view
        self._editor = editor
        self._pages = pages
        self._bars = bars
        self._name = name
        view.join(self._join)

    def _join(self, view: IncomingView) -> None:
        view.merge_chosen.connect(self.merge)
        view.mine_chosen.connect(self.keep_mine)
        view.closed.connect(self.left)

    def refresh(self) -> None:
        """Shows or hides the bar, as things stand."""
        incoming = self._copy.incoming
        if incoming is None:
            self._bars.take("incoming")
            if self._pages.page == "compare":
                self.left.emit()
            return
        actions = [
            (self.tr("Merge"), self.merge),
            (self.tr("Diff"), self.compare),
            (self.tr("Keep mine"), self.keep_mine),
        ]
        self._bars.put("incoming", "warning", self._what_happened(incoming.origin), actions, closable=False)

    def merge(self) -> None:
        """Rebases the unsaved words on what arrived, as one undoable step."""
        self.merging.emit(self._copy.latest.text)
        self.rebased.emit(self._copy.merge_incoming(self._editor.text()), True)

    def keep_mine(self) -> None:
        """Lets the unsaved words stand, which can be taken back."""
        before = self._copy.keep_mine()

        def bring_back() -> None:
            self._bars.take("kept")
            self._copy.bring_back(before)
            self.refresh()

        self.rebased.emit(Rebased(self._editor.text(), True), False)
        words = self.tr("Your text stays as it is. Saving will replace the other version.")
        self._bars.put("kept", "info", words, [(self.tr("Undo"), bring_back)])

    def compare(self) -> None:
        """Shows what the other side changed."""
        incoming = self._copy.incoming
        if incoming is not None:
            before = self._editor.text() if incoming.origin == "draft" else self._copy.base.text
            view = self._view.widget
            view.diff.show_diff(before, incoming.text, self._title(incoming.origin))
            self._pages.show_page("compare")
            view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _what_happened(self, origin: str) -> str:
        """Returns the sentence that says who else wrote while there were unsaved words."""
        sentences = {
            "consolidation": self.tr("{name} was changed by consolidation while you were typing."),
            "dream": self.tr("{name} was changed by Dream while you were typing."),
            "agent": self.tr("{name} was changed by the assistant while you were typing."),
            "capture": self.tr("{name} keeps what you said in a message while you were typing here."),
            "editor": self.tr("{name} was changed from this window while you were typing."),
            "restore": self.tr("An earlier version of {name} was restored while you were typing."),
            "forgotten": self.tr("Forgotten words were taken out of {name} while you were typing."),
            "draft": self.tr("{name} was changed since you last typed here. Your unsaved words are back."),
        }
        other = self.tr("{name} was changed by another program while you were typing.")
        words = sentences.get(origin, other).format(name=self._name)
        return words + " " + self.tr("Nothing of yours was touched.")

    def _title(self, origin: str) -> str:
        """Returns the title of the comparison with what someone else wrote."""
        titles = {
            "consolidation": self.tr("What consolidation changed"),
            "dream": self.tr("What Dream changed"),
            "agent": self.tr("What the assistant changed"),
            "capture": self.tr("What was remembered of your message"),
            "restore": self.tr("What the earlier version changes"),
            "forgotten": self.tr("What was taken out"),
            "draft": self.tr("From your unsaved words to the file"),
        }
        return titles.get(origin, self.tr("What the other program changed"))


class IncomingView(QWidget):
    """Shows a diff with the ways on from it as signals."""

    manual_page: ClassVar = "review"
    merge_chosen = Signal()
    mine_chosen = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.closed.emit)
        self.diff = DiffView(self)
        merge, mine, back = (
            QPushButton(text, self) for text in (self.tr("Merge"), self.tr("Keep mine"), self.tr("Back"))
        )
        set_role(merge, kind="primary")
        set_role(back, kind="quiet")
        merge.setAccessibleDescription(self.tr("Bring both together; where both changed a line, yours stays"))
        for button, signal in ((merge, self.merge_chosen), (mine, self.mine_chosen), (back, self.closed)):
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(merge)
        row.addWidget(mine)
        row.addWidget(back)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addWidget(self.diff, 1)
        column.addLayout(row)
        self.setFocusProxy(merge)

"""What others wrote while the person was typing: the bar, the comparison, the merge and its conflicts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from mnemoscope.ui.memory.editor.working_copy import Rebased, WorkingCopy
from mnemoscope.ui.memory.memory_body import MemoryBody
from mnemoscope.ui.memory.memory_sentences import MemorySentences
from mnemoscope.ui.widgets.notice_stack import NoticeStack

if TYPE_CHECKING:
    from mnemoscope.ui.memory.review.incoming_view import IncomingView


class MemoryIncoming(QObject):
    """Asks what to do with a text that arrived. `rebased(text and conflicts, flash)` is to be shown in the editor."""

    rebased = Signal(object, bool)
    merging = Signal(str)
    """What is merged with this text is about to be shown."""
    left = Signal()

    def __init__(
        self, writers: WorkingCopy, body: MemoryBody, bars: NoticeStack, say: MemorySentences, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._writers, self._body, self._bars = writers, body, bars
        self._say = say

    @cached_property
    def _comparison(self) -> IncomingView:
        view = self._body.compare
        view.merge_chosen.connect(self.merge)
        view.mine_chosen.connect(self.keep_mine)
        view.closed.connect(self.left)
        return view

    def refresh(self) -> None:
        """Show or take away the bar, as things stand."""
        incoming = self._writers.incoming
        if incoming is None:
            self._bars.take("incoming")
            if self._body.page == "compare":
                self.left.emit()
            return
        actions = [
            (self.tr("Merge"), self.merge),
            (self.tr("Diff"), self.compare),
            (self.tr("Keep mine"), self.keep_mine),
        ]
        sentence = self._say.changed_while_typing(incoming.origin)
        self._bars.put("incoming", "warning", sentence, actions, closable=False)

    def merge(self) -> None:
        """Rebase the unsaved words on what arrived, as one undoable step."""
        self.merging.emit(self._writers.latest.text)
        self.rebased.emit(self._writers.merge_incoming(self._body.editor.text()), True)

    def keep_mine(self) -> None:
        """Let the unsaved words stand; can be taken back."""
        before = self._writers.keep_mine()

        def bring_back() -> None:
            self._bars.take("kept")
            self._writers.bring_back(before)
            self.refresh()

        self.rebased.emit(Rebased(self._body.editor.text(), True), False)
        self._bars.put("kept", "info", self._say.kept_mine(), [(self.tr("Undo"), bring_back)])

    def compare(self) -> None:
        """Show what the other side changed."""
        incoming = self._writers.incoming
        if incoming is not None:
            before = self._body.editor.text() if incoming.origin == "draft" else self._writers.base.text
            self._comparison.diff.show_diff(before, incoming.text, self._say.difference(incoming.origin))
            self._body.show_page("compare")
            self._comparison.setFocus(Qt.FocusReason.OtherFocusReason)

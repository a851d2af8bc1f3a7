"""What stands below the conversation: why the last answer failed, or that there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from mnemoscope.ui.widgets.lazy import follow_in_tab_order
from mnemoscope.ui.widgets.notice_bar import NoticeAction, NoticeBar
from mnemoscope.ui.widgets.quiet_line import QuietLine
from mnemoscope.ui.widgets.theme import READING_WIDTH


class TranscriptEnd(QWidget):
    """One notice at a time; `ask` has the newest message answered. Tab comes to it behind the control `before`."""

    def __init__(self, ask: Callable[[], object], before: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._ask, self._before = ask, before
        self.failure: NoticeBar | None = None
        self._unanswered: QuietLine | None = None
        self._row = QHBoxLayout(self)
        self.keep_clear(24)

    def keep_clear(self, gutter: int) -> None:
        """Leave this much room, pixels, at both sides."""
        self._row.setContentsMargins(gutter, 0, gutter, 8)

    def show_failure(self, sentence: str, next_step: str = "", actions: Sequence[NoticeAction] = ()) -> None:
        """Say what went wrong and what to do."""
        self.clear()
        self.failure = NoticeBar("danger", f"{sentence} {next_step}".strip(), actions, parent=self)
        self.failure.closed.connect(self._forget_failure)
        self._put(self.failure)

    def show_unanswered(self) -> None:
        """Say that the conversation's end has no answer, and offer one."""
        self.clear()
        self._unanswered = QuietLine(self.tr("No answer was written."), self.tr("Answer now"), self._ask, self)
        self._put(self._unanswered)

    def clear(self) -> None:
        """Take away what is there."""
        if self.failure is not None:
            self.failure.dismiss()
        if self._unanswered is not None:
            self._unanswered.go()
            self._unanswered = None
        self.hide()

    def _put(self, notice: QWidget) -> None:
        notice.setMaximumWidth(READING_WIDTH)
        self._row.addWidget(notice)
        follow_in_tab_order(notice, self._before)
        self.show()

    def _forget_failure(self) -> None:
        self.failure = None
        self.hide()

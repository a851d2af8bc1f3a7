"""Shows the summaries of an agent in the pane that a workspace has for its history logs, and offers what applies."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.agent.foreign.foreign_history import ForeignHistory, history_kind
from mnemoscope.agent.foreign.foreign_reading import SeenStore
from mnemoscope.agent.foreign.foreign_search import MEMORY
from mnemoscope.domain.foreign.foreign_records import ForeignConversation
from mnemoscope.domain.memory.history_entries import HistoryEntry
from mnemoscope.ui.agents.foreign_conversations import ForeignListed
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import set_role


def shown_summary(text: str) -> str:
    """Returns a summary as it may be shown, or words for one that the agent keeps where it cannot be read."""
    return tidied(text).strip() or QCoreApplication.translate("ForeignTimeline", "The summary cannot be read here.")


class ForeignHistoryView(QWidget):
    """Shows the summaries of one store."""

    summary_requested = Signal(object, int)
    """The summary of this number in the conversation of this `ForeignListed` is to be shown."""
    note_requested = Signal(str)
    """The daily note at this path is to be shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._store: SeenStore | None = None
        self._root: Path | None = None
        self._conversations: dict[str, ForeignConversation] = {}
        self.whose = ElidedLabel(self)
        set_role(self.whose, role="heading")
        self.pane = HistoryPane(self)
        self.pane.explains = False
        self.pane.explain_nothing(self.tr("None of its conversations was summed up."))
        self.pane.header.count_label.explain(self.tr("Each stands for what its agent sends no more of a conversation."))
        self.pane.model.origins.place_of = self._place_of
        self.pane.view.place_requested.connect(self._show_place)
        finding = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        finding.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        finding.activated.connect(self.pane.find)
        head = QVBoxLayout()
        head.setContentsMargins(12, 12, 12, 0)
        head.addWidget(self.whose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.pane, 1)

    def show_store(self, store: SeenStore, history: ForeignHistory) -> None:
        """Shows what `history` lists of a store; of the one on show already, what is on the screen stays."""
        if store is self._store:
            return
        is_same, self._store = self._root == store.root, store
        self._conversations = {each.id: each for each in store.conversations}
        self.whose.setText(self.tr("{agent} summed up").format(agent=store.title))
        if is_same:
            # A title may be another one by now.
            self.pane.model.origins.changed.emit()
        else:
            self._root = store.root
            self.pane.model.set_source(history)

    def forget(self) -> None:
        """Shows nothing any more."""
        self._store = None
        self._root = None
        self.pane.model.set_source(None)

    def _listed(self, entry: HistoryEntry) -> ForeignListed | None:
        conversation = self._conversations.get(entry.source)
        return ForeignListed(self._store, conversation) if self._store is not None and conversation else None

    def _place_of(self, entry: HistoryEntry) -> str:
        """Returns the title of the conversation that an entry stands in, or the name of the file."""
        if history_kind(entry) == "notes":
            return tidied(PurePosixPath(entry.source.removeprefix(MEMORY)).name)
        listed = self._listed(entry)
        # Of one that goes there is no title, until what it held is not listed either.
        return listed.title if listed is not None else self.tr("Not there any more")

    def _show_place(self, entry: HistoryEntry) -> None:
        listed = self._listed(entry)
        if history_kind(entry) == "notes":
            self.note_requested.emit(entry.source.removeprefix(MEMORY))
        elif listed is not None:
            self.summary_requested.emit(listed, entry.number)

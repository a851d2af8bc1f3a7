"""Time travel: all memory files, the pointer and the prompt as they were at a moment, read only, and the way back."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QWidget

from mnemoscope.agent.commits.time_travel import PastPrompt
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.commits import Snapshot
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.sessions.file_format.message_log import deleted_in
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.memory import past_view
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.prompt import prompt_pane
from mnemoscope.ui.prompt.prompt_controller import PromptController
from mnemoscope.ui.support.locale_words import moment_words
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Navigation
from mnemoscope.ui.timeline.timeline_controller import TimelineController
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.theme import set_role

_BAR = "past"


class TimeTravelController(QObject):
    """Shows a moment that is past; `is_away` meanwhile. Nothing can be edited then; what is sent goes out now."""

    def __init__(
        self,
        memory: MemoryPane,
        bench: Workbench,
        tasks: Tasks,
        *,
        chat: ChatColumn,
        prompt_pane: LazyWidget[prompt_pane.PromptPane],
        conversation: ConversationController,
        timeline: TimelineController,
        prompt: PromptController,
        navigation: Navigation,
    ) -> None:
        super().__init__(memory)
        self._memory = memory
        self._chat = chat
        self._prompt_pane = prompt_pane
        self._navigation = navigation
        self._bench = bench
        self._tasks = tasks
        self._conversation = conversation
        self._timeline = timeline
        self._prompt = prompt
        self._snapshot: Snapshot | None = None
        self._asked = 0
        self._banner: PastBanner | None = None
        self.is_away = False
        memory.past.join(self._on_built)
        memory.now_requested.connect(self.back)
        prompt_pane.join(lambda _pane: self._show_banner())

    def open(self, moment: datetime | None = None, commit_id: str = "") -> None:
        """Looks at a moment, and at the version of that id where one is meant; else at the newest version."""
        self._tasks.spawn(self._open(moment, commit_id), "look back")

    def back(self) -> None:
        """Comes back to the present."""
        if not self.is_away:
            return
        self.is_away = False
        self._asked += 1
        if self._banner is not None:
            self._banner.hide()
        self._memory.leave_past()
        self._chat.clear_standing_notice(_BAR)
        self._chat.composer.show_past_hint(False)
        self._prompt.show_past(None)
        self._tasks.spawn(self._timeline.show_now(), "timeline")

    async def _open(self, moment: datetime | None, commit_id: str) -> None:
        try:
            moments = await self._bench.commits.moments()
        except MnemoscopeError as error:
            self._memory.bars.put("versions", "warning", str(error))
            return
        self._navigation.show_pane("memory")
        if not moments:
            words = self.tr("There is no moment to look back to yet: versions begin with the first change of memory.")
            self._memory.bars.put("versions", "info", words)
            return
        chosen = (moment, commit_id) if moment else moments[-1]
        self.is_away = True
        self._memory.show_past().show_moments(moments)
        self._memory.past.widget.slider.setFocus()
        await self._show(*chosen)

    async def _show(self, moment: datetime, commit_id: str = "") -> None:
        self._asked += 1
        asked = self._asked
        try:
            past = await self._bench.commits.prompt_at(moment, self._conversation.key, commit_id)
        except MnemoscopeError as error:
            self._memory.bars.put("versions", "warning", str(error))
            self.back()
            return
        if asked != self._asked or not self.is_away:
            return
        self._snapshot = past.snapshot if past else None
        view = self._memory.past.widget
        view.show_snapshot(self._snapshot, moment)
        words = view.title.text()
        self._show_banner()
        if past is not None:
            self._prompt.show_past(past.prompt)
            if self._conversation.session is not None:
                await self._timeline.show_past(self._conversation.session, past, moment, words)
                if asked != self._asked:
                    # Back already, or at another moment: what says that this is the past would stay for ever.
                    await self._show_present()
                    return
        self._chat.composer.show_past_hint(True)
        said = self.tr(
            "You are looking at memory, timeline and prompt as they were on {moment}. Conversation and history are "
            "today's."
        ).format(moment=moment_words(moment))
        now = self.tr("What you send goes out now, with memory as it is now.")
        said = " ".join(part for part in (said, self._since(past), now) if part)
        self._chat.show_standing_notice(_BAR, "info", said, [(self.tr("Back to now"), self.back)])

    async def _show_present(self) -> None:
        """Shows the timeline as it is, where a moment that was asked for came after the way back."""
        if not self.is_away:
            await self._timeline.show_now()

    def _since(self, past: PastPrompt | None) -> str:
        """Returns how much of the conversation on show had not been said yet, without what is deleted."""
        session = self._conversation.session
        messages = session.messages if session is not None else []
        then, deleted = past.messages if past is not None else 0, deleted_in(messages)
        total = len(messages) - len(deleted)
        later = total - then + bisect_left(deleted, then)
        if not later:
            return ""
        if later == total:
            return self.tr("Nothing of this conversation had been said then.")
        return self.tr("%n messages of this conversation came later.", "", later)

    async def _restore(self, path: str) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        try:
            if path:
                await self._bench.commits.restore_file(snapshot.commit.id, path)
            names = [path] if path else await self._bench.commits.restore_moment(snapshot)
        except MnemoscopeError as error:
            self.back()
            self._memory.bars.put("versions", "danger", str(error))
            return
        self.back()
        words = self.tr("Restored: {names}. Each is a version of its own and can be undone.")
        if not names:
            words = self.tr("Nothing was restored: every file of that moment is as it was.")
        self._memory.bars.put("versions", "success", words.format(names=", ".join(names)))

    def _show_banner(self) -> None:
        """Says above the prompt which moment it is of, where the pane is built and there is a moment."""
        pane, view = self._prompt_pane.built, self._memory.past.built
        if pane is None or view is None or not (self.is_away and view.title.text()):
            return
        if self._banner is None:
            self._banner = PastBanner(pane)
            column = pane.layout()
            if isinstance(column, QBoxLayout):
                column.insertWidget(0, self._banner)
        self._banner.show_moment(view.title.text())

    def _on_built(self, view: past_view.PastView) -> None:
        view.set_read_only(self._bench.read_only)
        view.moment_chosen.connect(
            lambda moment, commit_id: self._tasks.spawn(self._show(moment, commit_id), "look back")
        )
        view.restore_chosen.connect(lambda path: self._tasks.spawn(self._restore(path), "restore"))
        view.closed.connect(self.back)


class PastBanner(QWidget):
    """Draws one line above a pane that does not show the present."""

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        card = QFrame(self)
        set_role(card, role="bar-info")
        self._label = QLabel(card)
        self._label.setWordWrap(True)
        set_role(self._label, role="caption")
        inside = QHBoxLayout(card)
        inside.setContentsMargins(12, 4, 12, 4)
        inside.addWidget(self._label)
        around = QHBoxLayout(self)
        around.setContentsMargins(12, 8, 12, 0)
        around.addWidget(card)

    def show_moment(self, words: str) -> None:
        """Says which moment it is."""
        self._label.setText(words)
        self.show()

"""The conversation: messages as they are recorded, the answer as it is written, and what can be done with them.

Knows neither disk nor model: messages come in as a sequence that is only asked for what is shown, wishes go out as
signals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QKeySequence, QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.conversation.command_action import actions_of
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import Message, is_command, text_of, tool_calls_of
from mnemoscope.ui.chat.message_actions import FoldCall, FoldMessage, MessageActions, RunCommand, TryAgain
from mnemoscope.ui.chat.transcript.message_drawer import Branches, KeptRecords
from mnemoscope.ui.chat.transcript.message_source import MessageSource
from mnemoscope.ui.chat.transcript.stream_renderer import ReplyStage, StreamRenderer
from mnemoscope.ui.chat.transcript.tool_events import ToolEvents
from mnemoscope.ui.chat.transcript.transcript_document import TranscriptDocument
from mnemoscope.ui.chat.transcript.transcript_find_bar import TranscriptFindBar
from mnemoscope.ui.chat.transcript.transcript_paging import FIRST_ROWS, TranscriptPaging
from mnemoscope.ui.chat.transcript.transcript_view import TranscriptLinks, TranscriptView
from mnemoscope.ui.markdown.document.text_column import gutter_of
from mnemoscope.ui.markdown.formulas.formulas import formulas, holds_formula
from mnemoscope.ui.widgets.accessibility.tab_order import follow_in_tab_order
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar, QuietLine
from mnemoscope.ui.widgets.pane import Pane
from mnemoscope.ui.widgets.pill import Pill
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import READING_WIDTH, Theme, set_role, theme_notifier


class Transcript(Pane):
    """Is the pane in the middle of the window."""

    message_activated = Signal(int)
    """A message was clicked, or chosen from its menu to be shown in the timeline."""
    example_chosen = Signal(str)
    """These words, an example of what to write, were chosen."""
    command_chosen = Signal(str)
    """A command that the answer of another one offers, with its slash."""
    link_requested = Signal(str)
    """An address the person saw in full and wants opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session_key = ""
        self._with_formulas: set[int] = set()
        """Messages to be written again, with formulas that are drawn now."""
        self._write_soon = QTimer(self, singleShot=True, interval=0)
        self._write_soon.timeout.connect(self._write_formulas)
        self.transcript = TranscriptDocument(self)
        self.view = TranscriptView(self.transcript, self)
        self.empty = EmptyConversation(self)
        self.find_bar = TranscriptFindBar(self.view, self)
        self.paging = TranscriptPaging(self.view)
        self.stream = StreamRenderer(self.transcript, self)
        self.message_actions = MessageActions()
        self.links = TranscriptLinks(self.view, self.message_actions)
        self.calls = ToolEvents(self.transcript, self.paging)
        self.end = TranscriptEnd(lambda: self.message_actions.run(TryAgain()), self.view, self)
        self._pill = Pill(self.tr("Jump to newest ↓"), self.view)
        ColumnRefit(self.view, self.calls)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.end.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.find_bar)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        column.addLayout(self._stack, 1)
        column.addWidget(self.end)
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        self.empty.example_chosen.connect(self.example_chosen)
        self.find_bar.closed.connect(self.view.setFocus)
        self.find_bar.message_requested.connect(self._bring_in)
        self.links.link_requested.connect(self.link_requested)
        self.links.message_requested.connect(self.message_activated)
        self.message_actions.on(FoldCall, lambda action: self.calls.fold(action.index, action.call_id))
        self.message_actions.on(FoldMessage, lambda action: self._fold_message(action.index))
        self.message_actions.on(RunCommand, self._run_command)
        self.view.row_clicked.connect(self.message_activated)
        self.view.end_requested.connect(self._go_to_end)
        self.paging.moved.connect(self._show_pill)
        self.stream.drawn.connect(self._on_drawn)
        self._pill.clicked.connect(self.jump_to_newest)
        theme_notifier().changed.connect(self.redraw)
        formulas().drawn.connect(self._on_formulas)

    def _on_formulas(self, drawn: frozenset[str]) -> None:
        """Writes the messages again that have these formulas; one that is still being written gets them at its end."""
        rows = (row for row in self.transcript.rows if row.drawn and holds_formula(text_of(row.message), drawn))
        self._with_formulas.update(row.index for row in rows)
        if self._with_formulas:
            self._write_soon.start()

    def _write_formulas(self) -> None:
        """Writes the newest of the messages that have formulas now; the others when the window had its turn."""
        newest = max(self._with_formulas, default=-1)
        self._with_formulas.discard(newest)
        self._rewrite((newest,))
        if self._with_formulas:
            self._write_soon.start()

    def show_linked(self, name: str, image: QImage) -> None:
        """Shows a picture below the messages whose text links to it."""
        with self.paging.held(to_end=self.paging.following):
            for row in self.transcript.keep_linked(name, image):
                self.transcript.rewrite(row)

    def _fold_message(self, index: int) -> None:
        with self.paging.held(to_end=False):
            self.transcript.fold(index)

    def _run_command(self, action: RunCommand) -> None:
        """Runs only what a command's own answer offers: no words of a model become a command."""
        message = self.transcript.source[action.index]
        offered = actions_of(message) if is_command(message) else ()
        if action.place < len(offered):
            self.command_chosen.emit(offered[action.place].command)

    # Messages

    def show_messages(
        self,
        session_key: str,
        messages: Sequence[Message],
        first_index: int = 0,
        stop: int | None = None,
        *,
        closed: bool = False,
    ) -> None:
        """Shows a session's newest messages. `messages` may be lazy and very long; only what is shown is asked for.

        `first_index` is the index of `messages[0]`, `stop` as MessageSource's. Called again for the same session with
        more of it (the tail first, the whole later), what is on screen stays where it is. A `closed` conversation is
        there to be read: nothing in it offers to be done.
        """
        source = MessageSource(messages, first_index, stop)
        if session_key == self.session_key and (self._continues(source) or self._parts(source, closed=closed)):
            return
        self.session_key = session_key
        self._end_stream()
        self.end.clear()
        self.transcript.pointer.index = 0
        self.transcript.unfolded.clear()
        self._with_formulas.clear()
        self.transcript.branches = {}
        self.transcript.source, self.transcript.closed = source, closed
        self._show_or_empty()
        self.view.fit_column()
        with self.view.bar_kept():
            self.transcript.clear()
            self.paging.open(source)

    def _continues(self, source: MessageSource) -> bool:
        """Takes over a longer view of the same messages without drawing them again; says whether that was possible."""
        rows = self.transcript.rows
        if not rows or self.stream.active or source.stop < rows[-1].index:
            return False
        if any(row.index < source.first or source[row.index] != row.message for row in (rows[0], rows[-1])):
            return False
        newest = self.paging.at_newest
        if source.stop > self.transcript.source.stop:
            # Something follows what was said to have failed, or to be without an answer.
            self.end.clear()
        self.transcript.source = source
        if newest and source.stop > self.transcript.stop:
            self._append(source.stop - 1)
        self.paging.look_around()
        return True

    def _parts(self, source: MessageSource, *, closed: bool) -> bool:
        """Goes over to another branch of the same conversation: rows of messages that are in both stay as they are.

        Returns whether that was possible; what would be much to write, or has tools, is shown as another conversation.
        """
        rows = self.transcript.rows
        if closed or self.transcript.closed or not rows or not self.paging.at_newest:
            return False
        self._end_stream()
        rows = self.transcript.rows
        shared = sum(1 for _ in takewhile(lambda row: source[row.index] == row.message, rows))
        parted = rows[shared - 1].index + 1 if shared else 0
        if not shared or source.stop - parted > FIRST_ROWS or rows[shared - 1].message.get("interrupted"):
            return False
        left = [row.message for row in rows[shared:]]
        come = [source[index] for index in range(parted, source.stop)]
        if any(message.get("role") == "tool" or tool_calls_of(message) for message in (*left, *come)):
            return False
        self.end.clear()
        self.transcript.pointer.index = 0
        self.transcript.divide()
        self.transcript.source = source
        self.transcript.unfolded = {index for index in self.transcript.unfolded if index < parted}
        branches = self.transcript.branches.items()
        self.transcript.branches = {index: choice for index, choice in branches if index < parted}
        with self.paging.held(to_end=True):
            self.transcript.trim_below(parted)
            for index in range(parted, source.stop):
                self.transcript.append(index)
        self.paging.to_newest()
        return True

    def append_message(self, index: int, message: Message) -> None:
        """Shows the message that is recorded at `index`."""
        # Asked of the rows: the sequence may hold the message already.
        at_newest = not self.transcript.rows or self.transcript.stop >= index
        self.transcript.source.add(index, message)
        self._show_or_empty()
        if message.get("role") == "assistant" and self.stream.active and not is_command(message):
            self._adopt(index, message)
        elif at_newest:
            self._append(index)
        self._show_pill()

    def _adopt(self, index: int, message: Message) -> None:
        self.view.writing = False
        if self.transcript.is_drawn_twice(index):
            self.transcript.remove_last(self.transcript.rows[-1])
            self.stream.detach()
        drawn = self.stream.adopt(index, message)
        if not drawn and self.transcript.stop >= index:
            self._append(index)
        elif (row := self.transcript.row_of(index)) is not None:
            self.transcript.retire_before(row)
        self.paging.follow()
        self.view.viewport().update()

    def _append(self, index: int) -> None:
        """Writes all rows up to `index`; an answer being written stays below them."""
        live = self.stream.attached
        if live:
            self.transcript.remove_last(self.transcript.rows[-1])
            self.stream.detach()
        for missing in range(self.transcript.stop if self.transcript.rows else index, index + 1):
            row = self.transcript.append(missing)
            if not row.drawn:
                self.calls.answered(str(row.message.get("tool_call_id") or ""))
        if live:
            self.stream.attach()
        if self.paging.following:
            self.paging.trim_above()
        self.paging.follow()

    def _show_or_empty(self) -> None:
        there_are_any = self.transcript.source.stop > self.transcript.source.first or self.stream.active
        self._stack.setCurrentWidget(self.view if there_are_any else self.empty)

    # The answer being written

    def begin_reply(self) -> None:
        """Shows that the assistant is at work."""
        self.end.clear()
        if self.stream.active:
            return
        self.stream.begin(draw=self.paging.at_newest)
        self.view.writing = self.stream.attached
        self._show_or_empty()
        self.paging.follow()

    def show_stage(self, stage: ReplyStage, waited: float | None = 0.0) -> None:
        """Says how far the answer is of which no word has come: for `waited` seconds, None for as long as was known."""
        self.begin_reply()
        self.stream.show_stage(stage, waited)

    def add_delta(self, text: str) -> None:
        """Adds a piece of the answer."""
        if not self.stream.active:
            self.begin_reply()
        self.stream.add(text)

    def end_reply(self) -> None:
        """Ends the answer. Where no record of it came, what was written stays, marked as interrupted."""
        self._end_stream()
        self.paging.follow()
        self._show_or_empty()

    def _end_stream(self) -> None:
        self.view.writing = False
        if self.stream.active:
            self.stream.drop()
        self.view.viewport().update()

    def _on_drawn(self) -> None:
        self.paging.follow()
        self.view.viewport().update()

    # Places

    def scroll_to_message(self, index: int) -> None:
        """Brings a message into view, wherever it is in the conversation, and highlights it for a moment."""
        live = self.stream.attached
        if live and self.transcript.row_of(index) is None:
            self.stream.detach()
            self.view.writing = False
        row = self.paging.to_message(index)
        if row is not None:
            self.view.emphasis.light_up(row)
        self._show_pill()

    def _go_to_end(self, newest: bool) -> None:
        """Goes to the newest message, or to the first one, and the caret with it: what is drawn of a long conversation
        has ends of its own."""
        if newest:
            self.jump_to_newest()
        else:
            self.scroll_to_message(self.transcript.source.first)
        self.view.moveCursor(QTextCursor.MoveOperation.End if newest else QTextCursor.MoveOperation.Start)

    def place_of(self, index: int) -> int | None:
        """Returns how many pixels below the top of the view a message begins; None where it is not drawn."""
        row = self.transcript.row_of(index)
        return round(self.view.row_rect(row).top()) - self.view.offset() if row is not None else None

    def stand_at(self, index: int, place: int) -> None:
        """Scrolls so that a message begins so many pixels below the top of the view, as far as the ends allow."""
        self.paging.to_message(index, place)
        self._show_pill()

    def light_up(self, indices: Sequence[int]) -> None:
        """Highlights messages for a moment, as far as they are drawn."""
        rows = [row for index in indices if (row := self.transcript.row_of(index)) is not None]
        if rows:
            self.view.emphasis.light_up(*rows)

    def _bring_in(self, index: int) -> None:
        self.scroll_to_message(index)
        self.find_bar.search_near(index)

    def follow_newest(self) -> None:
        """Goes back to the end and along with it, because the person sent something; the keyboard stays where it is."""
        self.paging.to_newest()
        self._show_pill()

    def jump_to_newest(self) -> None:
        """Goes back to the end, and along with it from now on."""
        self.paging.to_newest()
        if self.stream.active and not self.stream.attached:
            self.stream.attach()
            self.view.writing = True
            self.paging.follow()
        self._show_pill()
        self.view.setFocus()

    def show_kept(self, kept: KeptRecords, *, gone: frozenset[str] = frozenset()) -> None:
        """Tells under their messages what was kept of these, and of no others. `gone`: the ids of those whose line
        memory does not have any more."""
        known, now = self.transcript.kept, dict(kept)
        moved = gone ^ self.transcript.gone
        changed = [
            index
            for index in {*known, *now}
            if known.get(index) != now.get(index) or any(each.id in moved for each in now.get(index, ()))
        ]
        self.transcript.kept = now
        self.transcript.gone = gone
        self._rewrite(changed)

    def show_branches(self, branches: Branches) -> None:
        """Tells at these messages, and at no others, that the conversation goes on in several ways."""
        known, now = self.transcript.branches, dict(branches)
        changed = [index for index in {*known, *now} if known.get(index) != now.get(index)]
        self.transcript.branches = now
        self._rewrite(changed)

    def _rewrite(self, indices: Iterable[int]) -> None:
        """Writes the messages of these indices anew, those of them that are written; what is read stays in its
        place."""
        rows = [row for index in sorted(indices) if (row := self.transcript.row_of(index)) is not None]
        if rows:
            with self.paging.held(to_end=self.paging.following):
                for row in rows:
                    self.transcript.rewrite(row)

    def mark_consolidated_upto(self, pointer: int) -> None:
        """Draws the pointer's line above message `pointer`."""
        if pointer == self.transcript.pointer.index:
            return
        with self.paging.held(to_end=self.paging.following):
            self.transcript.mark_pointer(pointer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A shortcut of its own would stand in the way of the window's.
        if event.matches(QKeySequence.StandardKey.Find):
            self.find_bar.start()
        else:
            super().keyPressEvent(event)

    # Looks

    def redraw(self) -> None:
        """Draws what is on show anew, in its place: it looks otherwise, or records of it were replaced."""
        live = self.stream.attached
        if live:
            self.stream.detach()
        self.view.fit_column()
        self.paging.reload()
        if live:
            self.stream.attach()
            self.paging.follow()

    def _show_pill(self) -> None:
        self._pill.offer(not self.paging.following and self.view.isVisibleTo(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        gutter = gutter_of(event.size().width())
        self.end.keep_clear(gutter)
        super().resizeEvent(event)


_REFIT_MS: Final = 120
"""After the column's width changed, until what is cut to it is cut anew."""


class ColumnRefit(QObject):
    """Lays the column out once for a window's edge that is dragged, and not at all while the text column keeps its
    width."""

    def __init__(self, view: TranscriptView, calls: ToolEvents) -> None:
        super().__init__(view)
        self._transcript, self._calls = view.transcript, calls
        self._fitted = self._transcript.column_width
        self._soon = QTimer(self, singleShot=True, interval=_REFIT_MS)
        self._soon.timeout.connect(self._refit)
        view.resized.connect(self._on_resized)

    def _on_resized(self) -> None:
        if self._transcript.column_width != self._fitted:
            self._soon.start()

    def _refit(self) -> None:
        if self._transcript.column_width != self._fitted:
            self._fitted = self._transcript.column_width
            self._calls.refit()


class TranscriptEnd(QWidget):
    """Shows one notice at a time; `ask` has the newest message answered. Tab comes to it behind the control
    `before`."""

    def __init__(self, ask: Callable[[], object], before: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._ask, self._before = ask, before
        self.failure: NoticeBar | None = None
        self._unanswered: QuietLine | None = None
        self._row = QHBoxLayout(self)
        self.keep_clear(24)

    def keep_clear(self, gutter: int) -> None:
        """Leaves this much room, pixels, at both sides."""
        self._row.setContentsMargins(gutter, 0, gutter, 8)

    def show_failure(
        self, sentence: str, next_step: str = "", actions: Sequence[NoticeAction] = (), *, said: str = ""
    ) -> None:
        """Says what went wrong and what to do; `said` is what the server said of it."""
        self.clear()
        self.failure = NoticeBar("danger", f"{sentence} {next_step}".strip(), actions, said=said, parent=self)
        self.failure.closed.connect(self._forget_failure)
        self._put(self.failure)

    def show_unanswered(self) -> None:
        """Says that the conversation's end has no answer, and offers one."""
        self.clear()
        self._unanswered = QuietLine(self.tr("No answer was written."), self.tr("Answer now"), self._ask, self)
        self._put(self._unanswered)

    def clear(self) -> None:
        """Takes away what is there."""
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


_REMEMBERS: Final = 1
"""The example that has something remembered."""


class EmptyConversation(QWidget):
    """Offers examples; `example_chosen` carries the words of the one that was pressed."""

    example_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_read_only = False
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # It is scrolled sooner than a window is kept from being low.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(area)
        page = QWidget(area)
        set_role(page, role="canvas")
        area.setWidget(page)
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        sentence = plain_label(self, "lead")
        sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        column.addStretch(3)
        column.addWidget(self._icon)
        column.addSpacing(4)
        column.addWidget(sentence)
        self._note = plain_label(self)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note.hide()
        set_role(self._note, role="caption")
        column.addWidget(self._note)
        column.addSpacing(12)
        self._sentence, self._buttons = sentence, [self._button(words) for words in self._examples()]
        self.show_discretion(Discretion.REMEMBERED)
        for button in self._buttons:
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(4)
        self._restyle()
        theme_notifier().changed.connect(self._restyle)

    def note(self, words: str) -> None:
        """Says quietly what happened to the conversation before; "" for nothing."""
        self._note.setText(words)
        self._note.setVisible(bool(words))

    def show_discretion(self, discretion: Discretion) -> None:
        """Says what is kept of what is said here, and offers to have something remembered only where it would be."""
        if self._is_read_only:
            return
        self._sentence.setText(
            {
                Discretion.READS_MEMORY: self.tr("Say something. Memory is read here, and nothing is remembered."),
                Discretion.TEMPORARY: self.tr(
                    "Say something. Nothing of it is kept, and it is gone once you close it."
                ),
            }.get(discretion, self.tr("Say something. What matters is kept and shown beside the chat."))
        )
        self._buttons[_REMEMBERS].setVisible(discretion is Discretion.REMEMBERED)

    def set_read_only(self) -> None:
        """Offers nothing to say: there is nobody here to say it to."""
        self._is_read_only = True
        self._sentence.setText(self.tr("Nothing has been said in this conversation."))
        for button in self._buttons:
            button.hide()

    def _examples(self) -> tuple[str, str, str]:
        return (
            self.tr("What do you remember about me?"),
            self.tr("Remember that I prefer short answers."),
            self.tr("What did we decide last time?"),
        )

    def _button(self, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.setMinimumWidth(280)
        button.clicked.connect(lambda _checked=False: self.example_chosen.emit(words))
        return button

    def _restyle(self) -> None:
        icon = Theme.current().icon("message-square", "text_faint")
        self._icon.setPixmap(icon.pixmap(QSize(36, 36), self.devicePixelRatioF()))

"""All that waits for review, one passage at a time: what it would change, why it waits, and a key for each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import ClassVar, Final

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.disagreement.settlement import PairItem
from mnemoscope.domain.merge.conflict_resolution import settle_conflict
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.ui.memory.memory_sentences import file_name
from mnemoscope.ui.memory.review.pair_view import PairView
from mnemoscope.ui.memory.review.reason_words import ReasonWords, explained_by, other_reasons, said
from mnemoscope.ui.memory.review.review_queue import ReviewQueue, is_same, is_same_proposal
from mnemoscope.ui.memory.review.typed_words import PairFields, TypedWords
from mnemoscope.ui.memory.review.waiting_list import WaitingList
from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.memory.versions.origin_words import messages_of_suggestion, others_words, when_words
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.theme import Theme, set_role

_SIZE: Final = (1000, 600)
_LIST_WIDTH: Final = 240
_LEAST_WITH_LIST: Final = 800
"""Pixels of the dialog's width from which the list of what waits stands beside the item in sight."""
_PAUSE_MS: Final = 1_000
"""For how long no key decides an item that came into sight by itself, counted from the last key that was pressed."""


class ReviewDialog(Dialog):
    """Leads through what waits. A key counts only once its item was painted, and only when it is pressed anew. An item
    that no act of the person brought into sight is decided by nothing in its first moments.

    `decided(item, "accept" | "reject" | "edit", text)`; `pair_settled(item, settlement)` of two facts that disagree;
    `undo_requested(item)`, the item that was decided last; `source_requested(item)`, its messages are to be shown here;
    `conversation_requested(item)`, they are to be shown where they stand; `pair_shown(item)`, whose lines want their
    sources.
    """

    manual_page: ClassVar = "review"
    decided = Signal(object, str, str)
    words_saved = Signal(object, str)
    """Comes with an item that does not wait any more as it was shown, and the words that the person has for it."""
    pair_settled = Signal(object, object)
    pair_shown = Signal(object)
    undo_requested = Signal(object)
    source_requested = Signal(object)
    conversation_requested = Signal(object)
    left_out_requested = Signal()
    """The proposals that were left out are to be listed."""

    def __init__(self, parent: QWidget | None = None, typed: TypedWords | None = None) -> None:
        """`typed` is what the person typed for what waits, also in a review that is closed by now."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Review all"))
        self._typed = typed or TypedWords(is_same_proposal)
        self.queue = ReviewQueue()
        self._reason_words = ReasonWords()
        """A title and a sentence by the kind of a reason, made once: all that waits is listed anew at each decision."""
        self._is_painted = False
        self._was_filled = False
        """Whether items were shown already, so that whatever comes now comes by itself."""
        self._pause = QDeadlineTimer()
        """Until when the item in sight is decided by nothing; a default one is past. No timer acts in the review."""
        self._is_editing = False
        self._is_gone = False
        """Whether the item that is edited does not wait any more as it was shown."""
        self._read_only = False
        self._released: tuple[int, int] = (0, 0)
        """The key that was released last, and the time of it in milliseconds of the window system."""
        self._place = QLabel(self)
        self.later_button = self._later()
        self._age = QLabel(self)
        self._why = QLabel(self)
        self._meaning = QLabel(self)
        self._reasons = QLabel(self)
        self.said = QLabel(self)
        self.came_by_itself = QLabel(self)
        self.gone = QLabel(self)
        self.left_out = QPushButton(self)
        set_role(self.left_out, kind="link")
        self.left_out.setAutoDefault(False)
        self.left_out.clicked.connect(self.left_out_requested)
        self.left_out.hide()
        self.list = WaitingList(self)
        self.list.chosen.connect(self._go_to)
        self.diff = DiffView(self)
        self.pair = PairView(self)
        words = self.tr("All is decided, and nothing waits for review.")
        self.nothing = EmptyState("circle-check", words, self.tr("Close"), self.close, self)
        self.nothing.button.setAutoDefault(False)
        self.edit = QPlainTextEdit(self)
        self._source = QLabel(self)
        self.source = QPlainTextEdit(self)
        self.source.hide()
        offer_forgetting(self.source)
        offer_forgetting(self.list, self._words_in_sight)
        self._presses = SinglePress(self)
        self.conversation_button = self._button(self.tr("Show in the conversation"), self._show_conversation)
        set_role(self.conversation_button, kind="link")
        self.conversation_button.hide()
        self.accept_button = self._button(self.tr("Accept (A)"), lambda: self._decide("accept"))
        self.edit_button = self._button(self.tr("Edit (E)"), lambda: self._decide("edit"))
        self.reject_button = self._button(self.tr("Reject (R)"), lambda: self._decide("reject"))
        self.source_button = self._button(self.tr("Source (S)"), self._show_source)
        self.undo_button = self._button(self.tr("Undo (U)"), self.undo)
        self.save_button = self._button(self.tr("Save (Ctrl+Enter)"), self._save_edit)
        self.leave_button = self._button(self.tr("Back (Esc)"), self._leave_edit)
        self._fields = (self.edit, self.pair.old.scope, self.pair.new.scope)
        self._is_fresh = False
        """Whether nothing was typed yet since the fields were opened, be it by a key that is held down still."""
        self._read = (self.diff.text, self.source)
        """Texts that only are read: the keys of the review work from there."""
        self._lay_out()
        for field in self._fields:
            field.installEventFilter(self)
        self.edit.textChanged.connect(self._keep_words)
        self.pair.installEventFilter(self)
        self.pair.edited.connect(self._keep_fields)
        self.pair.accepted.connect(self._save_edit)
        self.pair.scopes_changed.connect(self._offer_save)
        self.diff.text.installEventFilter(self)
        self.diff.text.viewport().installEventFilter(self)
        self.source.installEventFilter(self)
        for button in (*self._deciding, self.undo_button):
            button.installEventFilter(self)
        self._refresh()

    @property
    def is_ready(self) -> bool:
        """Returns whether the item in sight was painted, and did not come there by itself just now, so that a key
        decides it."""
        return self._is_painted and self._pause.hasExpired()

    def set_read_only(self) -> None:
        """Has everything only looked at."""
        self._read_only = True
        self._refresh()

    def show_items(self, items: Sequence[ReviewItem]) -> None:
        """Shows these; the one in sight stays where it is among them, and groups of a reason where they were. While it
        is edited it stays, with what is typed, until the person saves or leaves that."""
        current, is_first, self._was_filled = self.queue.current, not self._was_filled, True
        is_gone = self.queue.renew(items, keeps_current=self._is_editing)
        if self._is_editing:
            self._set_gone(is_gone)
        if current is None or self.queue.current is None or (self.queue.current != current and not self._is_editing):
            is_paused = not self._pause.hasExpired()
            self._refresh()
            if not is_first and (is_paused or not is_same(self.queue.current, current)):
                self._begin_pause()
        else:
            # The item in sight stays as it was painted or is being edited; what counts all of them is shown anew.
            self._show_place()
            self._show_reason(self.queue.current)

    def _set_gone(self, gone: bool) -> None:
        """Says of the item that is edited that it does not wait any more as it was shown, or says it no more."""
        self._is_gone = gone
        if isinstance(self.queue.current, PairItem):
            words = self.tr(
                "Memory was changed meanwhile, and these two facts wait no more as they were shown. What you typed"
                " cannot be saved here; it stays in sight until you go back."
            )
        else:
            words = self.tr(
                "Memory was changed meanwhile, and this proposal waits no more as it was shown. Your words are kept:"
                " Save puts them into memory as it is now, Back drops them."
            )
        self.gone.setText(words)
        self.gone.setVisible(gone)
        self._offer_save()

    def show_sentence(self, sentence: str) -> None:
        """Says something in one line above what is reviewed; "" says nothing any more."""
        self.said.setText(core_words(sentence))
        self.said.setVisible(bool(sentence))

    def show_left_out(self, count: int, when: str) -> None:
        """Says how many proposals were left out, the newest of them rejected before at `when`."""
        day = when_words(when)
        words = self.tr("%n proposals were left out: you rejected the same before", "", count)
        if day:
            words = self.tr("%n proposals were left out: you rejected the same before ({when})", "", count)
            words = words.format(when=day)
        self.left_out.setText(words)
        self.left_out.setAccessibleName(words)
        self.left_out.setVisible(count > 0)

    def show_source(self, item: ReviewItem, messages: str) -> None:
        """Shows the messages that the item in sight rests on, below it."""
        if item == self.queue.current:
            self.source.setPlainText(messages)
            self._let_source_be_seen(True)

    def read_sources_again(self) -> None:
        """Shows no messages any more that may have other words now; what a pair is from is asked for anew."""
        self._let_source_be_seen(False)
        self.source.clear()
        if isinstance(self.queue.current, PairItem) and not self._is_editing:
            self._show_pair(self.queue.current)

    def put_back_words(self, item: ReviewItem, sentence: str, is_gone: bool) -> None:
        """Has what was typed for an item be edited on that could not be saved, once nothing else is; `sentence` says
        why. `is_gone` says that the item waits no more."""
        self.queue.take_back(item)
        self._typed.edit_on(item, is_gone)
        self.edit_unsaved()
        self.show_sentence(f"{core_words(sentence)} {self.tr('What you typed is still here.')}")

    def edit_unsaved(self) -> bool:
        """Has what could not be saved be edited on, if nothing else is; returns whether there was anything."""
        if self._read_only or self._is_editing or not self._typed.unsaved:
            return False
        item, is_gone = self._typed.unsaved.pop(0)
        self.queue.bring_forward(item)
        self._refresh()
        self._begin_edit(item)
        self._set_gone(is_gone)
        return True

    def put_back(self, item: ReviewItem, sentence: str) -> None:
        """Shows an item again whose decision could not be carried out, before the others; `sentence` says why."""
        if self.queue.put_back(item, after_current=self._is_editing) and not self._is_editing:
            self._refresh()
            self._begin_pause()
        self.show_sentence(sentence)

    def undo(self) -> None:
        """Takes the last decision back."""
        if self._read_only or self._is_editing:
            return
        item = self.queue.undo()
        if item is not None:
            self.show_sentence("")
            self._refresh()
            self.undo_requested.emit(item)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_list()

    def _show_list(self) -> None:
        """Shows the list where there is room for it and something to list: what says that nothing waits stands in the
        middle."""
        has_room = self.width() >= Theme.current().scaled(_LEAST_WITH_LIST)
        self.list.setVisible(has_room and bool(self.queue.items))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._take_key(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._note_release(event)
        super().keyReleaseEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closes over what is being typed, too: the next review goes on with it."""
        if self._is_editing and self.queue.current is not None:
            self._typed.edit_on(self.queue.current, self._is_gone, first=True)
            self._show_edit(False)
        super().closeEvent(event)

    def reject(self) -> None:
        """Leaves the text that is edited first, then the dialog."""
        if self._is_editing:
            self._leave_edit()
        else:
            super().reject()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in (self.diff.text.viewport(), self.pair) and event.type() == QEvent.Type.Paint:
            # What is drawn for this event is there before any later key is looked at.
            self._is_painted = True
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyRelease:
            self._note_release(event)
        elif watched in (*self._deciding, self.undo_button):
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._is_held(event):
                return True
        elif watched in self._read and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(event)
        elif watched in self._fields and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key_of_field(watched, event)
        return super().eventFilter(watched, event)

    def _take_key_of_field(self, field: QObject, event: QKeyEvent) -> bool:
        """Returns whether a key was one of ours. The key that opened the field types nothing while it is held down, and
        one that saves saves once."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        saves = is_return and (field is not self.edit or event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self._is_held(event) and (saves or self._is_fresh):
            return True
        self._is_fresh = False
        if saves and field is self.edit:
            self._save_edit()
            return True
        return False

    def _take_key(self, event: QKeyEvent) -> bool:
        """Returns whether a key was one of ours; held down, or too early, it does nothing."""
        if self._is_editing:
            is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_return and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._save_edit()
            return is_return
        if not self._pause.hasExpired():
            # Whoever is typing still may not have seen yet that another item is in sight.
            self._pause.setRemainingTime(_PAUSE_MS)
        deciding = REVIEW_PAIR_KEYS if isinstance(self.queue.current, PairItem) else REVIEW_LINE_KEYS
        run = deciding.find(event) or REVIEW_KEYS.find(event)
        if run is None:
            return False
        if not self._is_held(event) and (self._is_painted or not self.queue.items):
            run(self)
        return True

    def _note_release(self, event: QKeyEvent) -> None:
        self._released = event.key(), event.timestamp()

    def _is_held(self, event: QKeyEvent) -> bool:
        """Returns whether a key is held down. X11 sends a release and a press of the same moment for that, which Qt
        takes for a new press if it read the release alone at first."""
        return event.isAutoRepeat() or (event.timestamp() > 0 and self._released == (event.key(), event.timestamp()))

    def _decide(self, choice: str) -> None:
        item = self.queue.current
        if item is None or self._read_only or not self.is_ready:
            return
        if choice in ("edit", "both"):
            self._begin_edit(item)
        elif isinstance(item, PairItem):
            self._settle_pair(item, choice)
        else:
            self._settle(item, choice, item.after)

    def _begin_edit(self, item: ReviewItem) -> None:
        """Has the item in sight be edited, from where the person left it if it was before: Ctrl+Z leads from there to
        the words that are proposed."""
        if not isinstance(item, PairItem):
            self.edit.setPlainText(item.after)
            if isinstance(typed := self._typed.of(item), str):
                cursor = QTextCursor(self.edit.document())
                cursor.select(QTextCursor.SelectionType.Document)
                cursor.insertText(typed)
            self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self._show_edit(True)

    def _keep_words(self) -> None:
        if self._is_editing and self.queue.current is not None:
            self._typed.keep(self.queue.current, self.edit.toPlainText())

    def _keep_fields(self) -> None:
        if isinstance(self.queue.current, PairItem):
            self._typed.keep(self.queue.current, self.pair.fields)

    def _settle_pair(self, item: PairItem, choice: str) -> None:
        settlement = self.pair.settlement(choice)
        self._keep_fields()
        self._take_out(item)
        self.pair_settled.emit(item, settlement)

    def _settle(self, item: ReviewItem, choice: str, text: str) -> None:
        self._take_out(item)
        self.decided.emit(item, choice, text)

    def _take_out(self, item: ReviewItem) -> None:
        self.queue.decide(item)
        self.show_sentence("")
        self._refresh()

    def _save_edit(self) -> None:
        item = self.queue.current
        if isinstance(item, PairItem):
            if self._is_editing and self.pair.has_scopes and not self._is_gone:
                self._show_edit(False)
                self._settle_pair(item, "both")
                self.edit_unsaved()
        elif item is not None:
            text, was_gone = self.edit.toPlainText(), self._is_gone
            self._typed.keep(item, text)
            self._show_edit(False)
            if was_gone:
                self._take_out(item)
                self.words_saved.emit(item, text)
            else:
                self._settle(item, "edit", text)
            self.edit_unsaved()

    def _go_to(self, item: ReviewItem) -> None:
        """Shows another item of those that wait; the others follow it in their order."""
        if not self._is_editing and self.queue.go_to(item):
            self.show_sentence("")
            self._refresh()
            (self.pair if isinstance(item, PairItem) else self.diff.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def _pass_over(self) -> None:
        """Shows the next item; that in sight comes again after the others."""
        if len(self.queue.items) > 1:
            self._go_to(self.queue.items[1])

    def _leave_edit(self) -> None:
        if self._is_editing:
            was_gone = self._is_gone
            self._show_edit(False)
            if was_gone:
                self._typed.forget(self.queue.drop_current())
                self._refresh()
            self.edit_unsaved()

    def _offer_save(self) -> None:
        is_pair = isinstance(self.queue.current, PairItem)
        self.save_button.setEnabled(not is_pair or (self.pair.has_scopes and not self._is_gone))

    def _show_edit(self, shown: bool) -> None:
        is_pair = isinstance(self.queue.current, PairItem)
        self._is_editing = self._is_fresh = shown
        saving = (self.save_button, self.leave_button)
        coming, going = (saving, self._deciding) if shown else (self._deciding, saving)
        # What goes makes room first: with both in sight at once the window would grow.
        view = self.pair if is_pair else self.edit if shown else self.diff
        for part in (*going, *(each for each in (self.edit, self.diff, self.pair) if each is not view)):
            part.hide()
        for part in (*coming, view):
            part.show()
        self.undo_button.setEnabled(self.queue.can_undo and not self._read_only and not shown)
        self.conversation_button.setEnabled(not shown)
        self._offer_later()
        self._set_gone(False)
        if is_pair:
            self.pair.setFocus(Qt.FocusReason.OtherFocusReason)
            self.pair.show_scopes(shown)
        else:
            (self.edit if shown else self.diff.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer_later(self) -> None:
        self.later_button.setVisible(len(self.queue.items) > 1 and not self._is_editing)

    def _show_source(self) -> None:
        if self.source.isVisible():
            self._let_source_be_seen(False)
        elif self.queue.current is not None and _has_source(self.queue.current):
            self.source_requested.emit(self.queue.current)

    def _show_conversation(self) -> None:
        if self.queue.current is not None and _has_source(self.queue.current):
            self.conversation_requested.emit(self.queue.current)

    def _words_in_sight(self) -> str:
        """Returns what the item in sight would add, or take out."""
        item = self.queue.current
        return "" if item is None else (item.after.strip() or item.before.strip())

    def _begin_pause(self) -> None:
        """Has nothing decide the item in sight for a moment, since no act of the person brought it there; says so."""
        if self.queue.items and not self._read_only:
            self._pause.setRemainingTime(_PAUSE_MS)
            self.came_by_itself.show()

    def _let_source_be_seen(self, seen: bool) -> None:
        had_focus = self.source.hasFocus()
        self.source.setVisible(seen)
        self.conversation_button.setVisible(seen)
        self.source_button.setText(self.tr("Hide the source (S)") if seen else self.tr("Source (S)"))
        self.source_button.setAccessibleName(self.source_button.text())
        if not seen and had_focus and not self.edit.isVisible():
            self.diff.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        item = self.queue.current
        self._is_painted = False
        self._pause = QDeadlineTimer()
        self.came_by_itself.hide()
        self._let_source_be_seen(False)
        self.undo_button.setEnabled(self.queue.can_undo and not self._read_only)
        for button in (self.accept_button, self.edit_button, self.reject_button):
            button.setEnabled(item is not None and not self._read_only)
        self.source_button.setEnabled(item is not None and _has_source(item))
        self._offer_later()
        if item is not None:
            self.nothing.hide()
            self._show_list()
        for button in self._deciding:
            button.setVisible(item is not None and not self._is_editing)
        if item is None:
            self._place.setText("")
            self._age.setText("")
            for label in (self._why, self._meaning, self._reasons, self._source):
                label.hide()
            # The key that decided the last item presses nothing: Tab leads to the button, Esc closes as ever.
            focus = self.focusWidget()
            had_focus = focus is not None and focus is not self.undo_button
            # Never with what was in sight: the dialog would grow to hold both.
            self.pair.hide()
            self.diff.hide()
            self.nothing.show()
            if had_focus:
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.show_items((), self._reason_words.title_of)
            self._show_list()
            return
        self._show_kind(isinstance(item, PairItem))
        self._show_place()
        self._show_reason(item)
        if isinstance(item, PairItem):
            self._show_pair(item)
            return
        name = file_name(item.suggestion.path)
        self._whole.activate()
        title = self.tr("What accepting would change in {name}").format(name=name)
        self.diff.show_diff_within(*_shown_texts(item), title)
        self._source.setText(self._source_of(item))
        self._source.show()
        self.diff.text.viewport().update()

    def _show_place(self) -> None:
        """Shows which of all that waits is in sight, what follows, and since when the oldest waits."""
        self.list.show_items(self.queue.items, self._reason_words.title_of)
        self._offer_later()
        place = self.tr("{number} of {total}").format(number=self.queue.number, total=self.queue.total)
        self._place.setText(place)
        oldest = self.queue.oldest
        self._age.setText(self.tr("the oldest waits since {when}").format(when=when_words(oldest) or oldest))

    def show_sources(self, item: ReviewItem, old: str, new: str) -> None:
        """Says below the facts of a pair in sight where they come from; "" leaves what is said."""
        if item == self.queue.current:
            for card, words in ((self.pair.old, old), (self.pair.new, new)):
                if words:
                    card.show_source(words)

    def _show_kind(self, is_pair: bool) -> None:
        """Names the buttons for what is in sight: a pair of facts, or a passage."""
        self.accept_button.setText(self.tr("Replace (A)") if is_pair else self.tr("Accept (A)"))
        self.edit_button.setText(self.tr("Keep both (B)") if is_pair else self.tr("Edit (E)"))
        self.reject_button.setText(self.tr("Keep the old (R)") if is_pair else self.tr("Reject (R)"))
        for button in (self.accept_button, self.edit_button, self.reject_button):
            button.setAccessibleName(button.text())
        # Also before it is shown: with nothing to show the keyboard was at no item.
        nowhere = self.focusWidget() in (self, self.nothing.button)
        had_focus = nowhere or self.diff.text.hasFocus() or self.pair.hasFocus()
        self.pair.setVisible(is_pair)
        self.diff.setVisible(not is_pair)
        if had_focus:
            (self.pair if is_pair else self.diff.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_pair(self, item: PairItem) -> None:
        # What a check found stands in memory: only memory's own history says where it is from.
        source = self._source_of(item) if item.is_brought else ""
        typed = self._typed.of(item)
        self.pair.show_pair(item.placed, source, date.today(), typed if isinstance(typed, PairFields) else None)
        self._source.hide()
        self.pair.update()
        self.pair_shown.emit(item)

    def _show_reason(self, item: ReviewItem) -> None:
        """Names the reason and, with the first item that has it, says what it means."""
        title = self._reason_words.title_of(item)
        meaning = self._reason_words.meaning_of(item)
        group = self.queue.count_like(item)
        self._why.setText(self.tr("{reason} · {count} left").format(reason=title, count=group) if group > 1 else title)
        self._why.show()
        is_first = self.queue.is_first_with(explained_by(item))
        self._meaning.setText(meaning)
        self._meaning.setVisible(bool(meaning) and is_first)
        # The title says the first, but not what it names beside the item.
        others = other_reasons(item)
        self._reasons.setText("\n".join(f"• {said(reason)}" for reason in others[:3]))
        self._reasons.setVisible(bool(others))

    def _source_of(self, item: ReviewItem) -> str:
        suggestion = item.suggestion
        if words := others_words(suggestion):
            return words
        if _has_source(item):
            return messages_of_suggestion(suggestion)
        when = when_words(suggestion.when) or suggestion.when
        return self.tr("No message of a conversation is known for it · {when}").format(when=when)

    def _later(self) -> QPushButton:
        button = QPushButton(self.tr("Later (L)"), self)
        button.setAutoDefault(False)
        button.setToolTip(self.tr("Decides nothing: this one comes again after the others"))
        # What stands below keeps its place where there is nothing to leave for later.
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        button.setSizePolicy(policy)
        set_role(button, kind="link")
        button.clicked.connect(lambda _checked=False: self._pass_over())
        return button

    def _button(self, words: str, pressed: Callable[[], object]) -> QPushButton:
        button = QPushButton(words, self)
        button.setAutoDefault(False)
        button.setAccessibleName(words)
        self._presses.connect_button(button, pressed)
        return button

    def _lay_out(self) -> None:
        for label in (self._place, self._why):
            set_role(label, role="heading")
        captions = (self._meaning, self._source, self.said, self.came_by_itself, self.gone, self._reasons)
        for label in (self._age, *captions):
            set_role(label, role="caption")
        self.came_by_itself.setText(self.tr("This came into sight by itself: nothing decides it in its first moment."))
        wrapped = (self._why, *captions)
        for label in (*wrapped, self._age, self._place):
            label.setTextFormat(Qt.TextFormat.PlainText)
        for label in wrapped:
            label.setWordWrap(True)
        for field in (self.edit, self.source):
            set_role(field, role="card")
            field.document().setDocumentMargin(8)
        self.edit.setAccessibleName(self.tr("The words that memory is to have"))
        self.edit.setTabChangesFocus(True)
        self.source.setReadOnly(True)
        self.source.setTabChangesFocus(True)
        self.source.setAccessibleName(self.tr("The messages it rests on"))
        self.said.hide()
        head = QHBoxLayout()
        head.addWidget(self._place)
        head.addWidget(self.later_button)
        head.addStretch(1)
        head.addWidget(self._age)
        row = QHBoxLayout()
        row.setSpacing(8)
        self._deciding = (self.accept_button, self.edit_button, self.reject_button, self.source_button)
        for button in (*self._deciding, self.save_button, self.leave_button):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.undo_button)
        column = QVBoxLayout()
        column.setSpacing(8)
        for label in (self._why, self._meaning, self._reasons):
            column.addWidget(label)
        for pane in (self.diff, self.pair, self.nothing, self.edit):
            column.addWidget(pane, 1)
        column.addWidget(self._source)
        column.addWidget(self.source, 1)
        column.addWidget(self.conversation_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(row)
        self.list.setFixedWidth(Theme.current().scaled(_LIST_WIDTH))
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addWidget(self.list)
        body.addLayout(column, 1)
        whole = self._whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 16)
        whole.setSpacing(8)
        whole.addLayout(head)
        whole.addWidget(self.said)
        whole.addWidget(self.came_by_itself)
        whole.addWidget(self.gone)
        whole.addWidget(self.left_out, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addLayout(body, 1)
        self.gone.hide()
        self.edit.hide()
        self.pair.hide()
        self.save_button.hide()
        self.leave_button.hide()
        wanted = QSize(*(Theme.current().scaled(side) for side in _SIZE))
        parent = self.parentWidget()
        self.resize(wanted if parent is None else wanted.boundedTo(parent.size() - QSize(40, 40)))
        self.diff.text.setFocus()


def _shown_texts(item: ReviewItem) -> tuple[str, str]:
    """Returns the file before and after an item is accepted, so that it is seen where it stands; the passages alone
    where the file has no such place."""
    passage, suggestion = item.passage, item.suggestion
    if passage is not None:
        conflict = Conflict(passage.base, passage.mine, passage.theirs)
        after = settle_conflict(suggestion.before, conflict, "theirs", suggestion.proposed)
        if after is not None:
            return suggestion.before, after
    return item.before, item.after


def _has_source(item: ReviewItem) -> bool:
    """Returns whether it is known from which messages an item was made."""
    return bool(item.sources)


REVIEW_LINE_KEYS: Final[PartKeys[ReviewDialog]] = PartKeys(
    "Review, a line",
    PartKey("accept the line in sight, and nothing beside it", {"A": lambda dialog: dialog._decide("accept")}),
    PartKey(
        "put it in your own words first; Ctrl+Enter saves them, Esc leaves them",
        {"E": lambda dialog: dialog._decide("edit")},
    ),
    PartKey("reject it", {"R": lambda dialog: dialog._decide("reject")}),
    in_own_window=True,
)
REVIEW_PAIR_KEYS: Final[PartKeys[ReviewDialog]] = PartKeys(
    "Review, two facts that disagree",
    PartKey(
        "keep the old fact; the newer one is not written, or taken out where it stood in memory already",
        {"R": lambda dialog: dialog._decide("keep")},
    ),
    PartKey(
        "replace the old fact from the day in the field; its line stays, struck through with that day",
        {"A": lambda dialog: dialog._decide("replace")},
    ),
    PartKey(
        "keep both: you say of each where or when it holds, such as “at work” or “until May”",
        {"B": lambda dialog: dialog._decide("both")},
    ),
    in_own_window=True,
)
REVIEW_KEYS: Final[PartKeys[ReviewDialog]] = PartKeys(
    "Review",
    PartKey("show the messages it came from below it, or hide them", {"S": ReviewDialog._show_source}),
    PartKey(
        "leave it for later: the next one comes, and this one again after the others", {"L": ReviewDialog._pass_over}
    ),
    PartKey("take the last decision back, and the one before that", {"U": ReviewDialog.undo}),
    in_own_window=True,
)

"""Lets the person write: a card with a text edit that grows, the state of the context, and Send or Stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QDeadlineTimer, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.origin import PASTE
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.ui.chat.composer.attachment_chips import FileChips, ImageChips
from mnemoscope.ui.chat.composer.composer_edit import ComposerEdit
from mnemoscope.ui.chat.composer.composer_text import ComposerText, files_without, images_without, joined
from mnemoscope.ui.chat.composer.pasted_ranges import PastedChip
from mnemoscope.ui.chat.composer.state_chips import DestinationChip, DiscretionChip, DiscretionStrip, ModelChip
from mnemoscope.ui.chat.composer.waiting_chips import WaitingChips
from mnemoscope.ui.markdown.document.text_column import gutter_of
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere, paint_ring
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.scrolled_column import ScrolledColumn
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import READING_WIDTH, Theme, set_role, theme_notifier


class InputCard(QFrame):
    """Draws a ring around itself while what is in it has the keyboard."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_ringed = False
        set_role(self, role="input-card")
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def set_ringed(self, ringed: bool) -> None:
        """Shows the ring or not."""
        self._is_ringed = ringed
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        # The ring is painted, not styled: a style sheet that is read anew at every focus costs more than a line.
        super().paintEvent(event)
        if self._is_ringed:
            with QPainter(self) as painter:
                paint_ring(painter, self.rect())


class EditingBar(QWidget):
    """Says above the text which message is edited; hidden while none is."""

    left = Signal()
    """The person wants to leave the message as it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = plain_label(self, "caption")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setCursor(Qt.CursorShape.ArrowCursor)
        self.cancel.setAccessibleName(self.tr("Leave the message as it is"))
        set_role(self.cancel, kind="link")
        self.cancel.clicked.connect(self.left)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        row.addWidget(self.cancel)
        self.hide()

    def show_words(self, words: str) -> None:
        """Says what sending the text does."""
        self._words.setText(words)
        self.setAccessibleName(words)
        self.show()


_DRAFT_AFTER: Final = 400
"""Milliseconds of rest after which the draft is announced."""


_ROOM_FOR_WORDS: Final = 540
"""Of the card; where it is narrower the switch shows its icon alone."""
_MARGINS: Final = 2 * 12
"""Of the card, to the left and to the right."""
_GAP: Final = 8
"""Between the parts of its last line."""
_SHOWN_AFTER_MS: Final = 300
"""Milliseconds after which it is said that something is being read."""
_LEAST_ABOVE: Final = 28
"""Pixels of the height of what stands above the text, before the window has to be higher for it."""
_LEAST_OF_BUTTON: Final = 64
"""Pixels of the width of Send."""
_LEAST_OF_PLACE: Final = 12
"""Letters of the place where words go, which are never left out for the status."""
_PLACE_BESIDE_NAME: Final = 16
"""Letters of the place that are never left out for the end of a model's name."""


class Composer(QWidget):
    """Is the card under the conversation."""

    submitted = Signal(object)
    """The person sends this `ComposerText`."""
    edited = Signal(int, object)
    """The person sends this `ComposerText` in the place of the message of this index."""
    stop_requested = Signal()
    escaped = Signal()
    """Esc was pressed while nothing was being written."""
    draft_changed = Signal(str)
    """The text that would be sent is another one, after a rest."""
    files_requested = Signal()
    """The person wants to choose images and text files to go with the message."""
    destination_clicked = Signal()
    """The person asks where words go."""
    model_clicked = Signal()
    """The person asks which model answers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._busy = self._is_command = False
        self._again = QDeadlineTimer()
        """Until when another click on the button belongs to the click before."""
        self._last = ComposerText()
        self._status = ("", "", "")
        """The status in words, in few words, and what it means."""
        self.editing: int | None = None
        """The index of the message that is edited, if one is."""
        self._before = ComposerText()
        """The text that was typed before a message was put here to be edited."""
        self._checks: list[Callable[[str], bool]] = []
        self._coming = 0
        """Reads of images and files that are to go with the message and are not here yet."""
        self._sends_once_here = False
        self.card = InputCard(self)
        self.waiting = WaitingChips(self.card)
        self.editing_bar = EditingBar(self.card)
        self.edit = ComposerEdit(self.card)
        is_ringed_elsewhere(self.edit)
        self.pasted = PastedChip(self.edit.marks, self.card)
        self.images = ImageChips(self.card)
        self.files = FileChips(self.card)
        self.attach_button = square_tool(self.card, self.tr("Add images or text files"), 28, 16, "paperclip")
        self.attach_button.setCursor(Qt.CursorShape.ArrowCursor)
        self._past = False
        self._past_hints = [
            self.tr("Message. It is sent now, with memory as it is now, not as it was"),
            self.tr("Message, sent now, with memory as it is now"),
        ]
        self._busy_hints = [
            self.tr("Message. Enter lets it wait for the answer, Esc stops the answer"),
            self.tr("Message. Enter lets it wait"),
            self.tr("Message"),
        ]
        self._command_hints = [
            self.tr("Message. Enter lets it wait for the command, Esc stops the command"),
            *self._busy_hints[1:],
        ]
        self._hints = [
            self.tr("Message. Enter sends, Shift+Enter starts a line, / for commands"),
            self.tr("Message. Enter sends, / for commands"),
            self.tr("Message"),
        ]
        self.refusal = plain_label(self.card, "danger-caption")
        self.refusal.hide()
        self.arriving = plain_label(self.card, "caption")
        """Says that something is being read which is to go with the message, where that takes a moment."""
        self.arriving.hide()
        self._late = QTimer(self, singleShot=True, interval=_SHOWN_AFTER_MS)
        self.destination = DestinationChip(self.card)
        self.model = ModelChip(self.card)
        self.discretion = DiscretionChip(self.card)
        self.strip = DiscretionStrip(self.card)
        self.status = ElidedLabel(self.card)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_role(self.status, role="caption")
        self.button = QPushButton(self.card)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(_DRAFT_AFTER)
        self._lay_out()
        self._connect()
        self._show_button()

    def _lay_out(self) -> None:
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        below = QHBoxLayout()
        below.setSpacing(_GAP)
        below.addWidget(self.attach_button)
        below.addWidget(self.discretion)
        below.addWidget(self.model)
        below.addWidget(self.destination)
        below.addWidget(self.status, 1)
        below.addWidget(self.button)
        column = QVBoxLayout(self.card)
        column.setContentsMargins(12, 12, 12, 10)
        column.setSpacing(8)
        # Where the window is low, they make way for the text and for the conversation.
        for parts in ((self.strip, self.waiting), (self.editing_bar, self.images, self.files)):
            above = ScrolledColumn(_LEAST_ABOVE, self.card)
            above.hold(*parts)
            column.addWidget(above)
        column.addWidget(self.edit)
        column.addWidget(self.pasted)
        column.addWidget(self.arriving)
        column.addWidget(self.refusal)
        column.addLayout(below)
        self.card.setMaximumWidth(READING_WIDTH)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(24, 4, 24, 16)
        row.addStretch(1)
        row.addWidget(self.card, 1000)
        row.addStretch(1)
        self.setFocusProxy(self.edit)

    def _connect(self) -> None:
        self.edit.sent.connect(self.submit)
        self.edit.escaped.connect(self._on_escape)
        self.edit.recalled.connect(self._recall)
        self.edit.focused.connect(self.card.set_ringed)
        self.card.pressed.connect(self._on_card)
        self.edit.textChanged.connect(self._on_text)
        self.pasted.release_button.clicked.connect(lambda: self.edit.setFocus())
        self.editing_bar.left.connect(self.leave_editing)
        self.images.changed.connect(self._on_text)
        self.files.changed.connect(self._on_text)
        self.attach_button.clicked.connect(self.files_requested)
        self.button.clicked.connect(self._on_button)
        self.destination.clicked.connect(self.destination_clicked)
        self.model.clicked.connect(self.model_clicked)
        self._resting.timeout.connect(lambda: self.draft_changed.emit(self.sent_text()))
        self._late.timeout.connect(self._show_arriving)
        theme_notifier().changed.connect(self._show_button)

    # The text

    def _on_card(self) -> None:
        if self.edit.isEnabled():
            self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def draft(self) -> str:
        """Returns the text as it stands in the field, without that of files beside it."""
        return self.edit.toPlainText()

    def sent_text(self) -> str:
        """Returns the text as a model would get it, with that of the files beside the field."""
        return self.content().text

    def content(self) -> ComposerText:
        """Returns the text as it is sent: with what of it was pasted, and with the images and files that go with it."""
        return replace(self.edit.marks.content(), images=self.images.items).with_files(self.files.items)

    def unsent(self) -> ComposerText:
        """Returns all that is typed and not sent: while a message is edited, with what was typed before."""
        content = self.content()
        return joined(joined(content, ComposerText("\n")), self._before) if self._before.text else content

    def begin_editing(self, index: int, content: ComposerText, words: str) -> None:
        """Puts a message here to be edited; `words` say what sending it does. What was typed comes back afterwards."""
        if self.editing is None:
            self._before = self.content()
        self.editing = index
        self.editing_bar.show_words(words)
        self.set_draft(content)
        self.edit.setFocus()

    def leave_editing(self) -> None:
        """Leaves the message as it is; what was typed before comes back."""
        before = self.end_editing()
        if before is not None:
            self.set_draft(before)
            self.edit.setFocus()

    def end_editing(self) -> ComposerText | None:
        """Takes the bar away and returns what was typed before a message was edited; None where none was."""
        if self.editing is None:
            return None
        before, self._before, self.editing = self._before, ComposerText(), None
        self.editing_bar.hide()
        return before

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what goes with the text, and in what was typed before a message
        was put here to be edited. The text itself is left to whoever does so in every field."""
        self._before = self._before.without(forgotten)
        self.images.show_items(images_without(self.images.items, forgotten))
        self.files.show_items(files_without(self.files.items, forgotten))

    def set_draft(self, draft: str | ComposerText) -> None:
        """Replaces the text, with the cursor at its end."""
        self._sends_once_here = False
        self.edit.clear()
        content, files = (ComposerText(draft) if isinstance(draft, str) else draft).without_files()
        self.edit.insert_content(content)
        self.images.show_items(content.images)
        self.files.show_items(files)
        self.edit.completer.hide()

    def add_words(self, words: str) -> None:
        """Puts words found elsewhere after what is typed, as one step for undo; the field has the keyboard."""
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.insert_words(f"\n{words}" if self.draft() else words, PASTE)
        self.edit.setFocus()

    def add_content(self, content: ComposerText) -> None:
        """Puts a message that was taken back after what is typed; the field has the keyboard."""
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        words, files = content.without_files()
        self.edit.insert_content(joined(ComposerText("\n" if self.draft() else ""), words))
        self.files.show_items((*self.files.items, *files))
        self.images.show_items((*self.images.items, *content.images))
        self.edit.setFocus()

    def set_status(self, text: str, meaning: str = "", *, brief: str = "") -> None:
        """Shows how much of the context is used and what it cost, `brief` where there is no room for all the words;
        `meaning` is a sentence on that."""
        self._status = (text, brief or text, meaning)
        self.status.setAccessibleName(text)
        self._fit_destination()

    def show_destination(self, words: str, whole: str, brief: str = "") -> None:
        """Says where words go, in few words; `whole` says it in full."""
        self.destination.show_words(words, whole, brief)
        self._fit_destination()

    def show_model(self, name: str, whole: str) -> None:
        """Names the model that answers; `whole` says it in a sentence."""
        self.model.show_model(name, whole)
        self._fit_destination()

    def show_discretion(self, kind: Discretion, since: int = 0) -> None:
        """Shows how much of the conversation is kept; `since` counts the messages said before that was chosen."""
        self.discretion.show_kind(kind)
        self.strip.show_kind(kind, since)
        self._fit_destination()

    def refuse(self, words: str) -> None:
        """Says beside the text why it is not sent; "" where it may be."""
        self.refusal.setText(words)
        self.refusal.setVisible(bool(words))

    def set_read_only(self) -> None:
        """Says that nothing can be sent from here."""
        self._hints = [self.tr("Open for reading only")]
        self._show_hint()
        self.setEnabled(False)

    def set_busy(self, busy: bool, *, is_command: bool = False) -> None:
        """Has the button and Esc stop the answer while one is being written, or the slash command that runs
        (`is_command`); what is sent meanwhile waits."""
        if (busy, is_command) != (self._busy, self._is_command):
            self._busy, self._is_command = busy, is_command
            self._show_button()
            self._show_hint()

    @property
    def busy(self) -> bool:
        """Returns whether an answer is being written or a command runs."""
        return self._busy

    @contextmanager
    def coming(self) -> Iterator[None]:
        """Says that something comes here which is to go with the message: what is sent meanwhile waits for it."""
        self._coming += 1
        if not self._late.isActive():
            self._late.start()
        try:
            yield
        finally:
            self._coming -= 1
            self._show_arriving()
            if self._sends_once_here and not self._coming:
                self.submit()

    def hold_back(self) -> None:
        """Leaves what was to be sent once all of it is here in the field: something of it does not come."""
        self._sends_once_here = False
        self._show_arriving()

    def _show_arriving(self) -> None:
        waits = self.tr("Reading what you added. Your message is sent once it is here.")
        self.arriving.setText(waits if self._sends_once_here else self.tr("Reading what you added…"))
        self.arriving.setVisible(self._coming > 0 and (self._sends_once_here or not self._late.isActive()))

    def check_before_sending(self, check: Callable[[str], bool]) -> None:
        """Has a text sent only if `check` allows it too; what is refused stays in the field. The newest check is asked
        first."""
        self._checks.append(check)

    def submit(self) -> None:
        """Sends the text, as Enter does; once the images and files are here that were added before."""
        self._sends_once_here = self._coming > 0
        if self._sends_once_here:
            self._show_arriving()
            return
        content = self.content().sent()
        if not content.text or not all(check(content.text) for check in reversed(self._checks)):
            return
        self._last = content
        index, before = self.editing, self.end_editing()
        self.set_draft("")
        self._resting.stop()
        if before is not None and before.text:
            self.set_draft(before)
        self.draft_changed.emit(self.sent_text())
        if index is None:
            self.submitted.emit(content)
        else:
            self.edited.emit(index, content)

    def _on_button(self) -> None:
        # Send becomes Stop under the pointer, and Stop Send: the second click of two means the same as the first.
        if self._again.hasExpired():
            self._again = QDeadlineTimer(QApplication.doubleClickInterval())
            if self._busy:
                self.stop_requested.emit()
            else:
                self.submit()
        self.edit.setFocus()

    def _on_escape(self) -> None:
        if self.editing is not None:
            self.leave_editing()
        elif self._busy:
            self.stop_requested.emit()
        else:
            self.escaped.emit()

    def _recall(self) -> None:
        if self._last.text:
            self.set_draft(self._last)

    def _on_text(self) -> None:
        self.edit.completer.follow()
        self._show_button()
        self._resting.start()

    def show_past_hint(self, past: bool) -> None:
        """Says whether a past moment is on show elsewhere; what is sent goes out now all the same."""
        self._past = past
        self._show_hint()

    # Looks

    def resizeEvent(self, event: QResizeEvent) -> None:
        gutter = gutter_of(event.size().width())
        self._row.setContentsMargins(gutter, 4, gutter, min(gutter, 16))
        # Other margins change the card, by whose width the line below is fitted.
        self._row.activate()
        super().resizeEvent(event)
        self._show_hint()
        self._fit_destination()

    def _fit_destination(self) -> None:
        """Takes what the rest of the line leaves of it; the middle of a longer name is left out. The words of the
        switch give way to the others first. Then the place is said in its fewer words, the status in its own, and part
        of the model's name is left out, in this order: what they say is in their tool tips too. Where not even a part
        of the name has room beside the place, both are cut, and last the name is left out.
        """
        metrics, written = self.destination.fontMetrics(), self.status.fontMetrics().horizontalAdvance
        self.destination.set_brief(False)
        whole = metrics.horizontalAdvance(self.destination.text())
        self.destination.set_brief(True)
        wanted = metrics.horizontalAdvance(self.destination.text())
        status, brief, meaning = self._status
        named = ((True, status, whole), (False, status, whole), (False, status, wanted), (False, brief, wanted))
        fitting = ((words, room) for kind, words, room in named if self._left(words, kind=kind, model=True) >= room)
        words, room = next(fitting, (None, wanted))
        if words is None:
            left, least = self._left(brief), min(wanted, metrics.averageCharWidth() * _PLACE_BESIDE_NAME)
            if self.model.show_end(left - wanted) or self.model.show_end(left - least):
                words = brief
            else:
                words = status if self._left(status) >= wanted else brief
                room = min(whole, max(wanted, self._left(words)))
        if room >= whole:
            self.destination.set_brief(False)
            wanted = whole
        is_brief = words != status
        self.status.setText(brief if is_brief else status)
        self.status.explain("\n".join(filter(None, (status if is_brief and brief != status else "", meaning))))
        room, least = self._room_beside() - written(self.status.text()), metrics.averageCharWidth() * _LEAST_OF_PLACE
        least = min(least, wanted)
        if room < least and brief != status:
            # A figure that is cut says nothing.
            self.status.setText("")
        self.destination.fit_into(max(least, self._room_beside() - written(self.status.text())))

    def _left(self, status: str, *, kind: bool = False, model: bool = False) -> int:
        """Returns the pixels that are left for the place beside a status, and the names of the switch or of the model
        or neither, which are shown so."""
        self.model.set_brief(not model)
        self.discretion.set_brief(not kind or self._card_width() < _ROOM_FOR_WORDS)
        return self._room_beside() - self.status.fontMetrics().horizontalAdvance(status)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """Returns what is pressed below the field."""
        return self.attach_button, self.discretion, self.model, self.destination, self.button

    def _room_beside(self) -> int:
        """Returns the pixels of the last line that are left for status and destination."""
        parts = (self.attach_button, self.discretion, self.model, self.button)
        beside = [each.sizeHint().expandedTo(each.minimumSize()).width() for each in parts if not each.isHidden()]
        gaps = _GAP * (len(beside) + 1)
        return self._card_width() - _MARGINS - gaps - sum(beside) - self.destination.around()

    def _card_width(self) -> int:
        """Returns the pixels of width that the card is to have: what is in its last line may hold it wider still."""
        margins = self._row.contentsMargins()
        return min(self.card.contentsRect().width(), self.width() - margins.left() - margins.right())

    def _show_hint(self) -> None:
        """Shows as much help as fits into one line."""
        room, metrics = self.card.width() - 32, self.edit.fontMetrics()
        hints = self._past_hints if self._past and not self.edit.isReadOnly() else self._hints
        if self._busy and self.isEnabled():
            hints = self._command_hints if self._is_command else self._busy_hints
        fitting = (words for words in hints if metrics.horizontalAdvance(words) < room)
        self.edit.setPlaceholderText(next(fitting, hints[-1]))
        # Qt paints another hint in the place of one only when something else has it paint.
        self.edit.viewport().update()

    def _show_button(self) -> None:
        self.button.setText(self.tr("Stop") if self._busy else self.tr("Send"))
        icon = Theme.current().icon("square", "text") if self._busy else QIcon()
        self.button.setIcon(icon)
        # Wider than high: that keeps the word away from it.
        self.button.setIconSize(QSize(18, 14))
        is_empty = self.edit.document().isEmpty() and not (self.files.items or self.images.items)
        self.button.setEnabled(self._busy or not is_empty)
        kind = "" if self._busy else "primary"
        if self.button.property("kind") != kind:
            set_role(self.button, kind=kind)
        stop = self.tr("Stop the command") if self._is_command else self.tr("Stop the answer")
        self.button.setAccessibleName(stop if self._busy else self.tr("Send the message"))
        # Stop with its sign is wider than Send: what else is in the line gives way to it.
        least = max(_LEAST_OF_BUTTON, self.button.sizeHint().width())
        if least != self.button.minimumWidth():
            self.button.setMinimumWidth(least)
            self._fit_destination()

"""The receipt of one answer: the memory in its prompt, what was left out, the whole prompt, and another answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QPushButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.workspace.answer_receipts import NOT_KEPT, AnswerPrice, AnswerReceipt
from mnemoscope.domain.answer_receipt.likely import LikelyLine
from mnemoscope.domain.answer_receipt.memory_use import UsedMemory
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.ui.chat.answer_receipt.answer_receipt_words import (
    part_words,
    price_words,
    sources_words,
    whole_part_words,
    words_as_written,
)
from mnemoscope.ui.chat.answer_receipt.comparison import Comparison
from mnemoscope.ui.chat.answer_receipt.left_out_page import LeftOutPage
from mnemoscope.ui.chat.answer_receipt.part_actions import actions_for_part, is_of_session_state
from mnemoscope.ui.chat.answer_receipt.parts_tree import (
    CORRECT_KEYS,
    FORGETTING_KEYS,
    SOURCE_KEYS,
    ChosenPart,
    PartsTree,
    lay_out_parts,
)
from mnemoscope.ui.chat.answer_receipt.whole_prompt import WholePrompt
from mnemoscope.ui.chat.transcript_words import used_words
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.fields import TabWidget
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme

_PART: Final = Qt.ItemDataRole.UserRole
_LOW: Final = 460
"""Pixels of height below which the list would have room for two lines alone."""


class AnswerReceiptDialog(Dialog):
    """Stands beside the window until it is closed. Each of the signals carries a `UsedMemory`."""

    manual_page: ClassVar = "receipt"
    source_requested = Signal(object)
    """The messages that this part came from are to be shown."""
    correction_requested = Signal(object)
    """This part is to be corrected where it stands."""
    forgetting_requested = Signal(object)
    """The words of this part are to be forgotten."""
    gone = Signal()
    """The dialog was closed."""

    def __init__(
        self,
        parent: QWidget,
        receipt: AnswerReceipt,
        *,
        model: str,
        is_free: bool,
        moments: Sequence[tuple[datetime, str]],
        may_write: bool,
    ) -> None:
        """`model` is the one that would answer again, `is_free` where its server is on this computer; `moments` are
        those of which memory has versions."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Receipt of an answer"))
        self.receipt = receipt
        self.model = model
        self._is_free = is_free
        self._may_write = may_write
        self._likely: dict[int, LikelyLine] = {}
        self.pages = TabWidget(self)
        self.pages.setDocumentMode(True)
        self.pages.setAccessibleName(self.tr("Parts of the receipt"))
        self.tree = PartsTree(self, self.tr("Memory in the prompt of this answer"))
        self.tree.currentItemChanged.connect(lambda _now, _before: self._show_chosen())
        self.detail = ChosenPart(self, self.tr("What is chosen"))
        self.reason = plain_label(self, "caption")
        self.meaning = plain_label(self, "caption")
        self.meaning.setText(
            self.tr(
                "Likely means that words of the line came back in the answer which the question had not, or that the "
                "answer is close to the line in meaning. That is no proof: a model may have known it anyway, or have "
                "followed a line of which nothing came back."
            )
        )
        self.source = self._button(self.tr("Show messages"), self.source_requested)
        self.correct = self._button(self.tr("Correct"), self.correction_requested)
        self.take_back = QPushButton(self.tr("Take back…"), self)
        self.take_back.setToolTip(plain_tooltip(self.tr("Shows what was remembered in this conversation, to undo it")))
        self.take_back.clicked.connect(self._on_take_back)
        self.forget = self._button(self.tr("Forget…"), self.forgetting_requested)
        self.without = QPushButton(self.tr("Answer again without it"), self)
        self.without.clicked.connect(self._on_without)
        self.left_out = LeftOutPage(self)
        self.left_out.source_requested.connect(self.source_requested)
        self.left_out.correction_requested.connect(self.correction_requested)
        self.left_out.forgetting_requested.connect(self.forgetting_requested)
        self.comparison = Comparison(self)
        self.whole = WholePrompt(self)
        self._fill_pages(moments)
        self._lay_out()
        self.resize(bounded(self._size(), self))
        self._select_first()

    @property
    def chosen(self) -> UsedMemory | None:
        """Returns the part of memory that is chosen in the list."""
        item = self.tree.currentItem()
        place = None if item is None else item.data(0, _PART)
        return None if place is None else self.receipt.parts[place]

    def choose(self, part: UsedMemory) -> None:
        """Chooses a part of memory in the list, if it is there."""
        for item in self._items():
            if self.receipt.parts[item.data(0, _PART)] == part:
                self.tree.setCurrentItem(item)

    def show_likely(self, receipt: AnswerReceipt) -> None:
        """Shows the same receipt with other lines that its answer likely rests on; what is chosen stays chosen."""
        if receipt.likely == self.receipt.likely:
            return
        item = self.tree.currentItem()
        place = None if item is None else item.data(0, _PART)
        self.receipt = receipt
        self._fill_tree()
        for each in self._items():
            if each.data(0, _PART) == place:
                self.tree.setCurrentItem(each)
        self._show_chosen()

    def show_price(self, price: AnswerPrice) -> None:
        """Says what an answer with the memory that is chosen costs."""
        self.comparison.show_price(price_words(self.receipt, price, self.model, is_free=self._is_free))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the list its room in a low window: what likely means stands on its heading too, and the buttons make
        way for a sentence, which they do not elsewhere."""
        super().resizeEvent(event)
        self._give_meaning_room()
        is_low = self._is_low()
        for sentence in (self.reason, self.left_out.reason):
            policy = sentence.sizePolicy()
            policy.setRetainSizeWhenHidden(not is_low)
            sentence.setSizePolicy(policy)

    def hideEvent(self, event: QHideEvent) -> None:
        """Says that it goes, so that an answer on its way is stopped."""
        super().hideEvent(event)
        self.gone.emit()

    # Pages

    def _fill_pages(self, moments: Sequence[tuple[datetime, str]]) -> None:
        receipt = self.receipt
        self.pages.addTab(self._memory_page(), self.tr("Memory in the prompt"))
        self.left_out.show_parts(receipt.cut, may_write=self._may_write, is_whole=receipt.names_cut)
        self.pages.addTab(self.left_out, self.tr("Left out"))
        prompt = receipt.prompt
        self.pages.addTab(self.whole, self.tr("Whole prompt"))
        self.pages.addTab(self.comparison, self.tr("Answer again"))
        order = [receipt.used[line.place] for line in receipt.likely]
        order += [part for place, part in enumerate(receipt.parts) if place not in self._likely]
        self.comparison.offer(order, moments)
        self.comparison.left.setPlainText(receipt.answer)
        if prompt is None:
            self.whole.show_nothing(core_words(NOT_KEPT))
            self.comparison.withdraw(core_words(NOT_KEPT))

    def _memory_page(self) -> QWidget:
        page = QWidget(self)
        self._fill_tree()
        buttons = (self.source, self.correct, self.take_back, self.forget, self.without)
        keys = (SOURCE_KEYS, CORRECT_KEYS, "", FORGETTING_KEYS, "")
        self.tree.offer(*zip(buttons, keys, strict=True))
        lay_out_parts(page, self.tree, self.detail, buttons, (self.reason, self.meaning))
        return page

    def _fill_tree(self) -> None:
        self.tree.clear()
        self._likely = {line.place: line for line in self.receipt.likely}
        places = [line.place for line in self.receipt.likely]
        self._add_group(self.tr("The answer likely rests on"), places, self.meaning.text())
        others = [place for place in range(len(self.receipt.used)) if place not in self._likely]
        self._add_group(self.tr("Also in the prompt") if self._likely else self.tr("In the prompt"), others)
        instructions = range(len(self.receipt.used), len(self.receipt.parts))
        self._add_group(self.tr("Instructions, which do not count as memory"), instructions)
        self._give_meaning_room()

    def _give_meaning_room(self) -> None:
        """Says what likely means where something is likely, and there is room."""
        self.meaning.setVisible(bool(self._likely) and not self._is_low())

    def _is_low(self) -> bool:
        return self.height() < Theme.current().scaled(_LOW)

    def _add_group(self, title: str, places: Sequence[int], meaning: str = "") -> None:
        if not places:
            return
        self.tree.add_title(title, meaning).setFlags(Qt.ItemFlag.NoItemFlags)  # no place for the keyboard
        sources: dict[tuple[str, ...], list[int]] = {}
        for place in places:
            paths = tuple(each.source for each in self.receipt.in_each_file(self.receipt.parts[place]))
            sources.setdefault(paths, []).append(place)
        for paths, of_source in sources.items():
            source = sources_words(paths)
            self.tree.add_source(source, "\n".join(paths)).setFlags(Qt.ItemFlag.NoItemFlags)
            for place in of_source:
                words = self.receipt.parts[place].text
                item = QTreeWidgetItem(self.tree, [part_words(words)])
                item.setToolTip(0, plain_tooltip(whole_part_words(words)))
                item.setData(0, _PART, place)
                # The titles above it are no rows that the keyboard comes to.
                item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{item.text(0)}, {source}, {title}")

    def _items(self) -> list[QTreeWidgetItem]:
        items = [self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount())]
        return [item for item in items if item is not None and item.data(0, _PART) is not None]

    def _select_first(self) -> None:
        items = self._items()
        if items:
            self.tree.setCurrentItem(items[0])
        self._show_chosen()
        (self.tree if items else self.pages).setFocus()

    # What is chosen

    def _show_chosen(self) -> None:
        part = self.chosen
        remembered = self._remembered_too()
        actions = actions_for_part(part, may_write=self._may_write, is_remembered_too=remembered is not None)
        self.take_back.setVisible(remembered is not None)
        self.take_back.setEnabled(actions.may_change)
        self.source.setEnabled(part is not None)
        self.source.setText(actions.source)
        self.correct.setEnabled(actions.may_change)
        self.correct.setText(actions.correct)
        self.forget.setEnabled(actions.may_change)
        self.without.setEnabled(part is not None)
        self._show_reason(actions.reason)
        item = self.tree.currentItem()
        place = None if item is None else item.data(0, _PART)
        self.detail.setText("" if part is None or place is None else self._about(part, self._likely.get(place)))

    def show_sentence(self, words: str) -> None:
        """Shows what became of what was asked for, on the page that is in front, until something else is chosen."""
        if self.pages.currentWidget() is self.left_out:
            self.left_out.show_sentence(words)
        else:
            self._show_reason(words)

    def _show_reason(self, words: str) -> None:
        self.reason.setText(words)
        self.reason.setVisible(bool(words))

    def _about(self, part: UsedMemory, line: LikelyLine | None) -> str:
        words = whole_part_words(part.text)
        if line is None:
            return words
        if line.words:
            summary = self.tr("Words that came back: {words}").format(
                words=", ".join(words_as_written(line.words, words))
            )
        else:
            summary = self.tr("Close in meaning to the answer")
        return f"{summary}\n{words}"

    def _remembered_too(self) -> UsedMemory | None:
        """Returns the line of the conversation that says what the chosen one of a file says, None where none does."""
        part = self.chosen
        others = () if part is None else self.receipt.in_each_file(part)[1:]
        return next(filter(is_of_session_state, others), None)

    def _on_take_back(self) -> None:
        remembered = self._remembered_too()
        if remembered is not None:
            self.correction_requested.emit(remembered)

    def _on_without(self) -> None:
        part = self.chosen
        if part is not None:
            self.comparison.choose(part)
            self.pages.setCurrentWidget(self.comparison)
            self.comparison.focus_ask()

    # Looks

    def _button(self, words: str, signal: SignalInstance) -> QPushButton:
        button = QPushButton(words, self)
        button.clicked.connect(lambda: self._emit_chosen(signal))
        return button

    def _emit_chosen(self, signal: SignalInstance) -> None:
        part = self.chosen
        if part is not None:
            signal.emit(part)

    def _summary(self) -> str:
        receipt = self.receipt
        used = used_words(receipt.counts)
        words = [used[:1].upper() + used[1:]]
        if receipt.prompt is not None:
            words.append(self.tr("about {count} tokens sent").format(count=f"{receipt.tokens:,}"))
        summary = " · ".join(words)
        if receipt.prompt is None:
            return f"{summary}\n{core_words(NOT_KEPT)}"
        if receipt.taken_out:
            gone = self.tr(
                "%n of them are not shown, and the answer may rest on them: they were forgotten since.",
                "",
                receipt.taken_out,
            )
            summary = f"{summary}\n{gone}"
        if receipt.prompt.doubt:
            return f"{summary}\n{core_words(receipt.prompt.doubt)}"
        if receipt.discretion is not Discretion.REMEMBERED:
            kept = self.tr("What was sent is on no disk: this receipt is there as long as the conversation is open.")
            return f"{summary}\n{kept}"
        return summary

    def _size(self) -> QSize:
        scaled = Theme.current().scaled
        return QSize(scaled(760), scaled(560))

    def _lay_out(self) -> None:
        summary = plain_label(self)
        summary.setText(self._summary())
        buttons = self.closing_buttons()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addWidget(summary)
        column.addWidget(self.pages, 1)
        column.addWidget(buttons)

"""The workbench of capture as one window: a chat to try, what is found in it, the rules, and how they do."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.capture.judgements import Judgement, JudgementFailure, RuleScore, Tally
from mnemoscope.memory.capture.capture_workbench import Trial
from mnemoscope.ui.capture.chat_box import ChatBox
from mnemoscope.ui.capture.hit_tree import CaptureHit, HitTree
from mnemoscope.ui.capture.rule_editor import RuleEditor
from mnemoscope.ui.capture.rule_tree import RuleTree, share
from mnemoscope.ui.memory.captures.capture_words import category_name
from mnemoscope.ui.widgets.accessibility.tab_order import tab_as_laid_out
from mnemoscope.ui.widgets.card_splitter import CardSplitter
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.fields import TabWidget
from mnemoscope.ui.widgets.lists.two_line_delegate import TwoLineDelegate
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SIZE = (1080, 700)
_MARK = int(Qt.ItemDataRole.UserRole)


class CaptureDialog(Dialog):
    """Shows trials; `try_requested` when something that matters for one has changed."""

    manual_page: ClassVar = "capture"
    try_requested = Signal()
    file_requested = Signal(object)
    """A file of a chat is to be read, by its Path; None: one is to be chosen first."""
    marked = Signal(object)
    """This `Judgement` is given of a place of the chat."""
    unmarked = Signal(object)
    """This `Judgement` is taken back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Rules of capture"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.chat = ChatBox(self)
        self.hits = HitTree(self)
        self.rules = RuleTree(self)
        self.editor = RuleEditor(self)
        self.marks = QListWidget(self)
        self.tabs = TabWidget(self)
        self.score = QLabel(self)
        self.hint = QLabel(self)
        self.right = QPushButton(self.tr("Right (R)"), self)
        self.wrong = QPushButton(self.tr("Wrong (W)"), self)
        self.forget = QPushButton(self.tr("Forget this mark"), self)
        self.open_chat = QPushButton(self.tr("Open a chat…"), self)
        self.filter = QLineEdit(self)
        self._lay_out()
        self._connect()
        self._shown: tuple[list[str], Trial, list[Judgement], RuleScore | None] | None = None
        theme_notifier().changed.connect(self._restyle)
        wanted = QSize(*(Theme.current().scaled(side) for side in _SIZE))
        self.resize(wanted if parent is None else wanted.boundedTo(parent.size() - QSize(40, 40)))

    def show_trial(self, messages: list[str], trial: Trial, marks: list[Judgement], saved: RuleScore | None) -> None:
        """Shows what the rules in hand do, and in `saved` what those that are saved do, where they are others."""
        self._shown = messages, trial, marks, saved
        self.chat.show_found(messages, trial.found)
        self.hits.show_found(messages, trial.found, marks)
        self.rules.show_rules(trial.rules, trial.score)
        self.editor.show_problems(trial.problems)
        self._show_marks(marks, trial.score)
        self._show_score(trial.score, saved, len(marks))

    def set_read_only(self) -> None:
        """Shows that the workspace is only read: rules can be tried, and nothing is kept."""
        self.editor.set_read_only()
        self.rules.set_read_only()
        for button in (self.right, self.wrong, self.forget):
            button.hide()
        self.hint.setText(self.tr("The workspace is open for looking only."))

    def _restyle(self) -> None:
        """Shows the same in the colours of the theme."""
        if self._shown is not None:
            self.show_trial(*self._shown)

    def _show_marks(self, marks: list[Judgement], score: RuleScore) -> None:
        chosen = self.marks.currentItem()
        before = chosen.data(_MARK) if chosen is not None else None
        failed = {id(each.mark): each for each in score.failures}
        broken = {each.mark: each for each in score.failures}
        self.marks.clear()
        for mark in sorted(marks, key=lambda each: each not in broken):
            words = {"right": self.tr("right"), "wrong": self.tr("wrong"), "missed": self.tr("wanted")}[mark.verdict]
            item = QListWidgetItem(
                f"{'✗' if mark in broken else '✓'}  {mark.words}\n{category_name(mark.category)} · {words}"
            )
            item.setData(_MARK, mark)
            failure = failed.get(id(mark)) or broken.get(mark)
            item.setToolTip(plain_tooltip(self._why(failure) if failure else mark.text))
            item.setForeground(Theme.current().color("danger" if mark in broken else "text"))
            self.marks.addItem(item)
            if mark == before:
                self.marks.setCurrentItem(item)
        self.tabs.setTabText(2, self.tr("Marks ({count})").format(count=f"{len(marks):,}"))
        self.forget.setEnabled(self.marks.currentItem() is not None)

    def _show_score(self, score: RuleScore, saved: RuleScore | None, count: int) -> None:
        if not count:
            self.score.setText(self.tr("Mark what is right or wrong to see how the rules do."))
            return
        before = (saved or score).total
        precision = self._share(self.tr("Right"), score.total.precision, before.precision)
        recall = self._share(self.tr("Found"), score.total.recall, before.recall)
        broken = self.tr("%n marks not followed", "", len(score.failures)) if score.failures else ""
        several = score.by_language.items() if len(score.by_language) > 1 else ()
        languages = ", ".join(f"{code or '?'} {self._both(tally)}" for code, tally in sorted(several))
        self.score.setText(" · ".join(filter(None, (precision, recall, broken, languages))))

    def _why(self, failure: JudgementFailure) -> str:
        """Returns what is wrong about a mark that is not followed."""
        mark = failure.mark
        wanted = self.tr("“{words}” is to be remembered as {category} and would not be.")
        unwanted = self.tr("“{words}” would be remembered as {category}, by {rule}, and is not to be.")
        sentence = wanted if mark.is_wanted else unwanted
        return sentence.format(words=mark.words, category=category_name(mark.category), rule=failure.by)

    def _share(self, name: str, now: float | None, before: float | None) -> str:
        if before == now:
            return f"{name} {share(now)}"
        return self.tr("{name} {now} (saved rules: {before})").format(name=name, now=share(now), before=share(before))

    def _both(self, tally: Tally) -> str:
        return f"{share(tally.precision)}/{share(tally.recall)}"

    def _on_hit(self, hit: CaptureHit | None) -> None:
        for button in (self.right, self.wrong):
            button.setEnabled(hit is not None)
        if hit is not None:
            self.chat.reveal(hit.message, hit.found.span)

    def _on_missed(self, category: str) -> None:
        if (place := self.chat.chosen()) is not None:
            self.marked.emit(Judgement(*place, category, "missed"))

    def _forget(self) -> None:
        if (item := self.marks.currentItem()) is not None:
            self.unmarked.emit(item.data(_MARK))

    def _connect(self) -> None:
        self.chat.textChanged.connect(self.try_requested)
        self.chat.files_dropped.connect(lambda paths: self.file_requested.emit(Path(paths[0])))
        self.chat.missed.connect(self._on_missed)
        self.editor.edited.connect(self.try_requested)
        self.hits.chosen.connect(self._on_hit)
        self.hits.judged.connect(lambda hit, verdict: self.marked.emit(hit.mark(verdict)))
        self.right.clicked.connect(lambda: self.hits.judge("right"))
        self.wrong.clicked.connect(lambda: self.hits.judge("wrong"))
        SinglePress(self).connect_button(self.forget, self._forget)
        self.open_chat.clicked.connect(lambda: self.file_requested.emit(None))
        self.filter.textChanged.connect(self.rules.filter)
        self.marks.currentItemChanged.connect(lambda: self.forget.setEnabled(self.marks.currentItem() is not None))
        self._on_hit(None)
        self.forget.setEnabled(False)

    def _lay_out(self) -> None:
        set_role(self.score, role="caption")
        set_role(self.hint, role="caption")
        self.score.setWordWrap(True)
        self.hint.setWordWrap(True)
        self.hint.setText(self.tr("To mark what was missed, select its words above and open the menu there."))
        self.marks.setAccessibleName(self.tr("Marks"))
        self.filter.setPlaceholderText(self.tr("Find a rule"))
        self.filter.setAccessibleName(self.filter.placeholderText())
        self.filter.setClearButtonEnabled(True)
        set_role(self.marks, role="card")
        self.marks.setWordWrap(True)
        self.marks.setItemDelegate(TwoLineDelegate(self.marks))
        for button in (self.right, self.wrong, self.forget, self.open_chat):
            button.setAutoDefault(False)
        self.tabs.addTab(self._column(self.filter, self.rules), self.tr("Rules"))
        self.tabs.addTab(self.editor, self.tr("Your rules"))
        self.tabs.addTab(self._column(self.marks, self.forget), "")
        self.tabs.setDocumentMode(True)
        upright = CardSplitter(Qt.Orientation.Vertical, self)
        upright.addWidget(self.chat)
        upright.addWidget(self._tried())
        upright.setSizes([220, 380])
        across = CardSplitter(Qt.Orientation.Horizontal, self)
        across.addWidget(upright)
        across.addWidget(self.tabs)
        across.setSizes([560, 460])
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(across, 1)
        column.addLayout(self._footer())
        tab_as_laid_out(self)

    def _tried(self) -> QWidget:
        holder = self._column(self.hits, self.hint)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.open_chat)
        row.addStretch(1)
        row.addWidget(self.wrong)
        row.addWidget(self.right)
        layout = holder.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addLayout(row)
        return holder

    def _column(self, *widgets: QWidget) -> QWidget:
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        for widget in widgets:
            column.addWidget(widget)
        return holder

    def _footer(self) -> QHBoxLayout:
        row = QHBoxLayout()
        close = QPushButton(self.tr("Close"), self)
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        row.addWidget(self.score, 1)
        row.addWidget(close)
        return row

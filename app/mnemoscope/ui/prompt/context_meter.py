"""Shows how much of the model's context a prompt takes, by section."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.domain.context.compaction import BUFFER_AT, COMPACT_AT, ContextFacts
from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot
from mnemoscope.ui.support.context_share import percent_of_context, tokens_taken
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, blend, set_role, theme_notifier

_HEIGHT: Final = 6
_STRENGTHS: Final = (1.0, 0.6, 0.3)
_LEAST: Final = 3.0
"""Pixels a part that is there takes at least."""
_NOTCH: Final = 4
"""Pixels a mark stands out below the bar."""


class StackedBar(QWidget):
    """Parts of a whole beside each other, as ratios; the first is the strongest. Marks stand where something begins."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[float, ...] = ()
        self._marks: tuple[float, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_notifier().changed.connect(self.update)

    def show_shares(self, shares: tuple[float, ...]) -> None:
        """Shows these parts; what is missing to 1 is free."""
        self._shares = shares
        self.update()

    def show_marks(self, marks: tuple[float, ...]) -> None:
        """Marks these shares of the whole, each with its per cent."""
        if marks != self._marks:
            self._marks = marks
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        words = QFontMetrics(Theme.current().font("caption")).height() if self._marks else 0
        return QSize(120, _HEIGHT + (_NOTCH + words if self._marks else 0))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            whole = QPainterPath()
            whole.addRoundedRect(QRectF(0, 0, self.width(), _HEIGHT), _HEIGHT / 2, _HEIGHT / 2)
            painter.setClipPath(whole)
            painter.fillRect(self.rect(), Theme.current().color("border"))
            left = 0.0
            for number, share in enumerate(self._shares):
                width = max(_LEAST, share * self.width()) if share > 0 else 0.0
                painter.fillRect(QRectF(left, 0, width, _HEIGHT), _strength(number))
                left += width
            painter.setClipping(False)
            self._paint_marks(painter)

    def _paint_marks(self, painter: QPainter) -> None:
        theme = Theme.current()
        painter.setFont(theme.font("caption"))
        metrics = painter.fontMetrics()
        for mark in self._marks:
            at = round(mark * self.width())
            painter.fillRect(QRectF(at - 1, 0, 2, _HEIGHT + _NOTCH), theme.color("text_muted"))
            words = f"{100 * mark:.0f} %"
            width = metrics.horizontalAdvance(words)
            left = min(max(0, at - width // 2), self.width() - width)
            painter.setPen(theme.color("text_faint"))
            painter.drawText(left, _HEIGHT + _NOTCH + metrics.ascent(), words)


class Swatch(QWidget):
    """Shows the colour of one part of the bar in its legend."""

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._number = number
        self.setFixedSize(8, 8)
        theme_notifier().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_strength(self._number))
            painter.drawRoundedRect(QRectF(self.rect()), 2, 2)


class ContextMeter(QWidget):
    """Shows `1,240 of 65,536 tokens · 2 %`, the bar, and its legend."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_tight = False
        self._guard_meaning = ""
        self.total = ElidedLabel(self)
        set_role(self.total, role="heading")
        self.bar = StackedBar(self)
        self._legend = [ElidedLabel(self) for _ in _STRENGTHS]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.total)
        column.addWidget(self.bar)
        self._legend_box = self._make_legend()
        column.addWidget(self._legend_box)
        self.state = plain_label(self, "caption")
        column.addWidget(self.state)

    def set_tight(self, is_tight: bool) -> None:
        """Shows the bar alone where there is little room, with its legend on hover; or all."""
        self._is_tight = is_tight
        self._legend_box.setHidden(is_tight)
        self._show_state()

    def show_prompt(self, prompt: PromptSnapshot) -> None:
        """Shows what this prompt takes."""
        share, taken = percent_of_context(prompt), tokens_taken(prompt)
        words = self.tr("{tokens} of {window} tokens · {share} %") if share else self.tr("{tokens} tokens")
        self.total.setText(words.format(tokens=f"{taken:,}", window=f"{prompt.context_window:,}", share=share))
        parts = [_tokens(prompt.system), _tokens(prompt.messages), _tokens(prompt.tools)]
        # As long in all as what is taken, so that the marks say of it what they say of the guard.
        whole = max(1, prompt.context_window if share else taken)
        scale = taken / max(1, prompt.tokens) / whole
        self.bar.show_shares(tuple(part * scale for part in parts))
        names = (self.tr("System"), self.tr("Conversation"), self.tr("Tools"))
        for label, name, part in zip(self._legend, names, parts, strict=True):
            label.setText(f"{name} {part:,}")
        self._show_guard(prompt)
        self._fit()
        self.bar.setAccessibleName(", ".join([self.total.text(), *(label.text() for label in self._legend)]))
        self.bar.setAccessibleDescription(self.state.text())

    def _show_guard(self, prompt: PromptSnapshot) -> None:
        """Shows the marks at which the context is guarded, and says in words what that came to."""
        guard = prompt.guard
        self.bar.show_marks((BUFFER_AT, COMPACT_AT) if guard is not None and guard.window > 0 else ())
        self._guard_meaning = (
            self.tr("From 50 % on what is said is noted in the working buffer; beyond 60 % the middle is compacted.")
            if guard is not None
            else ""
        )
        parts = [] if guard is None else self._guard_words(guard)
        if prompt.memory_budget:
            parts.append(
                self.tr("Memory {tokens} of {budget}").format(
                    tokens=f"{prompt.memory_tokens:,}", budget=f"{prompt.memory_budget:,}"
                )
            )
            self.state.setToolTip(
                self.tr(
                    "What MEMORY.md, the state of the conversation, recent history and what was recovered take of this "
                    "prompt. USER.md is counted with the system prompt. Health counts both files as they stand."
                )
            )
        self.state.setText(" · ".join(parts))
        self._show_state()

    def _show_state(self) -> None:
        said = self.state.text()
        self.state.setVisible(bool(said) and not self._is_tight)
        # What is not in sight is said where its figures are.
        legend = " · ".join(label.text() for label in self._legend)
        unseen = (legend, said) if self._is_tight else ()
        self.bar.setToolTip("\n".join(filter(None, (*unseen, self._guard_meaning))))

    def _guard_words(self, guard: ContextFacts) -> list[str]:
        parts = []
        if guard.is_counted:
            parts.append(self.tr("{tokens} as the server counts").format(tokens=f"{guard.tokens:,}"))
        if guard.waits:
            parts.append(self.tr("Will be compacted when it is sent"))
        elif guard.is_buffering:
            parts.append(self.tr("Working buffer on"))
        if guard.compaction is not None:
            removed = guard.compaction.removed
            words = self.tr("1 message compacted") if removed == 1 else self.tr("{count} messages compacted")
            parts.append(words.format(count=f"{removed:,}"))
        if guard.told:
            parts.append(self.tr("{tokens} recovered").format(tokens=f"{sum(one.tokens for one in guard.told):,}"))
        return parts

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Puts the legend into one row where it has room, else into one line a part."""
        needed = sum(label.sizeHint().width() + 26 for label in self._legend)
        across = QBoxLayout.Direction.LeftToRight if needed <= self.width() else QBoxLayout.Direction.TopToBottom
        if self._parts.direction() != across:
            self._parts.setDirection(across)
            self.updateGeometry()

    def _make_legend(self) -> QWidget:
        box = QWidget(self)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, box)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(4)
        for number, label in enumerate(self._legend):
            set_role(label, role="caption")
            part = QHBoxLayout()
            part.setSpacing(5)
            part.setContentsMargins(0, 0, 8, 0)
            part.addWidget(Swatch(number, box))
            part.addWidget(label, 1)
            self._parts.addLayout(part)
        self._parts.addStretch(1)
        return box


def _strength(number: int) -> QColor:
    """Returns the colour of the part of this number: the accent, fainter with each."""
    theme = Theme.current()
    return blend(theme.color("border"), theme.color("accent"), _STRENGTHS[number])


def _tokens(sections: tuple[PromptSection, ...]) -> int:
    return sum(part.tokens for part in sections)

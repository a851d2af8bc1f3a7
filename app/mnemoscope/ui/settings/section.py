"""Lays out a section of the settings: a heading, rows of a label and a field, notes below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.settings import FIELDS, Settings
from mnemoscope.ui.widgets.fields import ComboBox, SpinBox
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme, set_role, theme_notifier

_LABEL_WIDTH: Final = 128
_AROUND: Final = 16
"""Pixels above and below what is brought into sight."""
_COMPACT_WIDTH: Final = 220
"""At least, of a number or a choice: in a column they end at the same place."""
TYPING_MS: Final = 250
"""Milliseconds without a key before the text that was typed is looked at."""
LIMITS: Final = {field.name: (int(field.low or 0), int(field.high or 0)) for field in FIELDS}
"""The lowest and the highest value of each setting that is a number."""


class Section(QWidget):
    """Is the base of a section. A subclass adds its rows, says its values by the name of the setting, and what a reader
    may not change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        self._heading = QLabel(self)
        set_role(self._heading, role="heading")
        column.addWidget(self._heading)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(16)
        self.form.setVerticalSpacing(6)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        # Where the window is narrower than a field beside its label, the field stands below that.
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        column.addLayout(self.form)

    @property
    def title(self) -> str:
        """Returns what the section is about."""
        return self._heading.text()

    def wanted_width(self) -> int:
        """Returns the least width at which every field stands beside its label."""
        rows = [row for row in range(self.form.rowCount()) if self.form.isRowVisible(row)]
        fields = [self.form.itemAt(row, QFormLayout.ItemRole.FieldRole) for row in rows]
        widest = max((field.minimumSize().width() for field in fields if field is not None), default=0)
        return Theme.current().scaled(_LABEL_WIDTH) + self.form.horizontalSpacing() + widest

    def show_heading(self, shown: bool) -> None:
        """Shows what the section is about above it, or not where that is said right above already."""
        self._heading.setVisible(shown)

    def set_title(self, title: str) -> None:
        """Says what the section is about."""
        self._heading.setText(title)

    def values(self) -> dict[str, Any]:
        """Returns what the fields say, by the name of the setting."""
        return {}

    def set_read_only(self) -> None:
        """Lets nothing be changed that belongs to a workspace that is only read."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        # The rows have heights that Qt kept for another width: without this, text of two lines was cut to one.
        super().resizeEvent(event)
        self.form.invalidate()
        self.updateGeometry()

    def row(self, title: str, field: QWidget) -> None:
        """Adds a field behind its label, "" for none. A number or a choice is as wide as it needs to be, what is typed
        as there is room."""
        if isinstance(field, QAbstractSpinBox) or (isinstance(field, QComboBox) and not field.isEditable()):
            make_compact(field)
        label = QLabel(title, self)
        label.setFixedWidth(Theme.current().scaled(_LABEL_WIDTH))
        label.setWordWrap(True)
        label.setBuddy(field)
        if title and isinstance(field.layout(), QVBoxLayout):
            # Beside several lines, the label belongs to the first.
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            label.setContentsMargins(0, 4, 0, 0)
        elif title:
            label.setMinimumHeight(Theme.current().height(CONTROL_HEIGHT))
        else:
            label.setFixedHeight(0)
        self.form.addRow(label, field)

    def number(self, settings: Settings, name: str, title: str, *, step: int = 1) -> SpinBox:
        """Returns a field for the setting of this name, which is a whole number; `title` is for a screen reader."""
        box = SpinBox(self)
        box.setRange(*LIMITS[name])
        box.setSingleStep(step)
        box.setValue(getattr(settings, name))
        box.setAccessibleName(title)
        return box

    def typed_choice(self, title: str, placeholder: str = "") -> ComboBox:
        """Returns a field into which a name may be typed that is not in its list; `title` is for a screen reader."""
        box = ComboBox(self)
        box.setEditable(True)
        box.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        box.setAccessibleName(title)
        typed = box.lineEdit()
        if typed is not None:
            typed.setAccessibleName(title)
            typed.setPlaceholderText(placeholder)
            # Names that are longer than the field are told apart by how they begin.
            box.activated.connect(lambda _row: typed.setCursorPosition(0))
        return box

    def note(self, words: str = "") -> QLabel:
        """Adds a line that explains the field above it."""
        label = self.explanation(words, self)
        self.row("", label)
        return label

    def kept_line(self) -> QLabel:
        """Adds a line below the field above it whose words come later. It keeps the room of one line also while it says
        nothing, so that no button below it moves when they come."""
        label = self.note()
        label.setMinimumHeight(QFontMetrics(Theme.current().font("caption")).height())
        return label

    def notes_of(self, control: QWidget) -> list[QLabel]:
        """Returns the lines in sight that explain the field that a control is, or is part of: those right below it."""
        fields = [self.form.itemAt(row, QFormLayout.ItemRole.FieldRole) for row in range(self.form.rowCount())]
        rows = [field.widget() if field is not None else None for field in fields]
        at = next(
            (row for row, each in enumerate(rows) if each and (each is control or each.isAncestorOf(control))), -1
        )
        below = takewhile(lambda each: isinstance(each, QLabel), rows[at + 1 :] if at >= 0 else ())
        return [each for each in below if isinstance(each, QLabel) and each.text() and each.isVisibleTo(self)]

    def explanation(self, words: str, parent: QWidget) -> QLabel:
        """Returns a label of quiet words over as many lines as they need."""
        return plain_label(parent, "caption", words)


class Fold(QWidget):
    """Folds rows of a section that are rarely looked at, by a button; folded it says beside that what stands in
    them."""

    def __init__(self, section: Section, title: str, summary: Callable[[], str]) -> None:
        super().__init__(section)
        self._section = section
        self._summary = summary
        self._rows = list[QWidget]()
        self._silent = set[QWidget]()
        """Rows that have nothing to say now."""
        self.button = QPushButton(title, self)
        self.button.setCheckable(True)
        self.button.setAutoDefault(False)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        set_role(self.button, kind="link")
        self.button.toggled.connect(self._show)
        self.button.clicked.connect(self._on_clicked)
        self._words = plain_label(self, "caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.button)
        row.addWidget(self._words, 1)
        theme_notifier().changed.connect(self._restyle)

    def add(self, *rows: QWidget) -> None:
        """Adds rows of the section, which stand below this one."""
        self._rows += rows
        self._show()

    def unfold(self) -> None:
        """Shows the rows."""
        self.button.setChecked(True)

    def show_row(self, row: QWidget, shown: bool) -> None:
        """Shows a row among the others or not; folded, it is shown once they are unfolded."""
        (self._silent.discard if shown else self._silent.add)(row)
        self._show()

    def refresh(self) -> None:
        """Says anew what stands in the rows."""
        self._show()

    def _on_clicked(self) -> None:
        if self.button.isChecked():
            present([row for row in self._rows if row not in self._silent][-1], self.button.text())

    def _show(self) -> None:
        is_open = self.button.isChecked()
        for row in self._rows:
            self._section.form.setRowVisible(row, is_open and row not in self._silent)
        self._words.setText("" if is_open else self._summary())
        self.button.setAccessibleDescription(self._words.text())
        self._restyle()

    def _restyle(self) -> None:
        name = "chevron-down" if self.button.isChecked() else "chevron-right"
        self.button.setIcon(Theme.current().icon(name, "text_muted"))


def changed_values(settings: Settings, values: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, Any]:
    """Returns what of `values`, by the name of the setting, is to be changed. `sizes`: the context sizes of models
    beside the one that answers. The context size that another model brings by itself is none of it."""
    moved = settings.with_model(str(values["model"]), str(values["api_base"]))
    after = moved.with_context_size(moved.model, values["context_window_tokens"])
    for model, tokens in sizes.items():
        after = after.with_context_size(model, tokens)
    changed = {name: value for name, value in values.items() if value != getattr(settings, name)}
    changed.pop("context_window_tokens", None)
    names = ("context_window_tokens", "context_sizes")
    return changed | {name: getattr(after, name) for name in names if getattr(after, name) != getattr(moved, name)}


def scroll_area_of(widget: QWidget) -> QScrollArea | None:
    """Returns what a widget is scrolled in, if anything."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area


def present(note: QWidget, words: str) -> None:
    """Brings into sight what a press brought, which may stand below the edge, and has a screen reader say it."""

    def scroll() -> None:
        area = scroll_area_of(note)
        if area is not None:
            # Where it stands is known once the rows are laid out, and then what holds them.
            holder = note.parentWidget()
            while holder is not None and holder is not area:
                if (layout := holder.layout()) is not None:
                    layout.activate()
                holder = holder.parentWidget()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            area.ensureWidgetVisible(note, 0, _AROUND)

    QTimer.singleShot(0, note, scroll)
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(note, words))


def make_compact(field: QWidget) -> None:
    """Has a field be as wide as what it says, and not wider where there is more room."""
    field.setMinimumWidth(Theme.current().scaled(_COMPACT_WIDTH))
    field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

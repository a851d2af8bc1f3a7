"""The row at the top: menus, the workspace, the model, the command palette."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenuBar, QPushButton, QSizePolicy, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier


class Header(QFrame):
    """Shows which folder is open and which model answers; both are buttons."""

    workspace_clicked = Signal()
    model_clicked = Signal()
    palette_clicked = Signal()

    def __init__(self, menus: QMenuBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="header")
        self._model_role = "success"
        self._workspace = self._chip(self.tr("Workspace"), self.workspace_clicked)
        self._model = self._chip(self.tr("Model"), self.model_clicked)
        self._palette = self._chip(self.tr("Command palette"), self.palette_clicked)
        self._palette.setToolTip(self.tr("Command palette"))
        self._menus = menus
        self._name, self._is_read_only = "", False
        self._read_only = QLabel(self.tr("Read-only"), self)
        set_role(self._read_only, role="chip")
        self._read_only.hide()
        menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(8, 5, 16, 5)
        row.setSpacing(8)
        row.addWidget(menus, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._workspace)
        row.addWidget(self._read_only)
        row.addStretch(1)
        row.addWidget(self._model)
        row.addWidget(self._palette)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_workspace(self, words: str, where: str, *, read_only: bool) -> None:
        """Name the open folder; `where` is its whole path."""
        self._name, self._is_read_only = words, read_only
        self._workspace.setToolTip(plain_tooltip(where))
        self._fit()

    def show_model(self, words: str, *, built_in: bool) -> None:
        """Name the model that answers; the built-in one is marked as no language model."""
        self._model.setText(f" {words}")
        self._fit()
        self._model_role = "text_muted" if built_in else "success"
        self._model.setToolTip(self.tr("Built-in, no language model") if built_in else plain_tooltip(words))
        self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Gives the menus room first: where it is narrow the marks beside them say less, the folder's name is cut."""
        self._read_only.setVisible(self._is_read_only)
        self._palette.setText(" Ctrl K")
        self._workspace.setText(f" {self._name}")
        if self._lacks():
            self._read_only.hide()
        if self._lacks():
            self._palette.setText("")
        lacks = self._lacks()
        if lacks:
            metrics = self._workspace.fontMetrics()
            room = max(metrics.horizontalAdvance(self._name) - lacks, metrics.averageCharWidth() * 4)
            self._workspace.setText(f" {metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)}")

    def _lacks(self) -> int:
        """Pixels that are missing for everything in the row to be shown whole; 0 where nothing is."""
        marks: tuple[QWidget, ...] = (self._workspace, self._read_only, self._model, self._palette)
        shown = [one for one in marks if not one.isHidden()]
        margins, spacing = self._row.contentsMargins(), self._row.spacing()
        edges = margins.left() + margins.right() + spacing * (len(shown) + 1)
        needed = self._menus.sizeHint().width() + sum(one.sizeHint().width() for one in shown) + edges
        return max(0, needed - self.width())

    def _chip(self, name: str, clicked: SignalInstance) -> QPushButton:
        button = QPushButton(self)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(clicked)
        return button

    def _restyle(self) -> None:
        theme = Theme.current()
        side = theme.scaled(16)
        for button in (self._workspace, self._model, self._palette):
            button.setIconSize(QSize(side, side))
        self._workspace.setIcon(theme.icon("folder", "text_muted"))
        self._model.setIcon(theme.icon("cpu", self._model_role))
        self._palette.setIcon(theme.icon("command", "text_muted"))
        self._fit()

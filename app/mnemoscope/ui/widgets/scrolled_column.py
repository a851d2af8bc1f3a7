"""Parts one below the other: as high as they are, or, where there is no room for that, scrolled."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.theme import Theme


class ScrolledColumn(QScrollArea):
    """Holds parts in its `column`; `least` is the height, pixels, that they keep where there is hardly any room."""

    def __init__(self, least: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._least = least
        self._held: list[QWidget] = []
        body = QWidget(self)
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setWidget(body)
        for each in (body, self.viewport()):
            each.setAutoFillBackground(False)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    def hold(self, *parts: QWidget) -> None:
        """Adds parts that are hidden, and come and go; while none of them is shown, nothing of this is."""
        for part in parts:
            self.column.addWidget(part)
            part.installEventFilter(self)
            self._held.append(part)
        self._follow()

    def sizeHint(self) -> QSize:
        """Returns the height that the parts take at this width."""
        height = max(self.column.totalHeightForWidth(self.width()), self.column.minimumSize().height())
        return QSize(self.column.sizeHint().width(), height)

    def minimumSizeHint(self) -> QSize:
        """Returns room for the first lines."""
        least = Theme.current().scaled(self._least)
        return QSize(self.column.minimumSize().width(), min(self.sizeHint().height(), least))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes another height where a part comes or goes."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._offer_scrolling()
        elif event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent} and watched in self._held:
            self._follow()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._offer_scrolling()
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _offer_scrolling(self) -> None:
        # A scroll bar that is there takes of the width, for which the words may need it: then it would stay.
        fits = self.height() >= self.sizeHint().height()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Scrolls to what has the keyboard: Qt does so only for who comes from within."""
        if new is not None and self.isAncestorOf(new):
            self.ensureWidgetVisible(new, 0, 4)

    def _follow(self) -> None:
        self.setVisible(not all(part.isHidden() for part in self._held))

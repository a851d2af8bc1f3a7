"""The timeline's filters: who a message is from and where it stands."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from mnemoscope.domain.timeline.row_filter import RoleFilter, RowFilter, StateFilter
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.words import tr
from mnemoscope.ui.widgets.theme import Theme, theme_notifier


class TimelineFilters(QWidget):
    """Two compact menus that say what they are set to, and a button for everything else."""

    consolidate_requested = Signal()
    newest_requested = Signal()
    pointer_requested = Signal()

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.may_consolidate = True
        self._roles = {
            RoleFilter.ALL: tr("Everyone"),
            RoleFilter.USER: tr("You"),
            RoleFilter.ASSISTANT: tr("Assistant"),
            RoleFilter.TOOL: tr("Tools"),
        }
        self._states = {
            StateFilter.ALL: tr("Any state"),
            StateFilter.SETTLED: tr("Settled"),
            StateFilter.UNSETTLED: tr("Not settled"),
            StateFilter.LEFT_OUT: tr("Not sent"),
        }
        self.role_button = self._button(tr("Who a message is from"))
        self.state_button = self._button(tr("Where a message stands"))
        self.more_button = self._button(tr("More for the timeline"))
        self._fill()
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        model.matched.connect(self.refresh)
        model.replaced.connect(self.refresh)
        model.appended.connect(self.refresh)
        model.rearranged.connect(self.refresh)
        self.refresh()

    def choose(self, role: RoleFilter | None = None, state: StateFilter | None = None) -> None:
        """Set one of the filters, or both."""
        now = self._model.filter
        self._model.set_filter(RowFilter(role or now.role, state or now.state))
        self.refresh()

    def show_all(self) -> None:
        """Take both filters away."""
        self.choose(RoleFilter.ALL, StateFilter.ALL)

    def refresh(self) -> None:
        """Show what is set and how much it lists."""
        model, chosen = self._model, self._model.filter
        self.role_button.setText(self._roles[chosen.role])
        self.state_button.setText(self._states[chosen.state])
        self.role_button.setChecked(chosen.role is not RoleFilter.ALL)
        self.state_button.setChecked(chosen.state is not StateFilter.ALL)
        for action, value in self._actions:
            action.setChecked(value in {chosen.role, chosen.state})
        self._consolidate.setEnabled(model.may_consolidate and self.may_consolidate)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setToolTip(name)
        button.setAccessibleName(name)
        # The chevron stands behind the words. A character would be of another font, loaded for its sake alone.
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button

    def _fill(self) -> None:
        self._actions: list[tuple[QAction, RoleFilter | StateFilter]] = []
        for button, words in ((self.role_button, self._roles), (self.state_button, self._states)):
            menu = QMenu(button)
            menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            group = QActionGroup(menu)
            for value, text in words.items():
                action = menu.addAction(text)
                action.setCheckable(True)
                group.addAction(action)
                action.triggered.connect(lambda _=False, chosen=value: self._on_chosen(chosen))
                self._actions.append((action, value))
            button.setMenu(menu)
        more = QMenu(self.more_button)
        more.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._consolidate = more.addAction(tr("Consolidate now"), self.consolidate_requested.emit)
        more.addSeparator()
        more.addAction(tr("Go to the pointer"), self.pointer_requested.emit)
        more.addAction(tr("Go to the newest message"), self.newest_requested.emit)
        more.addSeparator()
        more.addAction(tr("Fold all entries"), lambda: self._model.fold_all(folded=True))
        more.addAction(tr("Unfold all entries"), lambda: self._model.fold_all(folded=False))
        self.more_button.setMenu(more)
        self.more_button.setCheckable(False)
        self.more_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._restyle()

    def _on_chosen(self, value: RoleFilter | StateFilter) -> None:
        if isinstance(value, RoleFilter):
            self.choose(role=value)
        else:
            self.choose(state=value)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 6, 0)
        row.setSpacing(2)
        row.addWidget(self.role_button)
        row.addWidget(self.state_button)
        row.addStretch(1)
        row.addWidget(self.more_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _restyle(self) -> None:
        theme = Theme.current()
        self.more_button.setIcon(theme.icon("ellipsis", "text_muted"))
        self.more_button.setIconSize(QSize(theme.scaled(16), theme.scaled(16)))
        for button in (self.role_button, self.state_button):
            button.setIcon(theme.icon("chevron-down", "text_muted"))
            button.setIconSize(QSize(theme.scaled(12), theme.scaled(12)))

"""Arranges the panes at a command, and has the keyboard go where the person goes on."""

from __future__ import annotations

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.memory.memory_controller import MemoryController
from mnemoscope.ui.shell.actions import Actions
from mnemoscope.ui.shell.docks.inspector import LAYOUTS
from mnemoscope.ui.shell.docks.pane_layouts import CHAT
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.time_travel_controller import TimeTravelController


class LayoutController(QObject):
    """Carries out the commands of the layouts and Esc, and keeps the ticks of those commands true."""

    def __init__(
        self,
        window: MainWindow,
        bench: Workbench,
        *,
        actions: Actions,
        conversation: ConversationController,
        memory: MemoryController,
        past: TimeTravelController,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bench = bench
        self._actions = actions
        self._conversation = conversation
        self._memory = memory
        self._past = past
        window.escaped.connect(self.escape)
        window.layouts.chosen.connect(self._on_chosen)
        window.layouts.maximised.connect(lambda _pane: self._tick_maximised())

    def choose(self, layout: str) -> None:
        """Arranges the panes for one of LAYOUTS: talking, writing memory, or seeing where its lines come from."""
        self._window.layouts.choose(layout)
        if layout == "edit":
            self._window.inspector.show("memory")
        elif layout == "audit":
            self._window.inspector.show("timeline")
        else:
            self.focus_chat()

    def show_chosen(self) -> None:
        """Ticks the layout that the window was opened in, and shows the memory pane as that layout has it."""
        self._on_chosen(self._window.inspector.layout)

    def maximise(self) -> None:
        """Gives the pane that has the keyboard all the room, or brings the other panes back."""
        pane, panes = self._window.pane_with_keyboard(), self._window.inspector.panes
        self._window.layouts.toggle(next((name for name, each in panes.items() if each is pane), CHAT))
        # Qt has ticked the command already, also where no pane was maximised.
        self._tick_maximised()

    def escape(self) -> None:
        """Comes back to the present; else stops the answer and gives the keyboard to the composer."""
        if self._past.is_away:
            self._past.back()
            return
        editor = self._window.memory.editor
        if self._bench.loop.is_busy(self._conversation.key):
            self._conversation.stop()
        elif editor.hasFocus() and editor.keys.release_tab():
            self._window.status.show_remark(self.tr("Tab leaves the text now; Esc goes to the message."))
            return
        self.focus_chat()

    def focus_chat(self) -> None:
        """Gives the keyboard to the composer, or in a window that only reads to the transcript."""
        chat = self._window.chat
        self._window.layouts.show_chat()
        (chat.transcript if self._bench.read_only else chat.composer).setFocus()

    def _on_chosen(self, layout: str) -> None:
        for each in LAYOUTS:
            self._actions[f"view.layout.{each}"].setChecked(each == layout)
        self._memory.show_lines(layout == "audit")

    def _tick_maximised(self) -> None:
        self._actions["view.maximise"].setChecked(bool(self._window.layouts.pane))

"""Opens a window and every dialog of it on the screen it is given, and prints where each stands, as lines of JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QDockWidget, QScrollArea, QWidget

from mnemoscope.agent.workspace.receipts import Receipt
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.contradiction.memory_check import Disagreement
from mnemoscope.domain.contradiction.settlement import items_with_pairs
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.receipt.memory_use import MemoryCounts
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import ChangedTerm, TrustState, Use
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.agents.other_records_dialog import OtherRecordsDialog
from mnemoscope.ui.chat.composer.file_chips import TextDialog
from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog
from mnemoscope.ui.chat.picture_dialog import PictureDialog
from mnemoscope.ui.chat.receipt.receipt_dialog import ReceiptDialog
from mnemoscope.ui.forgetting.forgetting_dialog import ForgettingDialog
from mnemoscope.ui.health.health_view import HealthDialog
from mnemoscope.ui.markdown.document.link_dialog import ask_to_open
from mnemoscope.ui.memory.review.left_out_dialog import LeftOutDialog
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from mnemoscope.ui.shell.application import make_application
from mnemoscope.ui.shell.trust.trust_dialog import TrustDialog
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow
from mnemoscope.ui.support.external_actions import pick_folder, save_as_file
from mnemoscope.ui.widgets.dialogs.question import ask
from mnemoscope.ui.widgets.theme import apply_theme
from tests.ui.window_fixture import OneWindow, until

COMMANDS = (
    "settings",
    "conversation.restore",
    "capture.rules",
    "dream.profile",
    "agents",
    "memory.copy",
    "memory.forgotten",
    "memory.review_all",
    "import",
    "export",
    "help.manual",
    "help.news",
    "help.words",
    "help.commands",
    "help.keys",
    "help.diagnostics",
)
LONG = (
    "This folder belongs to another program, and opening it changes none of its files. "
    "When you talk there, what is said is added to them, and they stay readable for that program. "
) * 4


def parts_out_of_reach(window: QWidget) -> list[str]:
    """Returns the buttons that neither stand within the window nor can be scrolled to."""
    lost = []
    for button in window.findChildren(QAbstractButton):
        above = button.parentWidget()
        while above is not None and above is not window and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        within = QRect(button.mapTo(window, QPoint(0, 0)), button.size())
        if button.isVisible() and button.text() and above is window and not window.rect().contains(within):
            lost.append(button.text())
    return lost


def tell(name: str, window: QWidget) -> None:
    """Prints where a window stands."""
    screen = window.screen().availableGeometry()
    frame = window.frameGeometry()
    print(
        json.dumps(
            {
                "name": name,
                "kind": type(window).__name__,
                "within": screen.contains(frame),
                "frame": frame.getRect(),
                "screen": screen.getRect(),
                "lost": parts_out_of_reach(window) if isinstance(window, QDialog) else [],
            }
        ),
        flush=True,
    )


def trust_dialog(parent: QWidget) -> TrustDialog:
    """Returns what asks about a folder that decides as much as it can."""
    settings = Settings(model="openai/gpt-5", api_base="http://user@host.example/" + "a" * 60, exec_enabled=True)
    changes = [
        ChangedTerm(name, "value", "another") for name in ("model", "api_base", "dream_model", "embedding_model")
    ]
    files = [f"skills/one/{number}.md" for number in range(30)]
    changes += [ChangedTerm(name, "digest", None, is_file=True) for name in files]
    state = TrustState(is_new=True, changes=tuple(changes), fingerprint="1", uses=frozenset(Use))
    return TrustDialog(settings, state, dict.fromkeys(files, LONG * 20), may_change=True, changed=LONG, parent=parent)


def pair_review(parent: QWidget) -> ReviewDialog:
    """Returns the review of two long facts that disagree, with the fields for their scopes."""
    pair = Disagreement(f"- Lives in Graz {LONG[:150]}", f"- Lives in Linz {LONG[:150]}")
    held = Suggestion("1", "2026-01-02T10:00:00", pair.old, f"{pair.old}\n{pair.new}", (pair.sentence,), "", 0, 0)
    dialog = ReviewDialog(parent)
    dialog.show_items(items_with_pairs([held]))
    dialog.edit_button.click()
    return dialog


class Tour:
    """Opens one dialog after the other over one window."""

    def __init__(self, current: WorkspaceWindow) -> None:
        self.current = current

    def dialogs(self) -> list[QWidget]:
        """Returns the windows on show but the one they belong to; panes that float are none."""
        shown = (one for one in QApplication.topLevelWidgets() if one.isVisible() and not isinstance(one, QDockWidget))
        return [one for one in shown if one is not self.current.main_window]

    async def see(self, name: str, open_it: Callable[[], object]) -> None:
        """Opens one, tells where it stands, and closes it."""
        open_it()
        await until(self.dialogs, name)
        for dialog in self.dialogs():
            tell(name, dialog)
            dialog.close()
        await until(lambda: not self.dialogs(), f"the end of {name}")

    async def see_all(self) -> None:
        """Opens all there are."""
        window, tasks = self.current.main_window, self.current.tasks
        tell("window", window)
        for command in (*COMMANDS, "help.about"):
            await self.see(command, self.current.actions[command].trigger)
        choices = [("open", "Open"), ("look", "Only look around"), ("choose", "Choose another folder…"), ("", "Cancel")]
        question = ask(window, "A workspace of another program", LONG, choices)
        await self.see("question", lambda: tasks.spawn(_answered(question), "question"))
        await self.see("pair", lambda: pair_review(window).open())
        await self.see("trust", lambda: trust_dialog(window).open())
        await self.see("link", lambda: ask_to_open("http://user@example.com/" + "a" * 900, window, print))
        await self.see("save", lambda: save_as_file(window, "words"))
        await self.see("folder", lambda: tasks.spawn(_answered(pick_folder(window, "Open workspace")), "folder"))
        await self.see("damage", lambda: DamagedRecordsDialog(window, []).open())
        receipt = Receipt("k", 1, LONG, LONG, "openai/gpt-5", MemoryCounts(12, 2, 1), Discretion.REMEMBERED)
        await self.see(
            "receipt",
            lambda: ReceiptDialog(
                window, receipt, model="openai/gpt-5", is_free=False, moments=(), may_write=True
            ).open(),
        )
        await self.see("other records", lambda: OtherRecordsDialog(window, {}).open())
        await self.see("forget", lambda: ForgettingDialog(window, LONG).open())
        await self.see("health", lambda: HealthDialog(window, LONG[:60]).open())
        await self.see("left out", lambda: LeftOutDialog(window).open())
        picture = QImage(4000, 3000, QImage.Format.Format_RGB32)
        await self.see("picture", lambda: PictureDialog(picture, "A picture", window).open())
        await self.see("text", lambda: TextDialog("plan.md", LONG, window).open())
        await self.see("message", lambda: window.chat.transcript.links.show_all(0))
        dock = window.inspector.docks["memory"]
        dock.setFloating(True)
        await until(dock.isWindow, "a pane that floats")
        tell("pane", dock)
        dock.resize(3000, 2000)
        dock.move(2500, 1500)


async def _answered(question: object) -> None:
    await question  # type: ignore[misc]  # a coroutine, whatever it returns


async def opened(root: Path, ini: Path) -> WorkspaceWindow:
    """Returns a window on the workspace, ready."""
    settings = QSettings(str(ini), QSettings.Format.IniFormat)
    current = WorkspaceWindow(open_core(root, False), settings, OneWindow())
    await current.open()
    await until(lambda: current.conversation.session and not current.conversation.is_opening, "the conversation")
    return current


async def closed(current: WorkspaceWindow) -> None:
    """Closes the window and waits for its end."""
    end = asyncio.get_running_loop().create_future()
    current.closed.connect(lambda: end.set_result(None))
    current.main_window.close()
    await end


async def main(folder: Path) -> None:
    """Opens everything, then once more with a window that was left on a larger screen."""
    root, ini = folder / "home", folder / "window.ini"
    create_workspace(root, template=shipped("resources", "blank"))
    current = await opened(root, ini)
    current.conversation.send("Good morning!")
    session = current.conversation.session
    assert session is not None
    await until(lambda: len(session.messages) == 2 and not current.bench.loop.is_busy(session.key), "an answer")
    await Tour(current).see_all()
    current.main_window.setMinimumSize(0, 0)
    current.main_window.resize(2400, 1800)
    current.main_window.move(900, 700)
    await asyncio.sleep(0.05)
    await closed(current)
    again = await opened(root, ini)
    tell("window again", again.main_window)
    tell("pane again", again.main_window.inspector.docks["memory"])
    await closed(again)


if __name__ == "__main__":
    application = make_application(["mnemoscope"])
    apply_theme(application, Settings().theme)
    with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
        runner.run(main(Path(sys.argv[1])))

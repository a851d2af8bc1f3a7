"""Opens a window and every dialog of it on the screen it is given, and prints where each stands, as lines of JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QSlider,
    QTabBar,
    QWidget,
)

from mnemoscope.agent.workspace.answer_receipts import AnswerPrice, AnswerReceipt
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.answer_receipt.likely import LikelyLine
from mnemoscope.domain.answer_receipt.memory_use import MemoryCounts, MemoryKind, UsedMemory
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.disagreement.memory_check import Disagreement
from mnemoscope.domain.disagreement.settlement import items_with_pairs
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import ForgettingPlan, FoundPlace, PlaceKind
from mnemoscope.domain.memory.file_registry import HISTORY_PATH
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import ChangedTerm, TrustState, Use
from mnemoscope.memory.files.entry_corrections import CorrectableEntry
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.logs.standing_entries import StandingEntry
from mnemoscope.store.transactions.corrections import EntryCorrection
from mnemoscope.store.transactions.intent import EntryEdit
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.agents.other_records_dialog import OtherRecordsDialog
from mnemoscope.ui.chat.answer_receipt.answer_receipt_dialog import AnswerReceiptDialog
from mnemoscope.ui.chat.composer.attachment_chips import TextDialog
from mnemoscope.ui.chat.composer.state_chips import DestinationChip
from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog
from mnemoscope.ui.chat.image_controller import PictureDialog
from mnemoscope.ui.forgetting.forgetting_dialog import ForgettingDialog
from mnemoscope.ui.health.health_pane import HealthDialog
from mnemoscope.ui.history.entry_correction_dialog import EntryCorrectionDialog
from mnemoscope.ui.markdown.document.link_dialog import ask_to_open
from mnemoscope.ui.memory.review.left_out_controller import LeftOutDialog
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from mnemoscope.ui.shell.application import make_application
from mnemoscope.ui.shell.docks.pane_scroll import PaneScroll
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.trust.trust_dialog import TrustDialog
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow
from mnemoscope.ui.support.external_actions import pick_folder, save_as_file
from mnemoscope.ui.translation.translation import install_translation
from mnemoscope.ui.widgets.dialogs.question import ask
from mnemoscope.ui.widgets.theme import apply_theme
from tests.ui.window_fixture import OneWindow, rest, until

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
CONTROLS = (QAbstractButton, QLineEdit, QSlider, QAbstractSpinBox, QComboBox)
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


def cut_controls(window: QWidget) -> list[str]:
    """Returns the controls of a window that stand beyond it, or beyond the pane they are in, which may be scrolled, and
    those that have no room for their words."""
    cut, panes = [], panes_of(window)
    for control in window.findChildren(QWidget):
        if isinstance(control, CONTROLS) and control.isVisible() and is_laid_out(control, window):
            holder = next((each for each in panes if each.isAncestorOf(control)), window)
            within = holder.rect().contains(QRect(control.mapTo(holder, QPoint()), control.size()))
            words = control.text() if isinstance(control, QAbstractButton) else ""
            # That chip says as much of its words as there is room for.
            is_short = words and control.width() < control.minimumSizeHint().width()
            if not within or (is_short and not isinstance(control, DestinationChip)):
                cut.append(f"{type(control).__name__} {words or control.accessibleName() or control.toolTip()}")
    scrolls = [scroll for scroll in window.findChildren(PaneScroll) if scroll.isVisible()]
    beyond = [scroll.pane for scroll in scrolls if scroll.pane.width() > scroll.viewport().width()]
    return cut + [f"the right edge of {pane.accessibleName()}" for pane in beyond]


def panes_of(window: QWidget) -> list[QWidget]:
    """Returns the panes of a window that are scrolled where they are too low."""
    return [scroll.pane for scroll in window.findChildren(PaneScroll)]


def is_laid_out(control: QWidget, window: QWidget) -> bool:
    """Returns whether a control has its place from a layout of the window, and not from what scrolls it or is Qt's."""
    above = control.parentWidget()
    while above is not None and above is not window:
        if isinstance(above, QAbstractScrollArea) and not isinstance(above, PaneScroll):
            return False
        if isinstance(above, QTabBar | QAbstractSpinBox | QComboBox | QLineEdit):
            return False
        if isinstance(above, QDockWidget) and not window.rect().intersects(above.geometry()):
            return False
        above = above.parentWidget()
    return above is window and not isinstance(control.parentWidget(), QMainWindow)


Look = Callable[[str, QWidget], Awaitable[None]]
"""`looked(name, window)`: what is done with each window that a tour opens."""


async def print_needs(name: str, window: QWidget) -> None:
    """Prints where the window stands, how large it would have to be, what of it is not seen whole, and which panes have
    to be scrolled."""
    assert isinstance(window, MainWindow)
    await print_place(name, window)
    least, has = window._least().toTuple(), window.size().toTuple()
    shown = [scroll for scroll in window.findChildren(PaneScroll) if not scroll.visibleRegion().isEmpty()]
    scrolled = [scroll.pane.accessibleName() for scroll in shown if scroll.verticalScrollBar().maximum()]
    report = {"name": name, "needs": least, "has": has, "cut": cut_controls(window), "scrolled": scrolled}
    print(json.dumps(report), flush=True)


async def print_place(name: str, window: QWidget) -> None:
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
                "cut": [] if isinstance(window, QMainWindow | QDockWidget | QFileDialog) else cut_controls(window),
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


def correction_of_an_entry(parent: QWidget) -> EntryCorrectionDialog:
    """Returns the words of a long entry that was corrected once, to be corrected again."""
    head = "[2026-03-01 10:00] "
    edit = EntryEdit(HISTORY_PATH, 0, f"{head}{LONG}\n\n", f"{head}{LONG} {LONG}\n\n")
    standing = StandingEntry(HISTORY_PATH, 0, edit.after.encode(), "2026-03-01 10:00", edit.after.strip())
    correction = EntryCorrection("c1", "2026-03-02T10:00:00", edit)
    dialog = EntryCorrectionDialog(parent, CorrectableEntry(standing, f"{LONG} {LONG}", correction))
    dialog.fail(LONG[:120])
    return dialog


def receipt_of_an_answer(parent: QWidget) -> AnswerReceiptDialog:
    """Returns the receipt of an answer that had lines of memory and an entry of the history."""
    kinds = (MemoryKind.LINE, MemoryKind.LINE, MemoryKind.ENTRY)
    used = tuple(UsedMemory(kind, "memory/MEMORY.md", LONG[:90], 0, place, 0) for place, kind in enumerate(kinds))
    receipt = AnswerReceipt(
        "k",
        1,
        LONG,
        LONG,
        "openai/gpt-5",
        MemoryCounts(12, 2, 1),
        Discretion.REMEMBERED,
        PromptSnapshot("openai/gpt-5", (), (), (), (), 8_000),
        used,
        likely=(LikelyLine(1, 1.0, ("files",)),),
    )
    dialog = AnswerReceiptDialog(parent, receipt, model="openai/gpt-5", is_free=False, moments=(), may_write=True)
    dialog.show_price(AnswerPrice(1_000, 0.01))
    return dialog


def forgetting(parent: QWidget) -> ForgettingDialog:
    """Returns the list of two places that have some words."""
    dialog = ForgettingDialog(parent, LONG)
    places = (FoundPlace(PlaceKind.MEMORY, "memory/MEMORY.md", 1), FoundPlace(PlaceKind.DRAFTS, "drafts/one.json", 1))
    dialog.show_plan(ForgettingPlan(ForgottenText.of(LONG), places))
    return dialog


def left_out(parent: QWidget) -> LeftOutDialog:
    """Returns the list of one proposal that was left out."""
    dialog = LeftOutDialog(parent)
    dialog.show_left_out([Suggestion("2" * 16, "2026-01-02T10:00:00", "", f"- {LONG[:90]}\n", ("",), "", 0, 0)])
    return dialog


class Tour:
    """Opens one dialog after the other over one window, and has each `looked` at."""

    def __init__(self, current: WorkspaceWindow, looked: Look) -> None:
        self.current = current
        self.looked = looked

    def dialogs(self) -> list[QWidget]:
        """Returns the windows on show but the one they belong to; panes that float are none."""
        shown = (one for one in QApplication.topLevelWidgets() if one.isVisible() and not isinstance(one, QDockWidget))
        return [one for one in shown if one is not self.current.main_window]

    async def see(self, name: str, open_it: Callable[[], object]) -> None:
        """Opens one, has it looked at, and closes it."""
        open_it()
        await until(lambda: self.dialogs() and all(map(_is_filled, self.dialogs())), name)
        for dialog in self.dialogs():
            await self.looked(name, dialog)
            dialog.close()
        await until(lambda: not self.dialogs(), f"the end of {name}")

    async def see_all(self) -> None:
        """Opens all there are."""
        window, tasks = self.current.main_window, self.current.tasks
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
        await self.see("receipt", lambda: receipt_of_an_answer(window).open())
        await self.see("correction", lambda: correction_of_an_entry(window).open())
        await self.see("other records", lambda: OtherRecordsDialog(window, {}).open())
        await self.see("forget", lambda: forgetting(window).open())
        await self.see("health", lambda: HealthDialog(window, LONG[:60]).open())
        await self.see("left out", lambda: left_out(window).open())
        picture = QImage(4000, 3000, QImage.Format.Format_RGB32)
        await self.see("picture", lambda: PictureDialog(picture, "A picture", window).open())
        await self.see("text", lambda: TextDialog("plan.md", LONG, window).open())
        await self.see("message", lambda: window.chat.transcript.links.show_all(0))


class PaneTour:
    """Shows one pane after the other, with each of its bars and pages, and has the window `looked` at each time."""

    def __init__(self, current: WorkspaceWindow, looked: Look) -> None:
        self.current = current
        self.window = current.main_window
        self.looked = looked

    async def see(self, name: str) -> None:
        """Has the window looked at, as it stands now."""
        # What is laid out anew is asked for its size in one turn of the loop, and has it in the next.
        await rest(0.2)
        await self.looked(name, self.window)

    async def see_all(self) -> None:
        """Opens all there are."""
        window = self.window
        memory, prompt = window.memory, window.prompt.widget

        def trigger(name: str) -> None:
            self.current.actions[name].trigger()

        for name in window.inspector.docks:
            window.inspector.show(name)
            await self.see(name)
        window.chat.transcript.view.setFocus()
        trigger("find")
        await self.see("find in the chat")
        window.chat.transcript.find_bar.dismiss()
        for text in ("# Facts\n\n- Likes tea\n", "# Facts\n\n- Likes green tea\n- Owns a kiln\n"):
            memory.editor.replace_text(text)
            memory.save()
            await until(lambda: not memory.is_dirty(), "the text saved")
            await self.current.bench.commits.kept()
        window.inspector.show("memory")
        memory.find(replace=True)
        await self.see("find in memory")
        memory.body.find_bar.widget.find_field.setText("nothing of it")
        memory.body.find_bar.widget.show_sentence(LONG[:120])
        await self.see("find in memory, with a sentence")
        memory.body.find_bar.widget.close_bar()
        trigger("memory.changes")
        await until(lambda: memory.body.page == "versions" and memory.body.versions.widget.current, "the versions")
        await self.see("versions")
        memory.body.page_left.emit()
        trigger("capture.log")
        await until(lambda: memory.body.page == "captures", "what was remembered")
        await self.see("captures")
        memory.body.page_left.emit()
        trigger("memory.review")
        await until(lambda: memory.body.page == "review", "what waits")
        await self.see("review")
        for name in ("conflicts", "compare"):
            memory.body.show_page(name)
            await self.see(name)
        memory.body.show_page("text")
        trigger("memory.travel")
        await until(lambda: memory.in_past and memory.past.widget.title.text(), "the past")
        await self.see("past")
        window.inspector.show("prompt")
        await self.see("prompt of the past")
        self.current.past.back()
        prompt.refresh_requested.emit()
        await until(lambda: prompt._prompt is not None, "the prompt")
        await self.see("prompt, filled")
        prompt.find()
        await self.see("find in the prompt")
        prompt.find_bar.widget.show_sentence(LONG[:120])
        await self.see("find in the prompt, with a sentence")
        prompt.past_requested.emit()
        await until(lambda: prompt.is_past, "the past turns")
        await self.see("past turns and find in the prompt")
        prompt.find_bar.widget.close_bar()
        await self.see("past turns")
        prompt.close_past()
        for name in ("edit", "audit", "chat"):
            trigger(f"view.layout.{name}")
            await self.see(f"layout {name}")
        window.sessions_column.show()
        await self.see("conversations")
        window.sessions_column.hide()


def _is_filled(dialog: QWidget) -> bool:
    """Returns whether a dialog shows what it was opened for: what waits for review is read while the review is open."""
    return not isinstance(dialog, ReviewDialog) or bool(dialog.queue.items)


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


async def in_use(root: Path, ini: Path) -> WorkspaceWindow:
    """Returns a window on a new workspace in which something was answered and something waits."""
    create_workspace(root, template=shipped("resources", "blank"))
    held = Suggestion("1" * 16, "2026-01-02T10:00:00", "", "- Owns a wheel\n", ("Nobody spoke of it.",), "", 0, 0)
    Ledger(WorkspacePaths(root)).add_suggestion(held)
    current = await opened(root, ini)
    current.conversation.send("Good morning!")
    session = current.conversation.session
    assert session is not None
    await until(lambda: len(session.messages) == 2 and not current.bench.loop.is_busy(session.key), "an answer")
    return current


async def main(folder: Path) -> None:
    """Opens everything, then once more with a window that was left on a larger screen."""
    root, ini = folder / "home", folder / "window.ini"
    current = await in_use(root, ini)
    await PaneTour(current, print_needs).see_all()
    await print_place("window", current.main_window)
    await Tour(current, print_place).see_all()
    dock = current.main_window.inspector.docks["memory"]
    dock.setFloating(True)
    await until(dock.isWindow, "a pane that floats")
    await print_place("pane", dock)
    dock.resize(3000, 2000)
    dock.move(2500, 1500)
    current.main_window.setMinimumSize(0, 0)
    current.main_window.resize(2400, 1800)
    current.main_window.move(900, 700)
    await asyncio.sleep(0.05)
    await closed(current)
    again = await opened(root, ini)
    await print_place("window again", again.main_window)
    await print_place("pane again", again.main_window.inspector.docks["memory"])
    await closed(again)


if __name__ == "__main__":
    application = make_application(["mnemoscope"])
    spoken = install_translation(application, sys.argv[2])
    apply_theme(application, Settings().theme)
    with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
        runner.run(main(Path(sys.argv[1])))

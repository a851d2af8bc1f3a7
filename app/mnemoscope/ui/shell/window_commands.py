"""Every command of a workspace window, as data."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QApplication

from mnemoscope.domain.settings import DREAM
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.memory.editor.editing_keys import editing_commands
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.prompt import prompt_pane
from mnemoscope.ui.shell.actions import SEPARATOR, Command
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.support.external_actions import open_path
from mnemoscope.ui.support.forget_menu import FORGET_KEYS
from mnemoscope.ui.support.spelling import spelling
from mnemoscope.ui.widgets.menus import MENU_KEYS, open_menu_in_focus

if TYPE_CHECKING:
    from mnemoscope.ui.shell.workspace_window import WorkspaceWindow

TEXT: Final = "text."
"""The beginning of the ids of the commands of a memory file's text; the rest is that of the editing command."""


def menu_titles(window: WorkspaceWindow) -> dict[str, str]:
    """Returns the titles of the menus by id, in order."""
    tr = window.tr
    return {
        "file": tr("&File"),
        "edit": tr("&Edit"),
        "conversation": tr("&Conversation"),
        "memory": tr("&Memory"),
        "view": tr("&View"),
        "help": tr("&Help"),
    }


def window_commands(window: WorkspaceWindow) -> list[Command | str]:
    """Returns the commands in menu order; `-` separates."""
    return [
        *_file_commands(window),
        *_edit_commands(window),
        *_conversation_commands(window),
        *_memory_commands(window),
        *_text_commands(window),
        *_view_commands(window),
        *_help_commands(window),
    ]


def _file_commands(window: WorkspaceWindow) -> list[Command | str]:
    tr, application = window.tr, window.application
    show_folder = partial(open_path, window.bench.workspace.root, window.main_window)
    return [
        Command(
            "conversation.new", tr("New conversation"), "file", window.sessions.new, "plus", ("Ctrl+N",), writes=True
        ),
        SEPARATOR,
        Command(
            "workspace.open",
            tr("Open workspace…"),
            "file",
            _later(window, application.choose_folder),
            "folder-open",
            ("Ctrl+O",),
        ),
        Command(
            "workspace.look",
            tr("Look around in a workspace…"),
            "file",
            _later(window, partial(application.choose_folder, read_only=True)),
        ),
        Command(
            "workspace.create", tr("Create workspace…"), "file", _later(window, application.create_folder), "folder"
        ),
        Command(
            "workspace.sample",
            tr("Open the sample workspace"),
            "file",
            _later(window, application.open_sample),
            "sparkles",
        ),
        Command("workspace.show", tr("Show files"), "file", show_folder, "external-link"),
        SEPARATOR,
        Command("agents", tr("Other agents…"), "file", window.agents.open, "bot"),
        Command("import", tr("Import…"), "file", window.imports.ask, "", writes=True),
        Command("export", tr("Export…"), "file", lambda: window.exports.ask(), "download", ("Ctrl+Shift+S",)),
        Command("print", tr("Print…"), "file", lambda: window.exports.print(), "", ("Ctrl+P",)),
        SEPARATOR,
        Command("settings", tr("Settings…"), "file", window.settings_controller.open, "settings", ("Ctrl+,",)),
        *(
            Command(f"settings.{place}", title, "", partial(window.settings_controller.open, place), "settings")
            for place, title in (
                ("background", tr("Model in the background…")),
                ("limit", tr("Daily limit…")),
                ("answers", tr("Length of answers…")),
                ("memory", tr("How memory is kept…")),
                ("window", tr("Memory window…")),
                ("dream", tr("When Dream runs…")),
                ("search", tr("Search by meaning…")),
            )
        ),
        Command("trust.show", tr("Where words go…"), "file", window.trust.show_all, "external-link"),
        Command(
            "settings.set_aside",
            tr("Move config.json to quarantine and start anew"),
            "",
            window.settings_controller.set_aside,
            writes=True,
        ),
        SEPARATOR,
        Command("quit", tr("Quit"), "file", window.close, "", ("Ctrl+Q", "Ctrl+W")),
    ]


def _edit_commands(window: WorkspaceWindow) -> list[Command | str]:
    tr = window.tr
    find = partial(_find, window.main_window)
    # Each pane's own keys do these; the menu shows them and reaches the same.
    verbs = (
        ("undo", tr("Undo"), "undo-2", "Ctrl+Z"),
        ("redo", tr("Redo"), "redo-2", "Ctrl+Shift+Z"),
        ("cut", tr("Cut"), "", "Ctrl+X"),
        ("copy", tr("Copy"), "copy", "Ctrl+C"),
        ("paste", tr("Paste"), "", "Ctrl+V"),
        ("selectAll", tr("Select all"), "", "Ctrl+A"),
    )
    return [
        *(
            Command(f"edit.{verb}", text, "edit", partial(_in_focus, verb), icon, (keys,), shown_only=True)
            for verb, text, icon, keys in verbs
        ),
        SEPARATOR,
        Command("search", tr("Search everything…"), "edit", window.search.open, "search", ("Ctrl+Shift+F",)),
        Command("find", tr("Find in this pane"), "edit", find, "search", ("Ctrl+F",)),
        Command("palette", tr("Command palette…"), "edit", window.palette.open, "command", ("Ctrl+K", "Ctrl+Shift+P")),
        Command("menu", tr("Context menu"), "edit", open_menu_in_focus, "", (MENU_KEYS,)),
        Command(
            "escape",
            tr("Stop, or back to the message"),
            "edit",
            window.layouts.escape,
            "square",
            ("Esc",),
            shown_only=True,
        ),
    ]


def _conversation_commands(window: WorkspaceWindow) -> list[Command | str]:
    tr, conversation, branches = window.tr, window.conversation, window.conversation.branches

    def has_messages() -> bool:
        return conversation.session is not None and len(conversation.session.messages) > 0

    return [
        Command(
            "conversation.rename",
            tr("Rename conversation"),
            "conversation",
            window.main_window.rename_conversation,
            "pencil",
            writes=True,
        ),
        Command(
            "conversation.pin",
            tr("Pin or unpin conversation"),
            "conversation",
            window.main_window.sessions.toggle_pin,
            "arrow-up",
            writes=True,
        ),
        Command(
            "conversation.discretion",
            tr("How much is kept…"),
            "conversation",
            window.discretion.open_menu,
            "eye",
            ("Ctrl+Shift+T",),
            writes=True,
        ),
        Command(
            "conversation.temporary",
            tr("New temporary conversation"),
            "conversation",
            window.discretion.begin_temporary,
            "clock",
            writes=True,
        ),
        Command(
            "conversation.delete",
            tr("Delete conversation"),
            "conversation",
            lambda: window.main_window.sessions.delete_requested.emit(conversation.key),
            "trash-2",
            writes=True,
        ),
        Command(
            "conversation.restore",
            tr("Restore deleted…"),
            "conversation",
            window.sessions.deletions.open_trash,
            "rotate-ccw",
        ),
        Command(
            "conversation.search",
            tr("Search conversations"),
            "conversation",
            window.main_window.search_conversations,
            "search",
            ("Ctrl+Shift+E",),
        ),
        SEPARATOR,
        Command(
            "conversation.start_new",
            tr("Archive and start anew (/new)"),
            "conversation",
            lambda: conversation.send("/new"),
            "archive",
            writes=True,
            available=has_messages,
        ),
        SEPARATOR,
        Command(
            "turn.edit",
            tr("Edit the last message"),
            "conversation",
            branches.edit_newest,
            "pencil",
            ("Ctrl+Shift+Up",),
            writes=True,
            available=has_messages,
        ),
        Command(
            "turn.regenerate",
            tr("Regenerate the last answer"),
            "conversation",
            branches.answer_newest_anew,
            "refresh-cw",
            ("Ctrl+Shift+R",),
            writes=True,
            available=has_messages,
        ),
        Command(
            "turn.delete",
            tr("Delete the last turn"),
            "conversation",
            conversation.deletions.delete_newest_turn,
            "trash-2",
            ("Ctrl+Shift+Del",),
            writes=True,
            available=has_messages,
        ),
        Command(
            "branch.before",
            tr("The branch before"),
            "conversation",
            partial(branches.step, -1),
            "chevron-left",
            ("Alt+PgUp",),
            writes=True,
        ),
        Command(
            "branch.next",
            tr("The next branch"),
            "conversation",
            partial(branches.step, 1),
            "chevron-right",
            ("Alt+PgDown",),
            writes=True,
        ),
        SEPARATOR,
        Command(
            "conversation.attach",
            tr("Add images or text files…"),
            "conversation",
            window.main_window.chat.composer.files_requested.emit,
            "paperclip",
            ("Ctrl+U",),
            writes=True,
        ),
        Command(
            "turn.stop",
            tr("Stop the answer"),
            "conversation",
            conversation.stop,
            "square",
            writes=True,
            available=lambda: conversation.sending.is_answering,
        ),
        Command(
            "conversation.model",
            tr("Model for this conversation…"),
            "conversation",
            window.model_choice.offer,
            "cpu",
            writes=True,
        ),
        Command(
            "model",
            tr("Choose model…"),
            "conversation",
            window.header.open_model,
            "cpu",
            ("Ctrl+M",),
            writes=True,
        ),
    ]


def _memory_commands(window: WorkspaceWindow) -> list[Command | str]:
    tr, memory, dreaming = window.tr, window.main_window.memory, window.bench.dreaming

    def dreams() -> bool:
        return window.bench.settings.profile == DREAM

    return [
        Command(
            "memory.save",
            tr("Save memory"),
            "memory",
            memory.save,
            "save",
            ("Ctrl+S",),
            writes=True,
            available=memory.is_dirty,
        ),
        Command(
            "memory.consolidate",
            tr("Consolidate now"),
            "memory",
            window.timeline.consolidate,
            "archive",
            writes=True,
        ),
        Command("memory.review", tr("Review what waits"), "memory", window.memory.review_any, "eye"),
        Command("memory.review_all", tr("Review all…"), "memory", window.reviews.open, "eye", ("Ctrl+Shift+A",)),
        Command(
            "memory.disagreements",
            tr("Check for facts that disagree…"),
            "memory",
            window.reviews.check_for_disagreements,
            "circle-check",
            writes=True,
        ),
        Command("memory.changes", tr("Versions of memory"), "memory", lambda: window.memory.changes.open(), "history"),
        Command(
            "memory.bring_back",
            tr("Bring back what was taken out"),
            "memory",
            window.conversation.taken.bring_newest_back,
            "undo-2",
            writes=True,
        ),
        Command("capture.log", tr("What was remembered"), "memory", window.captures.open_log, "list-filter"),
        Command(
            "capture.pause",
            tr("Pause capture"),
            "memory",
            window.settings_controller.toggle_capture,
            checkable=True,
            writes=True,
        ),
        Command("capture.rules", tr("Rules of capture…"), "memory", window.capture_workbench.open, "list-filter"),
        Command("memory.travel", tr("Look back in time"), "memory", window.past.open, "clock"),
        Command(
            "memory.outline", tr("Outline…"), "memory", window.palette.open_outline, "list-filter", ("Ctrl+Shift+O",)
        ),
        Command(
            "memory.check_spelling",
            tr("Check spelling"),
            "memory",
            lambda: spelling().turn_on(not spelling().is_on),
            checkable=True,
        ),
        Command(
            "memory.spelling",
            tr("Next misspelled word"),
            "memory",
            window.memory.show_misspelling,
            "list-filter",
            ("F7",),
        ),
        Command("memory.who", tr("Who wrote this line"), "memory", window.memory.blame_line, "user", ("Ctrl+Shift+G",)),
        Command(
            "memory.forget",
            tr("Forget…"),
            "memory",
            window.forgetting.forget_in_focus,
            "trash-2",
            (FORGET_KEYS,),
            writes=True,
        ),
        Command("memory.forgotten", tr("What was forgotten…"), "memory", window.forgetting.show_receipts, "history"),
        Command("memory.copy", tr("Copy this line to another agent…"), "memory", window.memory.copy_line, "copy"),
        SEPARATOR,
        Command(
            "dream.run",
            tr("Run Dream now"),
            "memory",
            window.dream.run_now,
            "sparkles",
            writes=True,
            available=lambda: dreams() and not dreaming.runner.is_running,
        ),
        Command(
            "dream.stop",
            tr("Stop Dream"),
            "memory",
            window.dream.stop,
            available=lambda: dreaming.runner.is_running,
        ),
        Command(
            "dream.profile",
            tr("Use Dream here…"),
            "memory",
            _later(window, window.dream.offer_profile),
            writes=True,
            available=lambda: not dreams(),
        ),
        Command(
            "dream.leave",
            tr("Go back to HISTORY.md…"),
            "memory",
            _later(window, window.dream.offer_return),
            writes=True,
            available=dreams,
        ),
    ]


def _text_commands(window: WorkspaceWindow) -> list[Command | str]:
    """Returns what the editor's own keys do; the palette does it too, in the memory file in front."""
    return [
        Command(
            f"{TEXT}{each.id}",
            window.tr("Text: {command}").format(command=each.text),
            "",
            partial(window.main_window.memory.edit, each),
            shortcuts=(each.keys,),
            shown_only=True,
            in_text=True,
            writes=True,
        )
        for each in editing_commands()
    ]


def _view_commands(window: WorkspaceWindow) -> list[Command | str]:
    tr, shell = window.tr, window.main_window
    panes = (
        ("timeline", tr("Timeline"), "git-commit-horizontal"),
        ("memory", tr("Memory"), "brain"),
        ("history", tr("History"), "history"),
        ("prompt", tr("Prompt"), "scroll-text"),
        ("dream", tr("Dream"), "sparkles"),
        ("health", tr("Memory's health"), "circle-check"),
    )
    layouts = (
        ("chat", tr("Layout for chat")),
        ("edit", tr("Layout for editing")),
        ("audit", tr("Layout for auditing")),
    )
    return [
        *(
            Command(
                f"pane.{name}",
                text,
                "view",
                partial(shell.inspector.show, name),
                icon,
                (f"Ctrl+{at}", *(("Ctrl+Shift+H",) if name == "health" else ())),
            )
            for at, (name, text, icon) in enumerate(panes, 1)
        ),
        Command(
            "view.conversations",
            tr("Show or hide conversations"),
            "view",
            shell.sessions_column.toggle,
            "panel-left",
            ("Ctrl+B",),
        ),
        Command("view.blame", tr("Who wrote each line"), "view", window.memory.toggle_blame, "user", checkable=True),
        SEPARATOR,
        *(
            Command(
                f"view.layout.{name}",
                text,
                "view",
                partial(window.layouts.choose, name),
                shortcuts=(f"Alt+{at}",),
                checkable=True,
            )
            for at, (name, text) in enumerate(layouts, 1)
        ),
        Command(
            "view.maximise",
            tr("Maximise this pane"),
            "view",
            window.layouts.maximise,
            "maximize-2",
            ("F11",),
            checkable=True,
        ),
        Command("view.reset", tr("Reset the layout"), "view", shell.reset_layout, "columns-2"),
        SEPARATOR,
        Command(
            "view.notifications",
            tr("Notify when the window is not in front"),
            "view",
            window.notifications.toggle,
            checkable=True,
        ),
        Command(
            "view.theme",
            tr("Light or dark"),
            "view",
            window.settings_controller.toggle_theme,
            "moon",
            ("Ctrl+Shift+L",),
        ),
        Command("zoom.in", tr("Larger"), "view", lambda: window.appearance.zoom(1), "zoom-in", ("Ctrl++", "Ctrl+=")),
        Command("zoom.out", tr("Smaller"), "view", lambda: window.appearance.zoom(-1), "", ("Ctrl+-",)),
        Command("zoom.reset", tr("Ordinary size"), "view", lambda: window.appearance.zoom(0), "", ("Ctrl+0",)),
    ]


def _help_commands(window: WorkspaceWindow) -> list[Command | str]:
    tr = window.tr
    return [
        Command("help.manual", tr("Manual"), "help", window.manual.open, "book-open"),
        Command("help.page", tr("Manual page for this part"), "help", window.manual.open_in_focus, "", ("F1",)),
        SEPARATOR,
        Command("help.keys", tr("Keys…"), "help", window.help.show_keys, "command", ("Ctrl+?",)),
        Command("help.words", tr("Words"), "help", window.help.show_words, "book-open"),
        Command("help.commands", tr("Slash commands"), "help", window.help.show_slash_commands, "terminal"),
        SEPARATOR,
        Command("help.news", tr("What is new"), "help", window.help.show_news, "sparkles"),
        Command("help.diagnostics", tr("Diagnostics…"), "help", window.help.show_diagnostics, "circle-check"),
        Command("help.about", tr("About Mnemoscope"), "help", window.help.show_about, "info"),
    ]


def _later(window: WorkspaceWindow, work: Callable[[], Coroutine[Any, Any, object]]) -> Callable[[], object]:
    """Returns what opens a dialog or asks a question: none beside another one of these."""
    return lambda: window.tasks.spawn_once(work, "menu")


def _in_focus(verb: str) -> None:
    """Calls the method `verb` (`undo`, `copy`, `selectAll`, …) of the widget that has the keyboard, if it has one."""
    method = getattr(QApplication.focusWidget(), verb, None)
    if callable(method):
        method()


def _find(window: MainWindow) -> None:
    """Opens the finding of the pane that has the keyboard; where that has none of its own, the conversation's."""
    pane = window.pane_with_keyboard()
    if isinstance(pane, MemoryPane | HistoryPane | prompt_pane.PromptPane):
        pane.find()
        return
    if pane is window.sessions:
        window.search_conversations()
        return
    if pane is window.timeline:
        window.status.show_remark(
            window.tr("The timeline lists what the conversation says: find it there, click to go to it.")
        )
    window.chat.transcript.find_bar.start()

"""Shows what the Help menu offers beside the manual's pages: keys, words, slash commands, diagnostics, about."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QMessageBox, QWidget

from mnemoscope import __version__
from mnemoscope.agent.commands.slash_commands import offered
from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.ui.manual.manual_controller import ManualController
from mnemoscope.ui.shell.actions import Actions
from mnemoscope.ui.shell.help import diagnostics_dialog, keys_dialog, window_keys
from mnemoscope.ui.support.glossary import Word, meaning_of, name_of
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.dialogs import pairs_dialog
from mnemoscope.ui.widgets.dialogs.screen_fit import stay_on_screen

NEWS_PAGE = "what-is-new"


class HelpController(QObject):
    """Opens the dialogs of the Help menu; `window` is their parent."""

    def __init__(
        self,
        window: QWidget,
        core: Core,
        tasks: Tasks,
        settings: QSettings,
        actions: Actions,
        manual: ManualController,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._core = core
        self._tasks = tasks
        self._settings = settings
        self._actions = actions
        self._manual = manual

    def show_keys(self) -> None:
        """Lists the keys of every command, to search and to change, and those of every part of the window."""
        dialog = keys_dialog.KeysDialog(self._actions, self._window, window_keys.part_rows())
        dialog.changed.connect(self._keep_keys)
        self._manual.answer_in(dialog)
        dialog.open()

    def show_words(self) -> None:
        """Says what the words of the window mean."""
        pairs = [(name_of(word), meaning_of(word)) for word in Word]
        pairs_dialog.PairsDialog(self.tr("Words"), self.tr("Each word means one thing"), pairs, self._window).open()

    def show_slash_commands(self) -> None:
        """Says which slash commands there are."""
        pairs = [(command.usage, command.help) for command in offered(self._core.bench.settings.profile)]
        title, name = self.tr("Slash commands"), self.tr("Commands to type into the message field")
        pairs_dialog.PairsDialog(title, name, pairs, self._window).open()

    def show_news(self) -> None:
        """Shows what is new in this version."""
        self._manual.open(NEWS_PAGE)

    def show_diagnostics(self) -> None:
        """Looks at program, system and workspace in a thread, and shows what was found."""
        dialog = diagnostics_dialog.DiagnosticsDialog(self._window)
        dialog.open()
        self._tasks.spawn(self._diagnose(dialog), "diagnostics")

    def show_about(self) -> None:
        """Says what this program is."""
        words = self.tr(
            "Mnemoscope {version}\n\nTalk with any language model, and see, correct and trust what it remembers.\n"
            "Everything it keeps is a plain file in your workspace.\n\nMIT licence. Icons: Lucide (ISC)."
        ).format(version=__version__)
        box = QMessageBox(QMessageBox.Icon.NoIcon, self.tr("About Mnemoscope"), words, parent=self._window)
        box.finished.connect(box.deleteLater)
        stay_on_screen(box)
        box.open()

    async def _diagnose(self, dialog: diagnostics_dialog.DiagnosticsDialog) -> None:
        # What the command line runs is loaded where it is asked for.
        from mnemoscope.agent.cli.doctor import diagnose, diagnosis_text

        root, keychain = self._core.bench.workspace.root, self._core.models.keychain
        found = await asyncio.to_thread(diagnose, root, keychain)
        dialog.show_report(found, diagnosis_text(found))

    def _keep_keys(self, command: str, keys: list[str]) -> None:
        self._actions.set_keys(command, keys)
        self._actions.save_keys(self._settings)

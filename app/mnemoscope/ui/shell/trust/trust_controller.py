"""Says where words go, and asks once about a folder that decides it: by a bar, a chip at the composer, and in full."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.settings import BUILT_IN_MODEL, embedding_model_in_force, is_on_this_computer
from mnemoscope.domain.trust import TrustState, Use
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.shell.trust import trust_dialog
from mnemoscope.ui.shell.trust.trust_words import changed_words, chip_words, notice_words, stay_words, whole_words
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks

_NAME = "trust"
_LOOKS = 5
"""So often a folder that changes while it is read is read anew."""


class TrustController(QObject):
    """Keeps bar and chip true; nothing that is typed is taken while the folder waits for a yes."""

    def __init__(
        self, chat: ChatColumn, bench: Workbench, bridge: Bridge, tasks: Tasks, *, model_here: Callable[[], str]
    ) -> None:
        """`model_here` returns the model of the conversation in front, or "" for the one of the settings."""
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._dialog: trust_dialog.TrustDialog | None = None
        self._model_here = model_here
        composer = chat.composer
        composer.check_before_sending(self._may_send)
        composer.destination_clicked.connect(self.show_all)
        composer.edit.textChanged.connect(lambda: composer.refuse(""))
        bridge.on(events.TrustChanged, lambda _event: self.show())
        bridge.on(events.SettingsChanged, lambda _event: self.show())
        self.show()

    @property
    def dialog(self) -> trust_dialog.TrustDialog | None:
        """Returns what shows it in full, while it is open."""
        return self._dialog

    def show(self) -> None:
        """Shows how things stand."""
        chat, settings, state = self._chat, self._bench.settings, self._bench.trust.state
        waits = state.is_waiting
        here = replace(settings, model=self._model_here() or settings.model)
        brief = chip_words(here, waits=waits, brief=True)
        chat.composer.show_destination(chip_words(here, waits=waits), whole_words(here, waits=waits), brief)
        if not state.waits(Use.ANSWERS):
            chat.composer.refuse("")
        if not waits:
            chat.clear_standing_notice(_NAME)
            return
        fingerprint = state.fingerprint
        actions = [(self.tr("Trust this folder"), lambda: self._agree(fingerprint))]
        if not self._bench.read_only:
            actions.append((stay_words(state), self._use_built_in))
        actions.append((self.tr("Look at it…"), self.show_all))
        chat.show_standing_notice(_NAME, "info", notice_words(settings, state), actions)

    def show_all(self) -> None:
        """Shows it in full."""
        if self._dialog is None:
            self._tasks.spawn(self._open(self._bench.trust.state), "trust")

    async def _open(self, known: TrustState) -> None:
        """Shows it in full; where it is not as it was `known` when that was asked for, says what changed."""
        for _ in range(_LOOKS):
            state = await self._bench.trust.look()
            texts = await self._bench.trust.texts()
            # What is shown has to be what is agreed to.
            if await self._bench.trust.look() == state:
                break
        else:
            words = self.tr("The folder is being changed all the time, so it cannot be shown as it is. Try again.")
            self._chat.notify("warning", words)
            return
        if self._dialog is not None:
            return
        dialog = self._dialog = trust_dialog.TrustDialog(
            self._bench.settings,
            state,
            texts,
            may_change=not self._bench.read_only,
            changed=changed_words(known, state),
            parent=self._chat.window(),
        )
        dialog.agreed.connect(self._agree)
        dialog.built_in_requested.connect(self._use_built_in)
        dialog.finished.connect(self._on_finished)
        dialog.open()

    def _on_finished(self) -> None:
        self._dialog = None

    def _may_send(self, text: str) -> bool:
        """Returns whether what was typed may go; else says beside it why not, and it stays there."""
        if not self._bench.trust.waits(Use.ANSWERS) or text.lstrip().startswith("/"):
            return True
        self._chat.composer.refuse(
            self.tr("Not sent: you have not agreed yet to where this folder's words go. Your words stay here.")
        )
        return False

    def _agree(self, fingerprint: str) -> None:
        self._tasks.spawn(self._agree_to(fingerprint), "trust")

    async def _agree_to(self, fingerprint: str) -> None:
        try:
            agreed = await self._bench.trust.agree(fingerprint)
        except (MnemoscopeError, OSError) as error:
            self._chat.notify("danger", str(error))
            return
        if not agreed:
            words = self.tr("The folder was changed while it was shown, so nothing was agreed to. Look once more.")
            self._chat.notify("warning", words)
            self.show()

    def _use_built_in(self) -> None:
        self._tasks.spawn(self._choose_built_in(), "built-in model")

    async def _choose_built_in(self) -> None:
        settings = self._bench.settings
        searched_with = embedding_model_in_force(settings)
        is_sent = searched_with and not is_on_this_computer(searched_with)
        kept = "" if is_sent else settings.embedding_model
        try:
            await self._bench.config.change(
                model=BUILT_IN_MODEL, api_base="", background_model="", dream_model="", embedding_model=kept
            )
        except MnemoscopeError as error:
            self._chat.notify("danger", str(error))

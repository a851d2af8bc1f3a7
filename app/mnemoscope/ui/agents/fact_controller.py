"""Copies a fact to another agent on a press, undoes it on another, and says which agents hold the same fact."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.foreign import fact_copying
from mnemoscope.domain.copying import fact_target, fact_text, held_facts
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.ui.agents import fact_dialog
from mnemoscope.ui.agents.agent_consent import AgentConsent
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.translation.core_words import core_words


class FactController(QObject):
    """Copies facts for one window. `consent` says where the person lets it look; `own` is the folder of the workspace,
    which is no other agent. `opened` carries the dialog."""

    opened = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        tasks: Tasks,
        consent: AgentConsent,
        own: Path,
    ) -> None:
        super().__init__(parent)
        self._parent, self._tasks = parent, tasks
        self._consent = consent
        self._own = own
        self.dialog: fact_dialog.FactDialog | None = None
        self._copying: fact_copying.FactCopying | None = None
        self._found: fact_copying.FoundAgents | None = None
        """None until it is looked for them."""
        self._wish = 0
        """Counts what was asked for: an answer to an earlier wish is not shown."""
        self._made: fact_target.FactCopy | None = None
        """The last copy, as long as it can be undone."""

    def open(self, line: str, over: QWidget | None = None) -> None:
        """Offers to copy a line of memory, in a dialog over a window, the main one where none is given."""
        self.close()
        dialog = self.dialog = fact_dialog.FactDialog(over or self._parent, fact_text.plain_fact(line))
        dialog.look_requested.connect(self._on_look)
        dialog.preview_requested.connect(lambda: self._tasks.spawn(self.look(), "copy a fact"))
        dialog.copy_requested.connect(lambda copy: self._tasks.spawn(self.write(copy), "copy a fact"))
        dialog.undo_requested.connect(lambda copy: self._tasks.spawn(self.undo(copy), "copy a fact"))
        dialog.finished.connect(lambda _result, gone=dialog: self._on_finished(gone))
        if self._consent.places().is_any:
            self._tasks.spawn(self._list_targets(), "copy a fact")
        else:
            dialog.ask()
        dialog.open()
        self.opened.emit(dialog)

    def close(self) -> None:
        """Closes the dialog."""
        dialog, self.dialog = self.dialog, None
        self._wish += 1
        if dialog is not None:
            dialog.close()

    def stop(self) -> None:
        """Closes the dialog and ends the thread; the window closes."""
        self.close()
        if self._copying is not None:
            self._copying.close()

    async def _list_targets(self) -> None:
        """Offers the files that take facts."""
        dialog = self.dialog
        if dialog is None:
            return
        try:
            self._found = await self._service().found(self._consent.places(), anew=True)
        except MnemoscopeError as error:
            if self.dialog is dialog:
                dialog.show_copy(None, core_words(str(error)))
            return
        if self.dialog is not dialog:
            return
        dialog.show_targets([each for each in self._found.targets if each.root != self._own])
        if self._made is not None:
            dialog.note_made(self._made, self._made_words(self._made))

    async def look(self) -> None:
        """Shows what the copy that is chosen would change."""
        dialog = self.dialog
        target = dialog.target if dialog is not None else None
        if dialog is None or target is None or self._found is None:
            return
        self._wish += 1
        wish, fact, held = self._wish, dialog.fact.text(), self._found.held

        def is_wished() -> bool:
            """Returns whether file and fact are still those on show; where they are not, another look comes."""
            return wish == self._wish and dialog.target is target and dialog.fact.text() == fact

        try:
            shown = await self._service().look(target, fact, held)
        except MnemoscopeError as error:
            if is_wished():
                dialog.show_copy(None, core_words(str(error)))
            return
        if is_wished():
            dialog.show_copy(shown)

    async def write(self, copy: fact_target.FactCopy) -> None:
        """Writes a copy that was looked at."""
        try:
            await self._service().write(copy)
        except MnemoscopeError as error:
            await self.look()
            self._notify(self._made, core_words(str(error)))
            return
        self._made = copy
        self._notify(copy, self._made_words(copy))
        await self._look_again()

    async def undo(self, copy: fact_target.FactCopy) -> None:
        """Takes the last copy out again."""
        try:
            await self._service().undo(copy)
        except MnemoscopeError as error:
            self._notify(copy, core_words(str(error)))
            return
        self._made = None
        self._notify(None, self.tr("Undone: the file says what it said before."))
        await self._look_again()

    async def holders_of(self, line: str, besides: tuple[Path, str] | None = None) -> Sequence[str]:
        """Returns the names of the memory files of other agents that state what a line states, but for one by its
        store's root and its path; none before the person agreed that they are looked at."""
        places = self._consent.places()
        if not places.is_any:
            return ()
        try:
            found = await self._service().found(places)
        except MnemoscopeError:
            return ()
        holders = found.held.holders_of(line, besides=besides)
        return list(dict.fromkeys(_holder_words(each) for each in holders if each.root != self._own))

    async def _look_again(self) -> None:
        if self.dialog is not None:
            self._found = await self._service().found(self._consent.places(), anew=True)
            await self.look()

    def _on_look(self) -> None:
        self._consent.agree()
        self._tasks.spawn(self._list_targets(), "copy a fact")

    def _on_finished(self, dialog: fact_dialog.FactDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
            self._wish += 1

    def _notify(self, made: fact_target.FactCopy | None, words: str) -> None:
        if self.dialog is not None:
            self.dialog.note_made(made, words)

    def _made_words(self, copy: fact_target.FactCopy) -> str:
        words = self.tr("Copied to {file} of {agent}: “{fact}”")
        name = PurePosixPath(copy.path).name
        return words.format(file=name, agent=copy.target.title, fact=fact_dialog.short_fact(copy.fact))

    def _service(self) -> fact_copying.FactCopying:
        if self._copying is None:
            self._copying = fact_copying.FactCopying()
        return self._copying


def _holder_words(holder: held_facts.FactHolder) -> str:
    """Returns the name of a memory file of another agent: "Hermes Agent (USER.md)"."""
    return f"{holder.title} ({PurePosixPath(holder.path).name})"

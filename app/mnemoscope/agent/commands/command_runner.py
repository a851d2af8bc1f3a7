"""Runs the slash commands. Answers are Markdown, shown in the transcript and never sent to a model."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from mnemoscope.agent.commands.dream_commands import DreamCommands
from mnemoscope.agent.commands.slash_commands import ASIDE, Answer, SlashCommand, help_text, is_known
from mnemoscope.agent.consolidation.background_consolidation import BackgroundConsolidation
from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal
from mnemoscope.agent.tools.result_text import cut_result
from mnemoscope.agent.tools.tool import LongTermMemory
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.errors import MnemoscopeError, reason_of
from mnemoscope.domain.settings import BUILT_IN_MODEL, Settings
from mnemoscope.domain.trust import Use
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.memory.search.recall import newest_exchanges, read_history
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_DEFAULT_ENTRIES: Final = 5
_MOST_ENTRIES: Final = 50
_CONSOLIDATING: Final = frozenset({"consolidate", "compact"})
_OF_DREAM: Final = frozenset({"dream", "dream-log", "dream-restore", "dream-prompt"})
_ABOUT_CHANGES: Final = frozenset({"dream-log", "dream-restore"})
ChangeSettings = Callable[..., Awaitable[Settings]]


class CommandRunner:
    """Runs slash commands for one workspace; /new is the loop's own: it closes what an answer would be written to."""

    def __init__(
        self,
        paths: WorkspacePaths,
        memory: LongTermMemory,
        consolidation: BackgroundConsolidation,
        settings: Callable[[], Settings],
        change_settings: ChangeSettings,
        disk: Disk,
        exchanges: InactiveExchanges,
        dream: DreamCommands | None = None,
    ) -> None:
        self.paths = paths
        self.memory = memory
        self.consolidation = consolidation
        self.settings = settings
        self.change_settings = change_settings
        self.disk = disk
        self.exchanges = exchanges
        self.dream = dream

    async def run(self, command: SlashCommand, session: Session, stop_signal: StopSignal) -> Answer:
        """Returns the answer. A failure is told in it, never raised. `stop_signal` ends what waits for a model."""
        if not is_known(command):
            return Answer(f"There is no command `/{command.name}`. These are there:\n\n{self._list()}")
        try:
            if command.name in _CONSOLIDATING:
                return Answer((await self.consolidation.consolidate_now(session, stop_signal)).sentence)
            if command.name in _OF_DREAM:
                return await self._dream(command, stop_signal)
            return Answer(await self._answers()[command.name](command, session))
        except MnemoscopeError as error:
            return Answer(str(error))
        except Stopped:
            raise
        except Exception as error:
            logged = error if session.discretion.permits(Trace.PROMPT_LOG) else None
            log.error("/%s failed: %s", command.name, type(error).__name__, exc_info=logged)
            return Answer(f"`/{command.name}` did not finish: {reason_of(error)} The log has the details.")

    async def _dream(self, command: SlashCommand, stop_signal: StopSignal) -> Answer:
        if self.dream is None or not (self.consolidation.is_dreaming or await self._looks_back(command)):
            return Answer(ASIDE.format(name=command.name))
        if command.name == "dream":
            return await self.dream.dream(stop_signal)
        asked = {"dream-log": self.dream.log, "dream-restore": self.dream.restore, "dream-prompt": self.dream.prompt}
        return await asked[command.name](command.argument)

    async def _looks_back(self, command: SlashCommand) -> bool:
        """Returns whether the command is about changes Dream made before another profile was chosen."""
        is_about_changes = command.name in _ABOUT_CHANGES
        return is_about_changes and self.dream is not None and await self.dream.has_changed_memory()

    def _answers(self) -> dict[str, Callable[[SlashCommand, Session], Awaitable[str]]]:
        return {
            "memory": self._memory,
            "history": self._history,
            "model": self._model,
            "help": self._help,
            "stop": self._stop,
        }

    async def _memory(self, _: SlashCommand, __: Session) -> str:
        text = (await self.disk.run(self.memory.read_text)).text
        return cut_result(text) if text.strip() else "Nothing is remembered yet: MEMORY.md is empty."

    async def _history(self, command: SlashCommand, _: Session) -> str:
        count = _count(command.argument)
        if count is None:
            return f"`/history` takes a number from 1 to {_MOST_ENTRIES}, such as `/history 3`."
        if self.consolidation.is_dreaming:
            entries = await self.disk.run(self._journal_entries, count)
        elif not self.consolidation.consolidates:
            entries = await self.disk.run(self._dated_entries, count)
        else:
            entries = (await self.disk.run(read_history, self.paths)).newest(count)
        if not entries and not self.consolidation.consolidates:
            return "The history is empty: no exchange was noted yet."
        if not entries:
            return "The history log is empty: nothing has been consolidated yet."
        return cut_result("\n\n".join(entries))

    def _dated_entries(self, count: int) -> list[str]:
        """Returns the newest sections of the daily notes and entries of HISTORY.md, which another profile wrote."""
        log = read_history(self.paths)
        entries = [log.entry(place) for place in range(max(0, len(log) - count), len(log))]
        notes = newest_exchanges(self.paths, count, self.exchanges)
        sections = [each._replace(text=f"[{each.when}]\n\n{each.text}") for each in notes]
        return [each.text for each in sorted([*entries, *sections], key=lambda each: each.when)[-count:]]

    def _journal_entries(self, count: int) -> list[str]:
        newest = Journal(self.paths).newest(count)
        return [f"`{each.cursor}` [{each.timestamp}]\n\n{each.content}" for each in newest]

    async def _model(self, command: SlashCommand, _: Session) -> str:
        if not command.argument:
            described = _described(self.settings().model)
            chosen = f"{described[0].upper()}{described[1:]}"
            verb = "is chosen" if self._waits() else "answers"
            return f"{chosen} {verb}. Choose another with `/model name`.{self._until_agreed()}"
        settings = await self.change_settings(model=command.argument)
        described = _described(settings.model)
        if self._waits():
            return f"{described[0].upper()}{described[1:]} is chosen.{self._until_agreed()}"
        return f"From now on {described} answers."

    def _waits(self) -> bool:
        return self.consolidation.trust.waits(Use.ANSWERS)

    def _until_agreed(self) -> str:
        """Returns that nothing is sent yet, where nobody has agreed to where this folder's words go."""
        if not self._waits():
            return ""
        return " Nothing is sent to it yet: you have not agreed to where this folder's words go."

    async def _help(self, _: SlashCommand, __: Session) -> str:
        return self._list()

    def _list(self) -> str:
        return help_text(self.settings().profile)

    async def _stop(self, _: SlashCommand, __: Session) -> str:
        return "Nothing is being written at the moment."


def _count(argument: str) -> int | None:
    if not argument:
        return _DEFAULT_ENTRIES
    if not (argument.isascii() and argument.isdigit() and len(argument) < 4):
        return None
    return int(argument) if 1 <= int(argument) <= _MOST_ENTRIES else None


def _described(model: str) -> str:
    return "the built-in assistant (no language model)" if model == BUILT_IN_MODEL else f"`{model}`"

"""Builds the prompt of a past moment from the memory files and the pointer as they were then. Reads only."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from mnemoscope.agent.prompt.context_builder import ContextBuilder, PromptFrame, SystemPrompt
from mnemoscope.agent.prompt.recent_history import PastHistory
from mnemoscope.agent.prompt.sent_messages import MessagesBefore
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.domain.commits import Snapshot, end_of_second
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.message import Message, is_command, text_of
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.memory.file_registry import PROMPT_FILES
from mnemoscope.domain.settings import DREAM, Settings
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.memory.tracked_files import is_tracked
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

_NOT_KEPT: Final = "{}: as it is now; versions of it are not kept."


@dataclass(frozen=True, slots=True)
class PastPrompt:
    """Holds the prompt that a model was, or would have been, sent at a moment, and what it was made from.

    `messages`: how many the conversation had then; `pointer`: how many of them were consolidated, as far as the ledger
    knows. The model, its tools and its context window are today's.
    """

    snapshot: Snapshot
    prompt: PromptSnapshot
    messages: int = 0
    pointer: int = 0


class TimeTravel:
    """Builds the past prompts of one workspace's conversations."""

    def __init__(
        self,
        root: Path,
        sessions: SessionManager,
        memory: MemoryStore,
        toolbox: Toolbox,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        disk: Disk,
    ) -> None:
        self._root = root
        self._sessions = sessions
        self._memory = memory
        self._toolbox = toolbox
        self._provider = provider
        self._settings = settings
        self._disk = disk

    async def frame(self, session_key: str) -> PromptFrame:
        """Returns the frame for the model that answers in a conversation. Raises UnreadableFile."""
        return self._frame(await self._disk.run(self._sessions.load, session_key) if session_key else None)

    def system_then(self, snapshot: Snapshot, when: datetime, session_key: str, frame: PromptFrame) -> SystemPrompt:
        """Returns the system prompt with the files of a snapshot, and what Dream had not read by then. Blocks: reads
        the files that have no versions."""
        with tempfile.TemporaryDirectory(prefix="mnemoscope-") as name:
            folder = Path(name)
            for path, text in _inside(snapshot.texts).items():
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            unkept = [each for each in PROMPT_FILES if not is_tracked(each)]
            for each in unkept:
                with suppress(OSError):
                    shutil.copyfile(self._root / each, folder / each)
            forgotten = self._memory.files.forgotten_now
            recent = PastHistory(self._memory.dream, lambda: self._settings().profile == DREAM, when, forgotten)
            builder = ContextBuilder(
                folder,
                recent,
                shown_as=self._root,
                settings=self._settings,
                forgotten=forgotten,
            )
            system = builder.system_sections(session_key=session_key, frame=frame)
            unkept_now = [_NOT_KEPT.format(each) for each in unkept if (folder / each).exists()]
            return system._replace(notices=[*system.notices, *unkept_now])

    async def prompt_then(
        self, snapshot: Snapshot, system: SystemPrompt, when: datetime, session_key: str
    ) -> PastPrompt:
        """Returns the whole prompt; without a conversation the system prompt alone. Raises UnreadableFile."""
        session = await self._disk.run(self._sessions.load, session_key) if session_key else None
        count, pointer = await self._disk.run(self._stood, session, when)
        messages: Sequence[Message] = session.messages if session is not None else []
        asked = _question(messages, count)
        words = text_of(messages[asked]) if asked is not None else ""
        prompt = ContextBuilder(self._root).snapshot(
            MessagesBefore(messages, count if asked is None else asked),
            pointer,
            words,
            now=when,
            session_key=session_key,
            frame=self._frame(session),
            system=system,
        )
        return PastPrompt(snapshot, prompt, count, pointer)

    def _frame(self, session: Session | None) -> PromptFrame:
        """Returns the frame for the model that answers in the conversation, or for that of the settings."""
        model = session.model if session is not None else ""
        return PromptFrame.of(self._settings(), self._provider, self._toolbox.schemas, model=model)

    def _stood(self, session: Session | None, when: datetime) -> tuple[int, int]:
        """Returns how many messages there were, and where the pointer stood."""
        if session is None:
            return 0, 0
        moment = end_of_second(when)
        low, high = 0, len(session.messages)
        while low < high:
            middle = (low + high) // 2
            if str(session.messages[middle].get("timestamp") or "") <= moment:
                low = middle + 1
            else:
                high = middle
        records = self._memory.records(session)
        pointer = max((each.stop for each in records if each.when <= moment), default=0)
        return low, min(pointer, low)


def _inside(texts: Mapping[str, str]) -> dict[str, str]:
    """Returns the texts whose paths stay in a folder: a repository may have been written by another program."""
    return {path: text for path, text in texts.items() if ".." not in PurePosixPath(path).parts and path[:1] != "/"}


def _question(messages: Sequence[Message], count: int) -> int | None:
    """Returns the person's newest message before a place, if nothing but commands and answers came after it."""
    for index in range(count - 1, max(-1, count - 500), -1):
        message = messages[index]
        if message.get("role") == "user" and not is_command(message):
            return index
    return None

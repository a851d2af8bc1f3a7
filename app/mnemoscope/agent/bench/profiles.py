"""Our three profiles as memory systems of the benchmark: the program's own parts, and a model with given answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.bench.protocol import RawAnswer, RememberedLine, SaidMessage, SystemFactory
from mnemoscope.agent.bench.scoring import bullet_lines
from mnemoscope.agent.commits.memory_blame import MemoryBlame
from mnemoscope.domain.conversation.origin import quotes_in
from mnemoscope.domain.llm import ChatRequest, LLMProvider, LLMResponse, StreamPart, ToolCallRequest
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.settings import DREAM, THREE_TIER, TWO_LAYER, Settings
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.dream.dreamer import DreamRequest
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

_KEY: Final = "cli:bench"
_NOW: Final = datetime(2026, 3, 6, 18, 0)


class CannedAnswers(LLMProvider):
    """Stands in for a model that says one answer after another, and the last of them again and again."""

    def __init__(self, *answers: LLMResponse) -> None:
        self._answers = list(answers)

    async def complete(self, request: ChatRequest) -> LLMResponse:
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        yield await self.complete(request)

    def context_window(self, model: str | None = None) -> int:
        return 65_536

    async def aclose(self) -> None:
        pass


class ProfileSystem:
    """Tries one of our profiles. Capture is on where the profile has it on by itself."""

    def __init__(self, profile: str, folder: Path, begun: str) -> None:
        self._profile = profile
        self._settings = Settings(profile=profile)
        self._paths = WorkspacePaths(folder)
        self._sessions = SessionManager(folder)
        # The key of what is forgotten here lasts as long as the trial: a person's keychain is left alone.
        tombstones = Tombstones(self._paths.own.tombstones_file, TombstoneKey())
        self._memory = MemoryStore(
            folder, paths=self._paths, sessions=self._sessions, clock=lambda: _NOW, tombstones=tombstones
        )
        self._memory.strategies.use_journal(profile == DREAM)
        self._memory.write_long_term(begun)
        self._base = begun
        self._session = self._sessions.get_or_create(_KEY)
        self._taken: dict[str, str] = {}

    def take(self, message: SaidMessage) -> None:
        more: dict[str, Any] = {"timestamp": message.when}
        if message.role == "tool":
            more |= {"name": message.name, "tool_call_id": message.id}
        if message.origin:
            more["origin"] = message.origin
        if message.quotes:
            more["quotes"] = [list(each) for each in message.quotes]
        self._session.add_message(message.role, message.text, **more)
        self._sessions.append(self._session)
        if message.role == "user":
            self._taken[message.text] = message.id
            if self._settings.captures:
                index = len(self._session.messages) - 1
                quotes = tuple(quotes_in(self._session.messages[index]))
                began = self._session.branch.owner_of(index)
                asyncio.run(self._memory.captures.capture(PersonMessage(_KEY, began, index, message.text, quotes)))

    def settle(self, answer: RawAnswer) -> bool:
        if self._profile == THREE_TIER:
            return False
        if self._profile == DREAM:
            asyncio.run(self._dream(answer))
        else:
            call = ToolCallRequest(
                answer.id, "save_memory", {"history_entry": answer.entry, "memory_update": self._wanted(answer)}
            )
            self._consolidate(LLMResponse(None, [call], "tool_calls"))
        self._base = self._memory.read_long_term()
        return True

    def remembered(self) -> list[RememberedLine]:
        text = self._memory.read_long_term()
        blame = MemoryBlame(self._paths, self._memory, self._sessions)
        said = {each.text: each.message_text for each in blame.of_memory_file(MEMORY_PATH, text)}
        return [RememberedLine(line, self._taken.get(said.get(f"- {line}", ""), "")) for line in bullet_lines(text)]

    def forget(self, text: str) -> bool:
        before = self._memory.editing.read_text()
        kept = [line for line in before.text.split("\n") if text not in line]
        asyncio.run(self._memory.editing.save_text("\n".join(kept), before.digest))
        self._base = self._memory.read_long_term()
        return True

    def forget_for_good(self, texts: Sequence[str]) -> None:
        plan = self._memory.forgettings.plan(texts)
        self._memory.forgettings.carry_out(plan.text, plan.places)
        self._base = self._memory.read_long_term()

    def _consolidate(self, response: LLMResponse) -> None:
        asyncio.run(self._memory.consolidate(self._session, CannedAnswers(response), "bench", archive_all=True))

    async def _dream(self, answer: RawAnswer) -> None:
        """Notes the conversation in the journal, then runs Dream, whose model makes the edit that was wanted."""
        entry = "\n".join(f"- [durable] {line}" for line in answer.added) or "- [task] Several things were spoken of"
        model = CannedAnswers(LLMResponse(entry, (), "stop"))
        await self._memory.consolidate(self._session, model, "bench", archive_all=True)
        before, wanted = self._memory.read_long_term(), self._wanted(answer)
        edit = ToolCallRequest(answer.id, "edit_file", {"path": MEMORY_PATH, "old_text": before, "new_text": wanted})
        finish = ToolCallRequest(f"{answer.id}-end", "finish", {"summary": "Done."})
        answers = CannedAnswers(LLMResponse(None, [edit], "tool_calls"), LLMResponse(None, [finish], "tool_calls"))
        await self._memory.dream.dreamer.run(DreamRequest(answers, "bench"))

    def _wanted(self, answer: RawAnswer) -> str:
        """Returns the text wanted, with what was captured since: a careful model gives it back with all the rest."""
        current = self._memory.read_long_term()
        return answer.memory + (current[len(self._base) :] if current.startswith(self._base) else "")


def own_profiles() -> dict[str, SystemFactory]:
    """Returns our three profiles by the name of their row."""
    names = {"two-layer": TWO_LAYER, "dream": DREAM, "three-tier": THREE_TIER}
    return {f"mnemoscope {name}": partial(ProfileSystem, profile) for name, profile in names.items()}

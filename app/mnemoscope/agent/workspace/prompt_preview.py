"""Shows what a model would be sent now, and what it was sent with each past turn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from mnemoscope.agent.prompt.context_builder import ContextBuilder, PromptFrame
from mnemoscope.agent.prompt.memory_budget import SentOfFile
from mnemoscope.agent.prompt.prompt_guard import PromptGuard
from mnemoscope.agent.prompt.sent_prompts import SentPrompt, SentPrompts
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager


class PromptPreview:
    """Builds the prompts of one workspace's conversations, as the window looks at them."""

    def __init__(
        self,
        *,
        sessions: SessionManager,
        context: ContextBuilder,
        guard: PromptGuard,
        sent: SentPrompts,
        toolbox: Toolbox,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        disk: Disk,
        clock: Callable[[], datetime],
    ) -> None:
        self._sessions = sessions
        self._context = context
        self._guard = guard
        self._sent = sent
        self._toolbox = toolbox
        self._provider = provider
        self._settings = settings
        self._disk = disk
        self._clock = clock

    async def of_draft(self, key: str, draft: str) -> PromptSnapshot:
        """Returns what would be sent if the draft were sent now."""
        session = await self._disk.run(self._sessions.get_or_create, key)
        frame = self._frame(session)
        system = await self._disk.run(partial(self._context.system_sections, session_key=key, frame=frame))
        build = partial(
            self._context.snapshot,
            session.messages,
            session.last_consolidated,
            draft,
            now=self._clock(),
            session_key=key,
            frame=frame,
            system=system,
        )
        prompt = await self._guard.preview(session, draft, lambda plan: build(plan=plan))
        return await self._disk.run(self._context.with_marked_results, prompt)

    async def of_file(self, path: str, text: str, key: str) -> SentOfFile:
        """Returns how much of a memory file is sent in a conversation's prompts, were `text` all that it says."""
        frame = None
        # A conversation that cannot be read keeps nobody from editing memory.
        with suppress(MnemoscopeError):
            frame = self._frame(await self._disk.run(self._sessions.get_or_create, key)) if key else None
        return await self._disk.run(partial(self._context.sent_of_file, path, text, session_key=key, frame=frame))

    async def of_past_turns(self, key: str) -> list[SentPrompt]:
        """Returns what was sent with each turn that is remembered, oldest first. Raises UnreadableFile."""
        session = await self._disk.run(self._sessions.get_or_create, key)
        return await self._sent.of_session(session)

    def _frame(self, session: Session) -> PromptFrame:
        """Returns the frame for the model that answers in a conversation."""
        return PromptFrame.of(
            self._settings(),
            self._provider,
            self._toolbox.schemas,
            model=session.model,
            discretion=session.discretion,
        )

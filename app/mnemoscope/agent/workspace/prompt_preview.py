"""What a window calls to see what a model is, was or would be sent: part of the workbench."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.agent.prompt.context_builder import ContextBuilder, PromptFrame
from mnemoscope.agent.prompt.sent_messages import viewed_history
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.conversation.history_selection import Selection, while_at_work
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import PromptSnapshot
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.workspace import Workspace

if TYPE_CHECKING:
    from mnemoscope.agent.prompt.sent_prompts import SentPrompt
    from mnemoscope.domain.context.compaction import Compaction


class PromptCalls:
    """The calls about prompts."""

    context: ContextBuilder
    loop: AgentLoop
    toolbox: Toolbox
    provider: LLMProvider
    sessions: SessionManager
    disk: Disk
    workspace: Workspace
    clock: Callable[[], datetime]

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        raise NotImplementedError

    async def preview_prompt(self, key: str, draft: str) -> PromptSnapshot:
        """What would be sent if the draft were sent now."""
        session = await self.disk.run(self.sessions.get_or_create, key)
        system = await self.disk.run(partial(self.context.system_sections, session_key=key))
        build = partial(
            self.context.snapshot,
            session.messages,
            session.last_consolidated,
            draft,
            now=self.clock(),
            session_key=key,
            frame=PromptFrame.of(self.settings, self.provider, self.toolbox.schemas()),
            system=system,
        )
        return await self.loop.keeping.guarding.preview(session, draft, lambda guarded: build(guarded=guarded))

    async def past_prompts(self, key: str) -> list[SentPrompt]:
        """What was sent with each turn of a conversation that is remembered, oldest first. Raises UnreadableFile."""
        session = await self.disk.run(self.sessions.get_or_create, key)
        return await self.loop.keeping.past.of_session(session)

    async def whole_result(self, name: str) -> Path:
        """The file with all of a tool result, by the name that its message or prompt gives. Raises StorageError."""
        from mnemoscope.store.workspace.tool_results import whole_result

        path = await self.disk.run(whole_result, self.workspace.paths, name)
        if path is None:
            sentence = "The whole result is not kept any more: only the newest are."
            raise StorageError(sentence, next_step="Let the tool be called again.", name=name)
        return path

    def selection(self, session: Session) -> Selection:
        """Which messages of a conversation are sent, by what is known without a look at the disk."""
        guarded = self.settings.guards_context
        compaction = self.loop.keeping.guarding.known_compaction(session) if guarded else None
        return self._selection_with(compaction, session)

    def _selection_with(self, compaction: Compaction | None, session: Session) -> Selection:
        selection = viewed_history(session.messages, session.last_consolidated, None, compaction)
        return while_at_work(selection, session.messages) if self.loop.is_busy(session.key) else selection

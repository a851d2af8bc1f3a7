"""The public names, for programs that use Mnemoscope's memory from Python. None of them needs Qt.

The manual's page on Python says what each of them does. Everything else in the package may change.
"""

from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.tools.result_text import truncate_tool_result
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.commits import CommitInfo
from mnemoscope.domain.context.compaction import ContextTracker
from mnemoscope.domain.errors import FolderNotTrusted
from mnemoscope.domain.llm import Embedder, LLMProvider, LLMResponse, ToolCallRequest
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.memory.context.daily_notes import write_daily_note
from mnemoscope.memory.files.write_hooks import add_write_hook
from mnemoscope.memory.memory_store import MemoryStore, wal_scan, wal_write
from mnemoscope.memory.search.memory_search import memory_search
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

__all__ = [
    "AgentLoop",
    "CommitInfo",
    "ContextBuilder",
    "ContextTracker",
    "Embedder",
    "FolderNotTrusted",
    "GitStore",
    "LLMProvider",
    "LLMResponse",
    "LocalEmbedder",
    "MemoryStore",
    "Session",
    "SessionManager",
    "ToolCallRequest",
    "add_write_hook",
    "memory_search",
    "open_core",
    "truncate_tool_result",
    "wal_scan",
    "wal_write",
    "write_daily_note",
]

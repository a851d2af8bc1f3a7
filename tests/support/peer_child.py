"""Prints as JSON what nanobot's or Qanot's own code (a peer's) reads; `peers` runs it in a process of its own.

What the peer imports and is not installed is stood in for: session and memory files are read with the standard library.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import inspect
import json
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_UNREAD = ("nanobot", "nanobot.agent", "nanobot.config", "nanobot.providers")
"""Packages whose __init__ imports the whole program; what is asked for beneath them is the real thing."""
_STOOD_IN_FOR = frozenset(
    {
        *("dulwich", "filelock", "httpx", "jinja2", "json_repair", "loguru"),
        *("pydantic", "pydantic_settings", "tiktoken", "tzlocal"),
    }
)


class StandIn:
    """Stands in for what a module that is not installed is asked for: a class, a function, a decorator, a constant."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *given: Any, **_: Any) -> Any:
        return given[0] if len(given) == 1 and callable(given[0]) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()

    def __class_getitem__(cls, _: Any) -> type:
        return cls


class StandInModule(types.ModuleType):
    """Stands in for a module that is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn if name[:1].isupper() else StandIn()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins for modules; it is asked last, so that what is installed is the real thing too."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in _STOOD_IN_FOR:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def main() -> None:
    """Answers each line of standard input with one of standard output. Run as `peer_child.py INSTALLED`: a line read is
    a JSON list, a workspace and keys; a line written is what they say.

    An object instead is about the journal: `workspace`, and entries to `append` first; or, with `talk`, about
    conversations as the peer itself keeps them: what is said in each, by key, before all of them are read.
    """
    installed = sys.argv[1]
    sys.path.insert(0, installed)
    sys.meta_path.append(Finder())
    for name in _UNREAD:
        package = types.ModuleType(name)
        package.__path__ = [str(Path(installed, *name.split(".")))]
        sys.modules[name] = package
    manager = importlib.import_module("nanobot.session.manager").SessionManager
    memory = importlib.import_module("nanobot.agent.memory").MemoryStore
    for line in sys.stdin:
        asked = json.loads(line)
        if "talk" in asked:
            print(json.dumps(_talk(manager(Path(asked["workspace"])), asked["talk"])), flush=True)
            continue
        if isinstance(asked, dict):
            print(json.dumps(_journal(memory(Path(asked["workspace"])), asked["append"])), flush=True)
            continue
        workspace, *keys = asked
        root = Path(workspace)
        # The newest keeps sessions elsewhere unless it is told where.
        elsewhere = "sessions_root" in inspect.signature(manager).parameters
        sessions = manager(root, **({"sessions_root": root / "sessions"} if elsewhere else {}))
        read = {key: _session(sessions.get_or_create(key)) for key in keys}
        print(json.dumps({"sessions": read, "memory": memory(root).get_memory_context()}), flush=True)


def _journal(memory: Any, entries: Sequence[str]) -> dict[str, Any]:
    return {
        "given": [memory.append_history(entry) for entry in entries],
        "entries": memory.read_unprocessed_history(0),
        "dream_cursor": memory.get_last_dream_cursor(),
        "files": [memory.read_soul(), memory.read_user(), memory.read_memory()],
    }


def _talk(sessions: Any, said: dict[str, list[str]]) -> dict[str, Any]:
    read = {}
    for key, words in said.items():
        session = sessions.get_or_create(key)
        for each in words:
            session.add_message("user", each)
            sessions.save(session)
        read[key] = _session(session)
    return {"sessions": read, "memory": "", "listed": sorted(each["key"] for each in sessions.list_sessions())}


def _session(session: Any) -> dict[str, Any]:
    return {
        "messages": session.messages,
        "sent": session.get_history(),
        "last_consolidated": session.last_consolidated,
        "created_at": session.created_at.isoformat(),
        "metadata": session.metadata,
    }


if __name__ == "__main__":
    main()

"""Calls the registered hooks with what is captured, noted, or written through MemoryStore. The names are Qanot's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)
WriteHook = Callable[[str, str], None]
_HOOKS: Final[list[WriteHook]] = []


def add_write_hook(hook: WriteHook) -> Callable[[], None]:
    """Calls `hook(content, source)` with what was added and the file's name, on the thread that wrote it.

    Returns the call that ends it. A hook that fails is logged and stops nothing.
    """
    _HOOKS.append(hook)

    def remove() -> None:
        if hook in _HOOKS:
            _HOOKS.remove(hook)

    return remove


def notify_hooks(content: str, source: str) -> None:
    """Calls every hook with what was added; does nothing if `content` is empty."""
    for hook in tuple(_HOOKS) if content else ():
        try:
            hook(content, source)
        except Exception:
            log.exception("a write hook failed on %s", source)

"""Keeps the messages that wait for the answer being written, as the window does; it needs Qt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from mnemoscope.domain.events import Event, RecordAppended, TurnFailed
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.composer.message_queue import MessageQueue
from mnemoscope.ui.support.drafts import Drafts
from tests.proof.opened import KEY, NUMBER, Opened

_COMPOSER, _QUEUE = f"composer:{KEY}", f"queue:{KEY}"


class Waiting:
    """Writes on while an answer is written, and does what the composer and the controller of turns do for a person."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._parent = QObject()
        self._drafts = Drafts(opened.bench)
        self.queue = MessageQueue(self._drafts, self._parent)
        opened.bench.bus.subscribe(self._heard)

    async def add(self, number: int) -> None:
        """Types a message, whose words are a draft, and presses Enter."""
        self._drafts.save(_COMPOSER, {"text": f"m{number}"})
        await self._written()
        self.queue.add(KEY, ComposerText(f"m{number}"))
        self._drafts.save(_COMPOSER, {"text": ""})
        await self._written()

    async def is_kept(self) -> bool:
        """Returns whether all that waits is on the disk; what it refused before is kept now, as where the window is
        closed."""
        for name, draft in self.queue.unsaved(KEY).items():
            if await self._drafts.load(name) != draft:
                self._drafts.save(name, draft)
                await self._written()
        return all([await self._drafts.load(name) == draft for name, draft in self.queue.unsaved(KEY).items()])

    async def send_all(self) -> bool:
        """Sends what waits, one after the other; whether all of it was taken."""
        self.queue.release(KEY)
        while (one := self.queue.next(KEY)) is not None:
            session = await self._opened.session()
            self.queue.hand_over(KEY, one, len(session.messages))
            failures = len(self._opened.seen(TurnFailed))
            await self._opened.bench.loop.process(KEY, one.content.text, one.content.quotes)
            if one in self.queue.of(KEY) or len(self._opened.seen(TurnFailed)) != failures:
                # Nothing goes by itself after a failure.
                self.queue.hold(KEY)
                return False
        await self._written()
        return True

    async def _written(self) -> None:
        await self._opened.bench.disk.run(lambda: None)

    def _heard(self, event: Event) -> None:
        if isinstance(event, RecordAppended) and event.message.get("role") == "user":
            self.queue.recorded(KEY, str(event.message["content"]))


async def shown_again(opened: Opened) -> list[str]:
    """Returns what is wrong with what a window that is opened now shows as waiting: all of it is held."""
    waiting = Waiting(opened)
    session = await opened.session()
    before = len(session.messages)
    left = await waiting.queue.load(KEY, session.messages)
    problems = [f"{one.content.text} is not held" for one in left if not one.held]
    if waiting.queue.next(KEY) is not None:
        problems.append("what waits would be sent by itself")
    said = {number for message in session.messages for number in _numbers(message.get("content"))}
    problems += [f"{one.content.text} waits and was said" for one in left if said & set(_numbers(one.content.text))]
    if len(session.messages) != before:
        problems.append("a message was sent by itself")
    return problems


def problems_of_waiting(root: Path, numbers: Iterable[int], said: Iterable[str]) -> Iterator[str]:
    """Yields what does not hold of what waited: read from the files. `numbers`: those of the messages that were
    said."""
    drafts = dict(_drafts(root))
    said_numbers = set(numbers)
    waiting: list[int] = []
    for entry in drafts.get(_QUEUE, {}).get("waiting", []):
        (number,) = _numbers(entry["text"])
        # One that was on its way may have arrived: the window knows it by its place and its words.
        if number in said_numbers and "sent_at" not in entry:
            yield f"m{number} waits, and nothing tells that it was sent"
        if number not in said_numbers:
            waiting.append(number)
    if len(waiting) != len(set(waiting)):
        yield f"waits twice: {waiting}"
    typed = _numbers(drafts.get(_COMPOSER, {}).get("text"))
    for line in said:
        if line.startswith("waits m"):
            (number,) = _numbers(line)
            if number not in said_numbers and number not in waiting and number not in typed:
                yield f"m{number} waited and is gone"


def _drafts(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WorkspacePaths(root).own.drafts_dir.glob("*.json"):
        document = json.loads(path.read_bytes())
        yield document["name"], document["draft"]


def _numbers(text: Any) -> list[int]:
    return [int(number) for number in NUMBER.findall(str(text or ""))]

"""Does a piece of work in a fork of this process, which has all imported: in milliseconds, and nothing of it stays."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from typing import Any, TypeVar

from mnemoscope.domain.errors import MnemoscopeError

Say = Callable[[str], None]
Item = TypeVar("Item")
Answer = TypeVar("Answer")
_SECONDS = 600


@dataclass
class Ended:
    """Reports how a fork ended. `said`: what it reported while it lived, also if killed; `status`: -9 for a kill."""

    status: int = 0
    said: list[str] = field(default_factory=list)
    result: Any = None
    raised: str = ""

    @property
    def was_killed(self) -> bool:
        return self.status == -signal.SIGKILL

    def problems(self) -> list[str]:
        """Returns what is wrong with this end by itself: a hang, an error nobody expected."""
        found = [f"logged: {line[4:]}" for line in self.said if line.startswith("log ")]
        if self.raised:
            found.append(f"raised: {self.raised}")
        if self.status not in (0, -signal.SIGKILL):
            found.append("hung" if self.status == -signal.SIGALRM else f"ended with status {self.status}")
        return found


def in_fork(work: Callable[[Say], Any]) -> Ended:
    """Does `work` in a fork and wait for it; what it says arrives even if the fork is killed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _do(work, writer)
    os.close(writer)
    ended = _heard(reader)
    ended.status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return ended


def _worked(
    work: Callable[[Item], Answer], items: Sequence[Item], following: Synchronized[int]
) -> list[tuple[int, Answer]]:
    """Returns the answers for the items that nobody else has taken, each with its place."""
    answers: list[tuple[int, Answer]] = []
    while True:
        with following.get_lock():
            at = following.value
            following.value += 1
        if at >= len(items):
            return answers
        answers.append((at, work(items[at])))


def shared_out(items: Sequence[Item], work: Callable[[Item], Answer], jobs: int) -> list[Answer]:
    """Returns the answers of `work` for each item, in the order of the items; `jobs` processes share the work.

    Each process takes the next item when it is done with one, so that none waits while others have some left.
    """
    following = multiprocessing.get_context("fork").Value("q", 0)
    pipes = []
    for _ in range(max(1, min(jobs, len(items)))):
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(reader)
            _hand_back(partial(_worked, work, items, following), writer)
        os.close(writer)
        pipes.append(reader)
    answers: list[Any] = [None] * len(items)
    for reader in pipes:
        with os.fdopen(reader, "rb") as stream:
            share = pickle.load(stream)
        if isinstance(share, str):
            raise RuntimeError(share)
        for at, answer in share:
            answers[at] = answer
    for _ in pipes:
        os.wait()
    return answers


def _hand_back(work: Callable[[], Any], writer: int) -> None:
    try:
        answer = work()
    except BaseException:  # noqa: BLE001 - a fork must never go on as its parent
        answer = traceback.format_exc()
    try:
        with os.fdopen(writer, "wb") as stream:
            pickle.dump(answer, stream)
    finally:
        os._exit(0)


def _do(work: Callable[[Say], Any], writer: int) -> None:
    def say(text: str) -> None:
        os.write(writer, pickle.dumps(("said", text)))

    signal.alarm(_SECONDS)
    logging.getLogger().handlers = [_Surprises(say)]
    code = 1
    try:
        with os.fdopen(os.dup(writer), "wb") as stream:
            result = work(say)
            pickle.dump(("result", result), stream)
        code = 0
    except BaseException as error:  # noqa: BLE001 - a fork must never go on as its parent
        os.write(writer, pickle.dumps(("raised", _short(error))))
        code = 0
    finally:
        os._exit(code)


def _heard(reader: int) -> Ended:
    ended = Ended()
    with os.fdopen(reader, "rb") as stream:
        while True:
            try:
                kind, value = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                return ended
            if kind == "said":
                ended.said.append(value)
            else:
                setattr(ended, kind, value)


def _short(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-3:]
    places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(last))
    return f"{type(error).__name__}: {error} ({places})"


class _Surprises(logging.Handler):
    """Reports each error in the log that is not put into words for the person, as the program did not foresee it."""

    def __init__(self, say: Say) -> None:
        super().__init__(logging.ERROR)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, MnemoscopeError):
            self._say(f"log {record.getMessage()} {_short(error) if error else ''}".strip())


def until(seconds: float) -> Callable[[], bool]:
    """Returns whether that much time has passed since now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end

"""Makes system calls stop the process at a chosen place, or fail there, so that every place can be tried."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mnemoscope.store.files.calls import FileCalls


class SimulatedKill(BaseException):
    """The process ends here; no handler of the program under test may run."""


class CountedCalls(FileCalls):
    """Carries out and counts calls: opening for writing, writing, forcing, renaming, cutting and removing."""

    def __init__(self) -> None:
        self.names: list[str] = []

    @property
    def fsyncs(self) -> int:
        return self.names.count("fsync")

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        self.names.append(name)
        return work()

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if not flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            return super().open(path, flags, mode)
        return int(self._do("open", lambda: FileCalls.open(self, path, flags, mode)))

    def write(self, descriptor: int, data: bytes) -> int:
        half = data[: len(data) // 2]
        return int(
            self._do("write", lambda: FileCalls.write(self, descriptor, data), lambda: os.write(descriptor, half))
        )

    def fsync(self, descriptor: int) -> None:
        self._do("fsync", lambda: FileCalls.fsync(self, descriptor))

    def truncate(self, descriptor: int, size: int) -> None:
        self._do("truncate", lambda: FileCalls.truncate(self, descriptor, size))

    def replace(self, source: str, target: str) -> None:
        self._do("replace", lambda: FileCalls.replace(self, source, target))

    def exchange(self, one: str, other: str) -> bool:
        return bool(self._do("exchange", lambda: FileCalls.exchange(self, one, other)))

    def link(self, source: str, target: str) -> None:
        self._do("link", lambda: FileCalls.link(self, source, target))

    def unlink(self, path: str) -> None:
        self._do("unlink", lambda: FileCalls.unlink(self, path))

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self._do("mkdir", lambda: FileCalls.mkdir(self, path, mode))


class KillingCalls(CountedCalls):
    """Ends the process at call number `at`: `before` it, `after` it, or `half`-way through a write."""

    def __init__(self, at: int, when: str = "before", *, end: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._at = at
        self._when = when
        self._end = end
        self.killed = False

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        if self.killed:
            raise SimulatedKill
        self.names.append(name)
        if len(self.names) != self._at:
            return work()
        if self._when == "after":
            work()
        elif self._when == "half" and half is not None:
            half()
        self.killed = True
        if self._end is not None:
            self._end()
        raise SimulatedKill


class FailingOnce(CountedCalls):
    """Lets call number `at` fail with `error`; a write first takes half of its bytes, as on a disk that fills up."""

    def __init__(self, at: int, error: int = errno.ENOSPC) -> None:
        super().__init__()
        self._at = at
        self._error = error
        self._is_half_done = False

    def _do(self, name: str, work: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        self.names.append(name)
        if len(self.names) != self._at:
            return work()
        if half is not None and not self._is_half_done:
            self._is_half_done = True
            self._at += 1
            return half()
        raise OSError(self._error, os.strerror(self._error))


class FailingAt(FileCalls):
    """Refuses to open a file for writing, to rename to it or to remove it while `at` says so of its path: with ENOSPC,
    or with `error`, such as a SimulatedKill. All goes well until a test sets `at`, and again after `heal`."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.heal()
        self.error = error or OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def heal(self) -> None:
        """Has all go well from now on."""
        self.at: Callable[[Path], bool] = lambda _path: False

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            self._look(path)
        return super().open(path, flags, mode)

    def replace(self, source: str, target: str) -> None:
        self._look(target)
        super().replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        self._look(one, other)
        return super().exchange(one, other)

    def link(self, source: str, target: str) -> None:
        self._look(target)
        super().link(source, target)

    def unlink(self, path: str) -> None:
        self._look(path)
        super().unlink(path)

    def _look(self, *paths: str) -> None:
        if any(self.at(Path(path)) for path in paths):
            raise self.error


class Refusing(FileCalls):
    """Refuses every write to files of these names, as a disk that takes nothing does."""

    def __init__(self, *names: str) -> None:
        self.names: tuple[str, ...] = names

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if Path(path).name in self.names and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().open(path, flags, mode)

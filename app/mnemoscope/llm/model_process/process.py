"""The window's end of the model process starts it, writes to it, hears it and ends it. No call here waits for it.

Two threads own the pipes. What arrives is handed to the event loop that asked, whichever that is, so it works on
asyncio's loops and on Qt's alike.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import logging
import os
import queue
import subprocess
import sys
import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import mnemoscope
from mnemoscope.llm.failures import Failure

log = logging.getLogger(__name__)

LOCAL_MODEL: Final = "local"
"""The argument that makes a model process that of the embedding model of this computer."""
MODEL_COMMAND: Final = (sys.executable, "-P", "-X", "utf8", "-m", "mnemoscope.llm.model_process.host")
_PARTING_SECONDS: Final = 0.6
"""Seconds that the process may take to end by itself before it is killed."""

_PASSED_ON: Final = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH",
        "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "XDG_CACHE_HOME",
        "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
        "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
    }
)  # fmt: skip
_PASSED_ON_PREFIXES: Final = ("LC_", "AWS_", "GOOGLE_", "VERTEX", "AZURE_")
"""The last four sign in to clouds that have no single key."""
_THIS_COMPUTER: Final = "127.0.0.1,localhost,::1"

Heard = Mapping[str, Any]
_SILENT: Final[Heard] = {}
_LOOK_SECONDS: Final = 5.0
"""No timer is set for longer: Qt's loop keeps one that was cancelled until it would have been due."""


class Exchange:
    """Carries one request, and what is heard of it. It belongs to the event loop it was made on."""

    def __init__(self, number: int, send: Callable[[Mapping[str, Any]], None], leave: Callable[[int], None]) -> None:
        self.number = number
        self._send = send
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._heard: asyncio.Queue[Heard] = asyncio.Queue()
        self._is_over = False
        self._until = 0.0
        self._timer: asyncio.Handle | None = None

    async def hear(self, seconds: float) -> Heard:
        """Returns the next message. Raises TimeoutError if the process has been silent that long."""
        self._until = self._loop.time() + seconds
        self._schedule_check()
        # A silence that was noted while a message came in is none.
        while (heard := await self._heard.get()) is _SILENT:
            if self._loop.time() >= self._until:
                raise TimeoutError
        self._is_over = self._is_over or not heard.keys().isdisjoint(("done", "failed", "stopped"))
        return heard

    def close(self) -> None:
        """Stops the request if it is still running."""
        self._leave(self.number)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._is_over:
            self._is_over = True
            self._send({"id": self.number, "stop": True})

    def _schedule_check(self) -> None:
        """Sets one timer for all messages, since most requests bring hundreds."""
        if self._timer is None:
            left = max(0.0, self._until - self._loop.time())
            self._timer = self._loop.call_later(min(left, _LOOK_SECONDS), self._check_silence)

    def _check_silence(self) -> None:
        self._timer = None
        if self._loop.time() >= self._until:
            self._heard.put_nowait(_SILENT)
        else:
            self._schedule_check()

    def deliver(self, heard: Heard) -> None:
        """Hands a message over, from any thread."""
        with contextlib.suppress(RuntimeError):  # The loop that asked is closed: nobody waits any more.
            self._loop.call_soon_threadsafe(self._heard.put_nowait, heard)


class ModelProcess:
    """Starts the process when it is first needed, and again after it ended. Any thread's loop may ask."""

    def __init__(
        self, command: Sequence[str] = MODEL_COMMAND, *, on_ready: Callable[[float], None] | None = None
    ) -> None:
        self._command = tuple(command)
        self._on_ready = on_ready
        self._run: _Run | None = None
        self._numbers = itertools.count(1)

    @property
    def is_running(self) -> bool:
        """Returns whether a process is there, or just starting."""
        return self._run is not None and self._run.is_alive

    @property
    def is_ready(self) -> bool:
        """Returns whether the process has its imports done."""
        return self._run is not None and self._run.is_alive and self._run.is_ready

    @property
    def pid(self) -> int | None:
        """Returns the process's id once it has started."""
        return self._run.pid if self._run is not None else None

    def warm(self) -> None:
        """Starts the process, so that litellm is imported before it is needed. Returns at once."""
        if self._run is None or not self._run.is_alive:
            self._run = _Run(self._command, self._on_ready)

    def ask(self, request: Mapping[str, Any]) -> Exchange:
        """Sends a request off; it is called on the loop that will hear."""
        self.warm()
        assert self._run is not None
        return self._run.open(next(self._numbers), request)

    async def answer(self, request: Mapping[str, Any], silence_seconds: float) -> Heard:
        """Returns the `done` or `failed` of a request whose pieces nobody waits for; a process that is silent is
        ended."""
        exchange = self.ask(request)
        try:
            heard: Heard = {}
            while heard.keys().isdisjoint(("done", "failed")):
                heard = await exchange.hear(silence_seconds)
            return heard
        except TimeoutError:
            self.end_silent()
            return {"failed": Failure("silent").as_dict()}
        finally:
            exchange.close()

    def end_silent(self) -> None:
        """Kills a process that stopped responding; the next request starts another."""
        if self._run is not None:
            self._run.kill()

    async def aclose(self) -> None:
        """Ends the process, within a second."""
        run, self._run = self._run, None
        if run is not None:
            ended = asyncio.Event()
            loop = asyncio.get_running_loop()
            run.end(lambda: loop.call_soon_threadsafe(ended.set))
            await ended.wait()


class _Run:
    """Holds one life of the process. Its writing thread also starts and reaps it."""

    def __init__(self, command: Sequence[str], on_ready: Callable[[float], None] | None) -> None:
        self._command = command
        self._on_ready = on_ready
        self._outbox: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._exchanges: dict[int, Exchange] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ending = False
        self._when_ended: list[Callable[[], object]] = []
        self.is_alive = True
        self.is_ready = False
        self._writer = threading.Thread(target=self._own, name="model process", daemon=True)
        self._writer.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def open(self, number: int, request: Mapping[str, Any]) -> Exchange:
        exchange = Exchange(number, self._outbox.put, self._forget)
        with self._lock:
            is_alive = self.is_alive
            if is_alive:
                self._exchanges[number] = exchange
        if is_alive:
            self._outbox.put({"id": number, "ask": request})
        else:
            exchange.deliver(_ended())
        return exchange

    def end(self, when_ended: Callable[[], object]) -> None:
        self._is_ending = True
        with self._lock:
            self._when_ended.append(when_ended)
        self._outbox.put(None)
        if not self._writer.is_alive():
            when_ended()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _forget(self, number: int) -> None:
        with self._lock:
            self._exchanges.pop(number, None)

    def _own(self) -> None:
        try:
            process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=child_environment(), cwd=sys.prefix,
            )  # fmt: skip
        except OSError:
            log.exception("the model process cannot be started")
        else:
            self._process = process
            reader = threading.Thread(
                target=self._read_messages, args=(process,), name="model process output", daemon=True
            )
            reader.start()
            self._write_all(process)
            _reap(process, quickly=self._is_ending)
            reader.join()
        self._finish()

    def _write_all(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # It ended; the reader has noticed.
            while (message := self._outbox.get()) is not None:
                process.stdin.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
                process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()

    def _read_messages(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                try:
                    heard = json.loads(line)
                except ValueError:
                    log.warning("the model process said something that is not JSON")
                    continue
                self._dispatch(heard)
        self._mark_ended()
        self._outbox.put(None)

    def _dispatch(self, heard: Heard) -> None:
        if "ready" in heard:
            self.is_ready = True
            log.info("the model process is ready after %.2f s", heard["ready"])
            if self._on_ready is not None:
                self._on_ready(heard["ready"])
            return
        with self._lock:
            exchange = self._exchanges.get(heard["id"])
        if exchange is not None:
            exchange.deliver(heard)

    def _mark_ended(self) -> None:
        with self._lock:
            self.is_alive = False
            waiting = list(self._exchanges.values())
            self._exchanges.clear()
        for exchange in waiting:
            exchange.deliver(_ended())

    def _finish(self) -> None:
        self._mark_ended()
        if self._process is not None and not self._is_ending:
            log.warning("the model process ended with code %s", self._process.returncode)
        with self._lock:
            waiting, self._when_ended = self._when_ended, []
        for notify in waiting:
            with contextlib.suppress(RuntimeError):
                notify()


def _ended() -> Heard:
    return {"failed": Failure("ended").as_dict()}


def _reap(process: subprocess.Popen[bytes], *, quickly: bool) -> None:
    try:
        process.wait(_PARTING_SECONDS if quickly else 5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def child_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns the environment reduced to what is needed; a proxy never stands between this computer and itself."""
    kept = {
        name: value
        for name, value in environment.items()
        if (name.upper() in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)) and not name.endswith("_API_KEY")
    }
    for name in ("NO_PROXY", "no_proxy"):
        kept[name] = ",".join(part for part in (kept.get(name, ""), _THIS_COMPUTER) if part)
    kept["PYTHONPATH"] = str(Path(mnemoscope.__file__).resolve().parents[1])
    kept["PYTHONDONTWRITEBYTECODE"] = environment.get("PYTHONDONTWRITEBYTECODE", "")
    return kept


def unpacked_vector(text: str) -> array[float]:
    """Returns the numbers that `embedding.packed` made a text of."""
    numbers = array("f", base64.b64decode(text))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers

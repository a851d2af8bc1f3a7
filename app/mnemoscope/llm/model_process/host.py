"""The model process: litellm lives here, out of the window. `python -m mnemoscope.llm.model_process.host`

With the argument `local` it is the process of the embedding model of this computer, and litellm is not imported.

It speaks JSON, one object a line. In: `{"id", "ask": {…}}` (with `embed`, it asks what texts mean, with `traits`, what
is known of a model, with `inquire`, what a server says of its models), `{"id", "stop": true}`. Out: `{"ready":
seconds}` once it can answer, then for each id any of `{"text"}`, `{"reasoning"}`, `{"call"}` (a piece of a call's
arguments), `{"waiting", "reason"}`, `{"alive"}`, and last one of `{"done": {…}}`, `{"failed": {…}}`, `{"stopped"}`.
The key comes with each request and is kept nowhere. The process ends when its input does.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, BinaryIO, Final

from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.completion import Completion, model_traits
from mnemoscope.llm.model_process.embedding import Embedding, LocalEmbedding
from mnemoscope.llm.model_process.inquiry import Inquiry
from mnemoscope.llm.model_process.last_response import note_answer
from mnemoscope.llm.model_process.model_request import Emit, ModelRequest, RequestFailed
from mnemoscope.llm.model_process.process import LOCAL_MODEL

_FLUSH_SECONDS: Final = 0.016
"""Pieces that arrive within this time travel together: a window draws no faster."""
_ALIVE_SECONDS: Final = 5.0
_PARTING_SECONDS: Final = 0.25
_NICENESS: Final = 5
"""Of work that nobody waits for: the window's own goes first."""

_ENVIRONMENT: Final[Mapping[str, str]] = {
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOG": "CRITICAL",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
}

Answerer = Callable[[ModelRequest, Emit], Awaitable[dict[str, Any]]]
"""Answers one request with its `done`. Raises RequestFailed."""


class _Outlet:
    """Writes lines, on the event loop's thread only; pieces of one request are gathered for a moment."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._gathered: dict[tuple[int, str], list[str]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._flushed = 0.0

    def send(self, message: Mapping[str, Any]) -> None:
        self.flush()
        self._write([message])

    def gather(self, request: int, kind: str, piece: str) -> None:
        self._gathered.setdefault((request, kind), []).append(piece)
        loop = asyncio.get_running_loop()
        if loop.time() - self._flushed >= _FLUSH_SECONDS:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(_FLUSH_SECONDS, self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._gathered:
            self._write([{"id": request, kind: "".join(pieces)} for (request, kind), pieces in self._gathered.items()])
            self._gathered.clear()
            self._flushed = asyncio.get_running_loop().time()

    def _write(self, messages: list[Mapping[str, Any]]) -> None:
        lines = [json.dumps(message, ensure_ascii=False) + "\n" for message in messages]
        try:
            self._pipe.write("".join(lines).encode("utf-8", "replace"))
            self._pipe.flush()
        except OSError:
            os._exit(0)  # The window is gone.


def _load_litellm() -> Any:
    for name in [name for name in os.environ if name.startswith("LITELLM_")]:
        del os.environ[name]
    os.environ.update(_ENVIRONMENT)
    # Nearly all that is made meanwhile stays, and to look through it takes a fifth of the time.
    gc.disable()
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = True
    litellm.turn_off_message_logging = True
    # For embeddings it takes our 0 for none given, and waits as long as a server asks.
    litellm.DEFAULT_MAX_RETRIES = 0
    gc.collect()
    gc.freeze()
    gc.enable()
    return litellm


class RedirectRefused(Exception):
    """A server asked for the request to be sent on to another address; nothing was."""


def watch_answers() -> None:
    """Has no client of httpx follow a redirect: words go to the address that was agreed to, or nowhere. How an answer
    begins is noted.

    Every library that sends words from here stands on httpx, and each of them asks its clients to follow redirects.
    """
    import httpx

    one, many = httpx.Client.send, httpx.AsyncClient.send

    def send(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        response = one(client, request, **{**options, "follow_redirects": False})
        if response.has_redirect_location:
            response.close()
            raise RedirectRefused(response.headers["location"])
        return response

    async def send_async(client: httpx.AsyncClient, request: httpx.Request, **options: Any) -> httpx.Response:
        response = await many(client, request, **{**options, "follow_redirects": False})
        if response.has_redirect_location:
            await response.aclose()
            raise RedirectRefused(response.headers["location"])
        note_answer(response)
        return response

    for kind, sends in ((httpx.Client, send), (httpx.AsyncClient, send_async)):
        setattr(kind, "send", sends)  # noqa: B010 - a method of the class, for all of its clients


def send_bodies_as_given() -> None:
    """Has a chat request leave as it was given.

    Before each request the library of OpenAI walks through all messages and tools to give their fields other names.
    No field of a chat request has another name, and a conversation of some forty messages took 8 ms of it.
    """
    from openai import NotGiven, Omit
    from openai.resources.chat.completions import completions

    async def as_given(body: Mapping[str, Any], expected_type: object) -> dict[str, Any]:
        return {name: value for name, value in body.items() if not isinstance(value, NotGiven | Omit)}

    if hasattr(completions, "async_maybe_transform"):
        setattr(completions, "async_maybe_transform", as_given)  # noqa: B010 - a name that the module imported


def give_way(*, wanted: bool) -> None:
    """Lets others go first that wake up meanwhile, or takes turns with them again. Without effect off Linux.

    A niceness could not be taken back, and a model server on this computer, which keeps all cores busy, would then come
    before each word of its answer.
    """
    if sys.platform == "linux":
        policy = os.SCHED_BATCH if wanted else os.SCHED_OTHER
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, policy, os.sched_param(0))


def _by_litellm() -> Answerer:
    give_way(wanted=True)
    litellm = _load_litellm()
    watch_answers()
    send_bodies_as_given()
    rehearsal = asyncio.get_running_loop().create_task(rehearse(litellm), name="rehearsal")
    rehearsal.add_done_callback(lambda _: give_way(wanted=False))

    def answer(ask: ModelRequest, emit: Emit) -> Awaitable[dict[str, Any]]:
        if "traits" in ask:
            return model_traits(litellm, ask)
        if "inquire" in ask:
            return Inquiry(ask).run()
        kind = Embedding if "embed" in ask else Completion
        return kind(litellm, ask, emit).run()

    return answer


_REHEARSED: Final = (
    'data: {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "rehearsal", "choices": '
    '[{"index": 0, "delta": {"role": "assistant", "content": "Ready"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
)
_REHEARSAL_SECONDS: Final = 20.0


async def rehearse(litellm: Any) -> None:
    """Asks once a server of this process's own, on loopback: litellm imports some five hundred modules with its first
    request, for which the person's first message need not wait."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            writer.write((head + _REHEARSED).encode("ascii"))
            await writer.drain()
        writer.close()

    with contextlib.suppress(OSError, RequestFailed, TimeoutError):
        async with asyncio.timeout(_REHEARSAL_SECONDS), await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            waits = {"first_seconds": 60.0, "idle_seconds": 60.0, "connect_seconds": 10.0, "longest_wait": 0.0}
            ask = {"model": "openai/rehearsal", "messages": [{"role": "user", "content": "Ready?"}], "max_tokens": 16}
            ask |= {"temperature": 0, "tries": 1, "api_base": f"http://127.0.0.1:{port}/v1", "api_key": "none", **waits}
            await Completion(litellm, ask, lambda part: None).run()


def _by_local_model() -> Answerer:
    return LocalEmbedding().answer


async def _serve_requests(incoming: BinaryIO, outgoing: BinaryIO, load: Callable[[], Answerer] = _by_litellm) -> None:
    """Answers requests until `incoming` ends; `load` gives what answers them."""
    inbox: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
    reader = threading.Thread(
        target=_read_lines, args=(incoming, inbox, asyncio.get_running_loop()), name="requests", daemon=True
    )
    reader.start()
    outlet = _Outlet(outgoing)
    began = time.perf_counter()
    answer = load()
    outlet.send({"ready": time.perf_counter() - began})
    tasks: dict[int, asyncio.Task[None]] = {}
    while (message := await inbox.get()) is not None:
        request = message["id"]
        if "ask" in message:
            tasks[request] = asyncio.create_task(_answer(answer, request, message["ask"], outlet))
            tasks[request].add_done_callback(partial(_drop, tasks, request))
        elif request in tasks:
            tasks[request].cancel()
    for task in list(tasks.values()):
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)


def _drop(tasks: dict[int, asyncio.Task[None]], request: int, _: asyncio.Task[None]) -> None:
    tasks.pop(request, None)


def _read_lines(
    incoming: BinaryIO, inbox: asyncio.Queue[dict[str, Any] | None], loop: asyncio.AbstractEventLoop
) -> None:
    for line in incoming:
        loop.call_soon_threadsafe(inbox.put_nowait, json.loads(line))
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(inbox.put_nowait, None)
    # Also in the middle of an import, or where a provider's adapter does not let itself be cancelled.
    time.sleep(_PARTING_SECONDS)
    os._exit(0)


async def _answer(answer: Answerer, request: int, ask: ModelRequest, outlet: _Outlet) -> None:
    def emit(part: Mapping[str, Any]) -> None:
        if "waiting" in part:
            outlet.send({"id": request, **part})
            return
        for kind, value in part.items():
            outlet.gather(request, kind, value)

    alive = asyncio.create_task(_stay_alive(request, outlet))
    try:
        outlet.send({"id": request, "done": await answer(ask, emit)})
    except RequestFailed as failed:
        outlet.send({"id": request, "failed": failed.failure.as_dict()})
    except asyncio.CancelledError:
        outlet.send({"id": request, "stopped": True})
    except Exception as error:  # noqa: BLE001 - the window waits for an answer, whatever went wrong here
        outlet.send({"id": request, "failed": Failure("other", detail=type(error).__name__).as_dict()})
    finally:
        alive.cancel()


async def _stay_alive(request: int, outlet: _Outlet) -> None:
    while True:
        await asyncio.sleep(_ALIVE_SECONDS)
        outlet.send({"id": request, "alive": True})


def main() -> None:
    """Takes standard input and output for the protocol, so that nothing else can write between its lines."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for the life of the process
    is_local = sys.argv[1:] == [LOCAL_MODEL]
    if is_local and hasattr(os, "nice"):
        os.nice(_NICENESS)
    asyncio.run(_serve_requests(incoming, outgoing, _by_local_model if is_local else _by_litellm))
    os._exit(0)


if __name__ == "__main__":
    main()

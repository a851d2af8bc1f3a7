"""An OpenAI-compatible server on loopback that does what a test tells it: answer, refuse, stall, cut.

    with LoopbackServer() as server:
        server.will(Refuse(429, retry_after=0), Answer("Hello"))
        ... ask model `openai/scripted` at server.base_url with any key ...
        assert server.asked[0].body["stream"] is True

Behaviours are taken in order, one a request; then `server.otherwise` is done. `python -m tests.support.loopback_server`
serves in a process of its own (for benches), printing its port.
"""

from __future__ import annotations

import json
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

USAGE: Mapping[str, int] = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}


@dataclass(frozen=True)
class Call:
    """Describes a tool call; streamed in pieces of `piece` characters of its arguments."""

    name: str
    arguments: str
    id: str = "call_1"
    piece: int = 7


@dataclass(frozen=True)
class Answer:
    """Describes an answer, streamed word by word or in `pieces`, `rate` pieces a second (0: at once)."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    pieces: tuple[str, ...] = ()
    usage: Mapping[str, int] | None = field(default_factory=lambda: USAGE)
    finish_reason: str = ""
    rate: float = 0


@dataclass(frozen=True)
class Refuse:
    """Describes an error status with a body in OpenAI's shape."""

    status: int
    message: str = "refused by the script"
    code: str | None = None
    retry_after: str | float | None = None


@dataclass(frozen=True)
class Stall:
    """Sends these pieces, then nothing until the client leaves. Without headers: not even a status."""

    pieces: tuple[str, ...] = ()
    headers: bool = True


@dataclass(frozen=True)
class Cut:
    """Sends these pieces, then closes the connection. `cleanly` ends the body as if that had been all."""

    pieces: tuple[str, ...] = ("Half of ", "an answer")
    cleanly: bool = False


@dataclass(frozen=True)
class Meanings:
    """Gives a vector for each text of a request to `/embeddings`, `of` one text; in the reverse order, as may be."""

    of: Callable[[str], Sequence[float]] = lambda text: (float(len(text)), 1.0)


@dataclass(frozen=True)
class Redirect:
    """Asks for the request to be sent on to another address."""

    location: str
    status: int = 307


@dataclass(frozen=True)
class Body:
    """Sends this body, whatever was asked for: a web page, a JSON of another form, nothing."""

    text: str = ""
    content_type: str = "application/json"
    status: int = 200


Behaviour = Answer | Body | Redirect | Refuse | Stall | Cut | Meanings


@dataclass(frozen=True)
class Asked:
    """Describes a request that arrived."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class LoopbackServer:
    """Serves from a thread of its own until closed; everything it started has ended then."""

    def __init__(
        self,
        *behaviours: Behaviour,
        otherwise: Behaviour | Callable[[Mapping[str, Any]], Behaviour] | None = None,
        models: Sequence[str] = ("scripted",),
    ) -> None:
        self.otherwise: Behaviour | Callable[[Mapping[str, Any]], Behaviour] = otherwise or Answer(
            "Hello from loopback."
        )
        self.asked: list[Asked] = []
        self.visits = 0
        """Requests of any kind that arrived."""
        self.listed: list[Mapping[str, str]] = []
        """The headers of each request for the list of models."""
        self._list: Redirect | None = None
        self.models = tuple(models)
        self.left = threading.Event()
        """Set when a client closed its connection before its answer was whole."""
        self.closing = threading.Event()
        self._script: deque[Behaviour] = deque(behaviours)
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = _QuietServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="loopback server")

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def will(self, *behaviours: Behaviour) -> None:
        """Forgets what happened and what was planned; does these next."""
        self._script = deque(behaviours)
        self.asked.clear()
        self.listed.clear()
        self._list = None
        self.visits = 0
        self.left.clear()

    def lists(self, instead: Redirect) -> None:
        """Does this where the models are asked for, in the place of listing them."""
        self._list = instead

    @property
    def list_instead(self) -> Redirect | None:
        return self._list

    def next_behaviour(self, body: Mapping[str, Any]) -> Behaviour:
        if self._script:
            return self._script.popleft()
        return self.otherwise(body) if callable(self.otherwise) else self.otherwise

    def start(self) -> Self:
        self._thread.start()
        return self

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    owner: LoopbackServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing."""

    def do_GET(self) -> None:
        self.owner.visits += 1
        if self.path.rstrip("/").endswith("/models") and "/api/" not in self.path:
            self.owner.listed.append({name.lower(): value for name, value in self.headers.items()})
            if (instead := self.owner.list_instead) is not None:
                self._send(instead.status, {}, {"Location": instead.location})
                return
            self._send(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.owner.models]})
        else:
            self._send(404, {"error": {"message": f"nothing at {self.path}"}})

    def do_POST(self) -> None:
        self.owner.visits += 1
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.owner.asked.append(Asked(self.path, dict(self.headers), body))
        behaviour = self.owner.next_behaviour(body)
        try:
            self._behave(behaviour, body)
        except ConnectionError:
            self.owner.left.set()
        self.close_connection = True

    def _behave(self, behaviour: Behaviour, body: Mapping[str, Any]) -> None:
        match behaviour:
            case Refuse():
                error = {"message": behaviour.message, "type": "scripted", "code": behaviour.code, "param": None}
                extra = {} if behaviour.retry_after is None else {"Retry-After": str(behaviour.retry_after)}
                self._send(behaviour.status, {"error": error}, extra)
            case Body() | Redirect():
                self._send_what_no_model_says(behaviour)
            case Stall(headers=False):
                self._wait_until_left()
            case Stall() | Cut():
                self._begin_stream(chunked=not (isinstance(behaviour, Cut) and behaviour.cleanly))
                for piece in behaviour.pieces:
                    self._chunk(_delta({"content": piece}))
                if isinstance(behaviour, Stall):
                    self._wait_until_left()
            case Answer() if body.get("stream"):
                self._stream(behaviour, body)
            case Answer():
                self._send(200, _whole(behaviour))
            case Meanings():
                self._send(200, _embedded(behaviour, body))

    def _send_what_no_model_says(self, behaviour: Body | Redirect) -> None:
        if isinstance(behaviour, Body):
            self._send_bytes(behaviour.status, behaviour.text.encode(), {"Content-Type": behaviour.content_type})
        else:
            self._send(behaviour.status, {}, {"Location": behaviour.location})

    def _send(self, status: int, body: Mapping[str, Any], extra: Mapping[str, str] | None = None) -> None:
        data = json.dumps(body, ensure_ascii=False).encode()
        self._send_bytes(status, data, {"Content-Type": "application/json", **(extra or {})})

    def _send_bytes(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Connection": "close", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True

    def _begin_stream(self, *, chunked: bool = True) -> None:
        self._chunked = chunked
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, data: Mapping[str, Any] | str) -> None:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        raw = f"data: {text}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw) if self._chunked else raw)
        self.wfile.flush()

    def _stream(self, answer: Answer, body: Mapping[str, Any]) -> None:
        self._begin_stream()
        began = time.perf_counter()
        for count, delta in enumerate(_deltas(answer), 1):
            self._chunk(_delta(delta))
            late = began + count / answer.rate - time.perf_counter() if answer.rate else 0
            if late > 0.001 and self.owner.closing.wait(late):
                return
        self._chunk(_delta({}, _reason(answer)))
        if answer.usage is not None and (body.get("stream_options") or {}).get("include_usage"):
            self._chunk({**_delta({}), "choices": [], "usage": dict(answer.usage)})
        self._chunk("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def _wait_until_left(self) -> None:
        while not self.owner.closing.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            if readable and not self.connection.recv(1):
                self.owner.left.set()
                return


def _deltas(answer: Answer) -> Iterator[Mapping[str, Any]]:
    yield {"role": "assistant", "content": ""}
    if answer.reasoning:
        yield {"reasoning_content": answer.reasoning}
    for piece in answer.pieces or _words(answer.text):
        yield {"content": piece}
    for index, call in enumerate(answer.calls):
        head = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        yield {"tool_calls": [head]}
    for index, call in enumerate(answer.calls):
        for start in range(0, len(call.arguments), call.piece):
            part = call.arguments[start : start + call.piece]
            yield {"tool_calls": [{"index": index, "function": {"arguments": part}}]}


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + words[-1:] if text else []


def _reason(answer: Answer) -> str:
    return answer.finish_reason or ("tool_calls" if answer.calls else "stop")


def _delta(delta: Mapping[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish_reason}],
    }


def _whole(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or "".join(answer.pieces) or None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.calls
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": _reason(answer)}],
        "usage": dict(answer.usage or {}),
    }


def _embedded(behaviour: Meanings, body: Mapping[str, Any]) -> dict[str, Any]:
    vectors = [
        {"object": "embedding", "index": number, "embedding": list(behaviour.of(text))}
        for number, text in enumerate(body["input"])
    ]
    return {"object": "list", "data": vectors[::-1], "model": "scripted", "usage": dict(USAGE)}


def _by_model(body: Mapping[str, Any]) -> Behaviour:
    """Returns the answer that the name of the model asks for: `rate-2000-10000` 10,000 tokens at 2,000 a second;
    `clock` when the request came; any other name one sentence."""
    match str(body.get("model", "")).split("-"):
        case ["clock"]:
            return Answer(f"{time.monotonic():.6f} seconds")
        case ["rate", rate, count]:
            return Answer(pieces=tuple(f"word{number} " for number in range(int(count))), rate=float(rate))
        case _:
            return Answer("Hello from loopback.")


def main() -> None:
    """Serves until standard input ends."""
    server = LoopbackServer()
    server.otherwise = _by_model
    with server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()

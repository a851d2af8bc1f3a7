"""What a model server is asked before it is set, and what is taken of its answer. The servers are real ones, on
loopback, each answering by path."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from mnemoscope.llm.model_process.inquiry import SECONDS, Inquiry
from mnemoscope.llm.model_process.model_request import RequestFailed
from mnemoscope.llm.model_process.served_models import context_in, models_in
from tests.support.movable_clock import run_with_clock

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "corpus" / "server_lists.json").read_text("utf-8")
)["cases"]


@dataclass(frozen=True)
class Told:
    """One answer of a server."""

    body: bytes = b"{}"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    endless: bool = False
    """The body is sent again and again until the client leaves."""


def as_json(document: object, **more: Any) -> Told:
    return Told(json.dumps(document).encode(), **more)


@dataclass
class Server:
    """What a server was asked, and where it is."""

    address: str
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path, and the Authorization header."""

    def paths(self) -> list[str]:
        return [path for _, path, _ in self.asked]


@contextmanager
def serving(answers: Mapping[str, Told]) -> Iterator[Server]:
    """Serves these answers by path; anything else is not found."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_GET(self) -> None:
            server.asked.append((self.command, self.path, self.headers.get("Authorization") or ""))
            answer = answers.get(self.path, Told(b"not found", 404))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if not answer.endless:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            try:
                self.wfile.write(answer.body)
                while answer.endless:
                    self.wfile.write(answer.body)
            except ConnectionError:
                pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.do_GET()

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{http.server_address[1]}")
    thread = threading.Thread(target=http.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


async def models_of(server: Server, path: str = "/v1", **more: Any) -> Any:
    ask = {"inquire": "models", "address": server.address + path, **more}
    return (await Inquiry(ask).run())["models"]


async def context_of(server: Server, model: str) -> tuple[int, int]:
    found = await Inquiry({"inquire": "context", "address": server.address + "/v1", "model": model}).run()
    return found["context"], found["most"]


def names(models: list[dict[str, Any]]) -> list[str]:
    return [cast(str, model["name"]) for model in models]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
async def test_of_a_list_is_taken_what_can_be_shown_and_of_anything_else_a_sentence_is_made(
    case: dict[str, Any],
) -> None:
    body = json.dumps(case["body"]).encode() if "body" in case else case["text"].encode("utf-8", "surrogateescape")
    with serving({"/v1/models": Told(body * case.get("repeat", 1))}) as server:
        if case["names"] is None:
            with pytest.raises(RequestFailed) as caught:
                await models_of(server)
            assert caught.value.failure.kind == "no_list"
        else:
            assert names(await models_of(server)) == case["names"]


async def test_names_end_at_500() -> None:
    many = {"data": [{"id": f"model-{number}"} for number in range(3_000)]}
    with serving({"/v1/models": as_json(many)}) as server:
        assert len(await models_of(server)) == 500


async def test_a_name_longer_than_a_line_is_left_out() -> None:
    assert names(models_in({"data": [{"id": "x" * 201}, {"id": "y" * 200}]})) == ["y" * 200]


async def test_a_server_that_serves_nothing_is_no_error() -> None:
    with serving({"/v1/models": as_json({"data": []})}) as server:
        assert await models_of(server) == []


async def test_a_server_without_a_list_of_that_form_is_asked_for_ollama_s() -> None:
    with serving({"/api/tags": as_json({"models": [{"name": "qwen3:8b"}]})}) as server:
        assert names(await models_of(server)) == ["qwen3:8b"]
        assert server.paths() == ["/v1/models", "/api/tags"]


@pytest.mark.may_leave("tasks")  # httpx leaves it to the collector to close a body that was not read whole
async def test_a_body_is_read_up_to_two_megabytes() -> None:
    with serving({"/v1/models": Told(b" " * 65_536, endless=True)}) as server:
        with pytest.raises(RequestFailed) as caught:
            await models_of(server)
        assert caught.value.failure.kind == "too_much"


async def test_an_answer_that_could_unfold_is_not_taken() -> None:
    packed = gzip.compress(json.dumps({"data": [{"id": "small"}]}).encode())
    with serving({"/v1/models": Told(packed, headers={"Content-Encoding": "gzip"})}) as server:
        with pytest.raises(RequestFailed) as caught:
            await models_of(server)
        assert caught.value.failure.kind == "no_list"


def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    async def ask(put_forward: Callable[[float], None]) -> None:
        held = asyncio.Event()

        async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            put_forward(SECONDS)
            await held.wait()
            writer.close()

        listening = await asyncio.start_server(wait, "127.0.0.1", 0)
        async with listening:
            port = listening.sockets[0].getsockname()[1]
            with pytest.raises(RequestFailed) as caught:
                await Inquiry({"inquire": "models", "address": f"http://127.0.0.1:{port}/v1"}).run()
            held.set()
        assert caught.value.failure.kind == "timeout"

    run_with_clock(ask)


async def test_nobody_at_the_address_is_a_failure_and_no_crash() -> None:
    with pytest.raises(RequestFailed) as caught:
        await Inquiry({"inquire": "models", "address": "http://127.0.0.1:9/v1"}).run()
    assert caught.value.failure.kind == "server"


async def test_a_key_goes_with_each_request_and_one_that_is_refused_is_said() -> None:
    with serving({"/v1/models": as_json({}, status=401), "/api/tags": as_json({"models": [{"name": "x"}]})}) as server:
        with pytest.raises(RequestFailed) as caught:
            await models_of(server, api_key="sk-mine")
        assert caught.value.failure.kind == "key"
        assert server.asked == [("GET", "/v1/models", "Bearer sk-mine")]


async def test_a_proxy_without_a_database_refuses_a_key_in_its_own_words() -> None:
    said = {"error": {"message": "No connected db.", "type": "no_db_connection", "code": "400"}}
    with serving({"/v1/models": as_json(said, status=400)}) as server:
        for ask in (models_of(server, api_key="sk-x"), context_of(server, "m")):
            with pytest.raises(RequestFailed) as caught:
                await ask
            assert caught.value.failure.kind == "key"
        assert server.paths() == ["/v1/models", "/v1/models"]


LLAMA_CPP = {
    "/v1/models": as_json({"data": [{"id": "m", "meta": {"n_ctx_train": 32_768}}]}),
    "/props": as_json({"default_generation_settings": {"n_ctx": 4_096}}),
}
OLLAMA = {
    "/v1/models": as_json({"data": [{"id": "m:latest"}]}),
    "/api/ps": as_json({"models": []}),
    "/api/show": as_json({"model_info": {"llama.context_length": 131_072}, "parameters": "stop x\nnum_ctx   8192"}),
}
SERVERS: dict[str, tuple[Mapping[str, Told], tuple[int, int]]] = {
    "llama.cpp": (LLAMA_CPP, (4_096, 4_096)),
    "Ollama with num_ctx": (OLLAMA, (8_192, 131_072)),
    "Ollama without": (
        {**OLLAMA, "/api/show": as_json({"model_info": {"llama.context_length": 131_072}})},
        (0, 131_072),
    ),
    "Ollama, running": (
        {**OLLAMA, "/api/ps": as_json({"models": [{"name": "m:latest", "context_length": 4_096}]})},
        (4_096, 4_096),
    ),
    "LM Studio": (
        {
            "/v1/models": as_json({"data": [{"id": "m"}]}),
            "/api/v0/models": as_json(
                {"data": [{"id": "other"}, {"id": "m", "loaded_context_length": 4_096, "max_context_length": 32_768}]}
            ),
        },
        (4_096, 32_768),
    ),
    "vLLM": ({"/v1/models": as_json({"data": [{"id": "m", "max_model_len": 16_384}]})}, (16_384, 16_384)),
    "litellm's proxy": (
        {
            "/v1/models": as_json({"data": [{"id": "m"}]}),
            "/model/info": as_json({"data": [{"model_name": "m", "model_info": {"max_input_tokens": 200_000}}]}),
        },
        (200_000, 200_000),
    ),
    "one that does not say": ({"/v1/models": as_json({"data": [{"id": "m"}]})}, (0, 0)),
    "one that lies": (
        {
            "/v1/models": as_json({"data": [{"id": "m", "max_model_len": -5}]}),
            "/props": as_json({"default_generation_settings": {"n_ctx": 10**12}}),
            "/api/show": as_json({"model_info": [], "parameters": f"num_ctx {'9' * 5_000}"}),
        },
        (0, 0),
    ),
}


@pytest.mark.parametrize("name", SERVERS)
async def test_the_context_is_what_the_server_gives_the_model(name: str) -> None:
    answers, wanted = SERVERS[name]
    with serving(answers) as server:
        found = await context_of(server, "m")
    assert (found[0], max(found)) == (wanted[0], max(wanted))


async def test_where_nobody_is_there_is_no_context() -> None:
    with pytest.raises(RequestFailed):
        await Inquiry({"inquire": "context", "address": "http://127.0.0.1:9/v1", "model": "m"}).run()


async def test_a_server_that_refuses_the_key_is_not_asked_further() -> None:
    with serving({"/v1/models": as_json({}, status=403)}) as server:
        with pytest.raises(RequestFailed) as caught:
            await context_of(server, "m")
        assert caught.value.failure.kind == "key"
        assert server.paths() == ["/v1/models"]


@pytest.mark.parametrize("read", [models_in, lambda document: context_in(document, "m")])
def test_no_document_is_too_strange_to_be_read(read: Callable[[Any], object]) -> None:
    strange: list[Any] = [None, 1, "x", [], {}, {"data": {}}, {"models": [None, [], {"name": {}}]}]
    strange += [{"data": [{"id": "m", "meta": 3}]}, {"default_generation_settings": []}]
    for document in [*strange, {"parameters": 3, "model_info": {1: 2}}]:
        read(document)

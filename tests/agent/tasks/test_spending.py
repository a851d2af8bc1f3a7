"""What models cost is counted by day and purpose; the daily limit stops what goes by itself; the chat goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.tasks.spending import MeteredEmbedder, MeteredProvider, Purpose, Spending, metered
from mnemoscope.domain.events import ConsolidationFailed, EventBus, Noticed, SpendingChanged
from mnemoscope.domain.llm import ChatRequest, EmbeddedTexts, LLMResponse, Vector
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.search.embedded_texts import BATCH
from mnemoscope.store.workspace.spending_file import SpendingFile, Spent
from mnemoscope.store.workspace.workspace import create_workspace, open_workspace
from tests.agent.consolidation.test_background_consolidation import bench_with, settle, talk
from tests.support.agent_bench import KEY, Bench, make_workbench
from tests.support.dream_bench import DreamBench
from tests.support.scripted_memory import ScriptedMemory
from tests.support.scripted_provider import ScriptedProvider, says

DEAR = replace(says("Yes."), cost=0.02)
HELLO = ChatRequest([{"role": "user", "content": "Hello"}])


class Counted:
    """The spending of a folder, on a day that can be changed."""

    def __init__(self, folder: Path, *, limit: float = 0.0, read_only: bool = False) -> None:
        self.now = datetime(2026, 11, 23, 23, 50)
        self.file = SpendingFile(folder / "spending.json")
        self.bus = EventBus()
        self.heard: list[object] = []
        self.bus.subscribe(self.heard.append)
        settings = Settings(spending_limit=limit)
        self.spending = Spending(
            self.file, lambda: settings, InlineDisk(), self.bus, lambda: self.now, read_only=read_only
        )


async def test_answers_with_a_price_are_counted_by_purpose_and_found_again(tmp_path: Path) -> None:
    counted = Counted(tmp_path)
    chat, beside = (MeteredProvider(ScriptedProvider(last=DEAR), counted.spending, each) for each in Purpose)
    await chat.complete(HELLO)
    assert [part async for part in beside.stream(HELLO)][-1] == DEAR
    await beside.complete(HELLO)
    assert counted.spending.today().tokens == 45
    assert counted.spending.today(Purpose.BACKGROUND) == Spent(30, 0.04)
    assert any(isinstance(each, SpendingChanged) for each in counted.heard)
    again = Counted(tmp_path)
    await again.spending.load()
    assert again.spending.today() == Spent(45, 0.06)


async def test_answers_without_a_price_leave_no_trace(tmp_path: Path) -> None:
    counted = Counted(tmp_path)
    provider = MeteredProvider(ScriptedProvider(last=says("Yes.")), counted.spending, Purpose.CHAT)
    await provider.complete(HELLO)
    assert counted.spending.today() == Spent()
    assert not (tmp_path / "spending.json").exists()


async def test_a_server_that_gives_no_total_is_counted_by_its_parts(tmp_path: Path) -> None:
    counted = Counted(tmp_path)
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    await counted.spending.add(Purpose.CHAT, LLMResponse("Yes.", usage=usage, cost=0.5))
    assert counted.spending.today() == Spent(7, 0.5)


async def test_the_limit_is_one_of_the_day(tmp_path: Path) -> None:
    counted = Counted(tmp_path, limit=0.03)
    await counted.spending.add(Purpose.CHAT, DEAR)
    assert counted.spending.reached == ""
    await counted.spending.add(Purpose.BACKGROUND, DEAR)
    assert "The daily limit of US$0.03 is reached" in counted.spending.reached
    counted.now += timedelta(minutes=20)
    assert counted.spending.reached == ""
    assert counted.spending.today() == Spent()


class PaidEmbedder:
    """Answers as a remote model does, with what it took; `cost` is None where no price is known."""

    def __init__(self, cost: float | None) -> None:
        self.cost = cost
        self.asked: list[Sequence[str]] = []
        self.changed = asyncio.Event()

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        self.asked.append(texts)
        self.changed.set()
        return EmbeddedTexts([(1.0, 0.5)] * len(texts), tokens=40, cost=self.cost)


async def test_what_is_embedded_counts_and_a_price_that_is_not_known_is_said_to_be(tmp_path: Path) -> None:
    counted = Counted(tmp_path, limit=0.03)
    paid = MeteredEmbedder(PaidEmbedder(0.02), counted.spending)
    assert await paid.embed(["a", "b"], "openai/paid") == [(1.0, 0.5), (1.0, 0.5)]
    await paid.embed(["where?"], "openai/paid", is_question=True)
    assert counted.spending.today(Purpose.BACKGROUND) == Spent(40, 0.02)
    assert counted.spending.today(Purpose.CHAT) == Spent(40, 0.02)
    assert counted.spending.reached != ""
    await MeteredEmbedder(PaidEmbedder(None), counted.spending).embed(["a"], "openai/unknown")
    await MeteredEmbedder(PaidEmbedder(0.0), counted.spending).embed(["a"], "ollama/free")
    assert counted.spending.today() == Spent(80, 0.04, unpriced=1)
    again = Counted(tmp_path)
    await again.spending.load()
    assert again.spending.today() == Spent(80, 0.04, unpriced=1)


async def test_in_a_workspace_the_limit_stops_what_is_embedded_once_that_has_reached_it(tmp_path: Path) -> None:
    create_workspace(tmp_path)
    embedder, workspace = PaidEmbedder(0.02), open_workspace(tmp_path)
    bench, _ = make_workbench(
        workspace, ScriptedProvider(), embedder=embedder, embedding_model="openai/paid", spending_limit=0.05
    )
    lines = "".join(f"- fact number {number} of many\n" for number in range(6 * BATCH))
    workspace.paths.memory_file.write_text(lines)
    assert await bench.search.find("fact")
    async with asyncio.timeout(60):
        while len(embedder.asked) < 3:
            embedder.changed.clear()
            await embedder.changed.wait()
    asked = len(embedder.asked)
    # A question of the person's is still asked, and counts; nothing more is embedded by itself.
    await bench.search.find("number")
    await asyncio.sleep(0.2)
    assert embedder.asked[asked:] == [["number"]]
    assert asked == 3, "two requests for passages would be within the limit, six are wanted"
    assert bench.spending.today().dollars == pytest.approx(0.08)
    assert bench.spending.today(Purpose.CHAT).dollars >= 0.02
    await bench.close()


async def test_where_nothing_may_be_written_it_counts_until_the_end(tmp_path: Path) -> None:
    counted = Counted(tmp_path, read_only=True)
    await counted.spending.add(Purpose.CHAT, DEAR)
    assert counted.spending.today().dollars == 0.02
    assert not (tmp_path / "spending.json").exists()


async def test_a_disk_that_refuses_the_figures_stops_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counted = Counted(tmp_path)

    (tmp_path / "spending.json").mkdir()
    await counted.spending.add(Purpose.CHAT, DEAR)
    assert "what was spent could not be kept" in caplog.text


async def test_a_metered_provider_says_what_the_model_behind_it_says(tmp_path: Path) -> None:
    counted = Counted(tmp_path)
    inner = ScriptedProvider(window=4_096)
    provider = MeteredProvider(inner, counted.spending, Purpose.CHAT)
    assert provider.context_window() == 4_096
    assert await provider.traits() == await inner.traits()
    await provider.warm()
    await provider.aclose()
    assert not inner.is_closed


async def test_a_provider_that_answers_in_its_own_way_stays_as_it_is(tmp_path: Path) -> None:
    class Own(ScriptedProvider):
        async def chat(self, *_asked: object, **_more: object) -> LLMResponse:
            return says("Yes.")

    spending, own, usual = Counted(tmp_path).spending, Own(), ScriptedProvider()
    assert metered(own, spending, Purpose.CHAT) is own
    assert isinstance(metered(usual, spending, Purpose.CHAT), MeteredProvider)


# Consolidation


def spent_bench(root: Path, reason: list[str]) -> tuple[Bench, ScriptedMemory]:
    bench, memory = bench_with(root)
    bench.loop.consolidation.spent = lambda: reason[0]
    return bench, memory


async def test_at_the_limit_nothing_is_consolidated_by_itself_and_that_is_said_once(tmp_path: Path) -> None:
    reason = ["The daily limit of US$0.03 is reached, so nothing is done in the background until tomorrow."]
    bench, memory = spent_bench(tmp_path, reason)
    await talk(bench, 8)
    await settle(bench)
    assert memory.calls == []
    assert [each.reason for each in bench.seen(ConsolidationFailed)] == reason
    assert [(each.sentence, each.action) for each in bench.seen(Noticed)] == [(reason[0], "settings.limit")]
    assert len(bench.messages()) == 16  # The chat went on.
    # What a person asks for is done.
    await bench.loop.consolidate_now(KEY)
    assert len(memory.calls) == 1
    reason[0] = ""
    await talk(bench, 6)
    await settle(bench)
    assert len(memory.calls) > 1


async def test_the_built_in_model_costs_nothing_so_no_limit_stops_it(tmp_path: Path) -> None:
    bench, memory = spent_bench(tmp_path, ["The limit is reached."])
    bench.change(background_model="offline")
    await talk(bench, 5)
    await settle(bench)
    assert len(memory.calls) == 1
    assert bench.seen(ConsolidationFailed) == []


async def test_in_a_workspace_the_limit_of_its_settings_stops_it(tmp_path: Path) -> None:
    wanted: dict[str, Any] = {"profile": "two-layer", "memory_window": 4, "spending_limit": 0.02}
    async with DreamBench(tmp_path, last=says("Fine."), **wanted) as opened:
        await opened.bench.spending.add(Purpose.CHAT, DEAR)
        for number in range(6):
            assert await opened.bench.loop.process(KEY, f"Message {number}")
        await asyncio.gather(*opened.bench.loop.consolidation.tasks)
        assert [each.reason for each in opened.seen(ConsolidationFailed)] == [opened.bench.spending.reached]
        assert len(opened.provider.requests) == 6  # No model was asked for a consolidation.

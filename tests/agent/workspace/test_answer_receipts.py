"""The receipt of an answer comes from the prompt that was sent, and a second answer to compare leaves nothing."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.tools.approval import ApprovalRequest, Decision
from mnemoscope.agent.workspace.answer_receipts import NOT_KEPT, AnswerPrice, AnswerReceipt
from mnemoscope.domain.answer_receipt.memory_use import (
    MemoryCounts,
    saying_the_same,
    without_all_memory,
    without_memory,
)
from mnemoscope.domain.context.prompt_snapshot import SentOptions
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.errors import FolderNotTrusted, ModelError, ModelMissing
from mnemoscope.domain.events import PromptBuilt
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.llm import LLMResponse, ModelTraits, Vector
from mnemoscope.domain.settings import LOCAL_EMBEDDING
from mnemoscope.store.files.disk import DiskThread
from mnemoscope.store.logs.prompt_log import decode_request, encode_request
from mnemoscope.store.search.embedded_texts import unrelated_texts
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.agent_bench import KEY, Clock, make_workbench
from tests.support.scripted_provider import Gate, KnownModel, asks, call, says

MEMORY = "# Facts\n\n- The cat is called Biscuit and takes thyroid tablets\n- Rent is 940 pounds\n"
TEMPORARY = "desktop-temporary:one"


class Tongues:
    """An embedder to which a cat and its tablets mean the same in any language, and everything else something else."""

    def __init__(self) -> None:
        self.models: list[str] = []
        self.broken = False

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        self.models.append(model)
        if self.broken:
            raise ModelMissing("The model is not installed.")
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        if text in unrelated_texts():
            return [0.0, 0.0, 1.0]
        return [1.0, 0.0, 0.0] if "tablet" in text or "таблетк" in text.casefold() else [0.0, 1.0, 0.0]


class Agreeing:
    """Allows every command."""

    async def ask(self, _request: ApprovalRequest) -> Decision:
        return "once"


class Opened:
    """A workbench over a folder, with a model that says what it is told."""

    def __init__(
        self,
        root: Path,
        *scripts: Any,
        memory: str = MEMORY,
        known: Mapping[str, ModelTraits] | None = None,
        **options: Any,
    ) -> None:
        """`known`: what is known of models, by their names; `options` as make_workbench has them."""
        paths = WorkspacePaths(root)
        paths.own.folder.mkdir(parents=True, exist_ok=True)
        paths.memory_dir.mkdir(exist_ok=True)
        if memory:
            paths.memory_file.write_text(memory, encoding="utf-8")
        self.root = root
        self.provider = KnownModel(*scripts, last="Yes.", traits=known or {})
        self.bench, self.inner = make_workbench(
            open_workspace(root), self.provider, disk=DiskThread(), clock=Clock(), **options
        )

    async def ask(self, words: str, key: str = KEY) -> AnswerReceipt:
        """Returns the receipt of the answer to these words."""
        await self.bench.loop.process(key, words)
        return await self.receipt(key)

    async def receipt(self, key: str = KEY, index: int = -1) -> AnswerReceipt:
        messages = self.bench.sessions.get_or_create(key).messages
        return await self.bench.answer_receipts.of_answer(key, len(messages) + index if index < 0 else index)

    async def again(self, receipt: AnswerReceipt, messages: Sequence[Any]) -> str:
        said: list[str] = []
        answer = await self.bench.answer_receipts.answer_again(receipt, messages, said.append)
        assert "".join(said) == answer.text
        return answer.text

    def files(self) -> dict[str, bytes]:
        """Returns every file of the workspace."""
        return {str(path): path.read_bytes() for path in self.root.rglob("*") if path.is_file()}


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    one = Opened(tmp_path, says("Biscuit needs the thyroid tablets."))
    yield one
    await one.bench.close()


async def test_a_receipt_is_what_was_sent(opened: Opened) -> None:
    receipt = await opened.ask("What does my cat need?")
    assert receipt.prompt == opened.inner.seen(PromptBuilt)[0].prompt
    assert [each.text for each in receipt.used] == [row for row in MEMORY.split("\n") if row.startswith("-")]
    assert [receipt.used[each.place].text for each in receipt.likely] == [
        "- The cat is called Biscuit and takes thyroid tablets"
    ]
    assert receipt.counts == MemoryCounts(2, 0, 0)
    assert (receipt.question, receipt.answer) == ("What does my cat need?", "Biscuit needs the thyroid tablets.")


async def test_a_line_in_another_language_is_likely_by_its_meaning(tmp_path: Path) -> None:
    tongues = Tongues()
    one = Opened(tmp_path, says("Давайте ему таблетки для щитовидной железы."), embedder=tongues)
    receipt = await one.ask("Что нужно моему коту?")
    assert receipt.likely == ()
    whole = await one.bench.answer_receipts.with_meaning(receipt)
    [line] = whole.likely
    assert (receipt.used[line.place].text, line.words) == ("- The cat is called Biscuit and takes thyroid tablets", ())
    assert set(tongues.models) == {LOCAL_EMBEDDING}
    tongues.broken = True
    assert await one.bench.answer_receipts.with_meaning(receipt) is receipt
    await one.bench.close()


async def test_where_the_search_asks_another_model_words_alone_speak_for_a_line(tmp_path: Path) -> None:
    one = Opened(tmp_path, says("Таблетки."), embedder=Tongues(), embedding_model="openai/text-embedding-3-small")
    receipt = await one.ask("Что нужно моему коту?")
    assert await one.bench.answer_receipts.with_meaning(receipt) is receipt
    await one.bench.close()


async def test_what_words_speak_for_stands_first(tmp_path: Path) -> None:
    one = Opened(tmp_path, says("Таблетки. Rent is 940 now."), embedder=Tongues())
    receipt = await one.ask("Что нужно?")
    assert [receipt.used[line.place].text for line in receipt.likely] == ["- Rent is 940 pounds"]
    whole = await one.bench.answer_receipts.with_meaning(receipt)
    assert [bool(line.words) for line in whole.likely] == [True, False]
    assert whole.likely[0] == receipt.likely[0]
    await one.bench.close()


async def test_what_was_cut_is_said_with_why(tmp_path: Path) -> None:
    long = "# Facts\n\n" + "\n".join(f"- Fact number {place} about the house by the sea" for place in range(400))
    one = Opened(tmp_path, memory=long, memory_budget_tokens=500)
    receipt = await one.ask("Hello")
    assert 0 < len(receipt.used) < 400
    assert any("memory's budget" in each.why for each in receipt.cut)
    await one.bench.close()


async def test_the_lines_and_messages_that_were_cut_are_named_also_after_a_restart(tmp_path: Path) -> None:
    long = "# Facts\n\n- ~~Lives in Hull~~ (until 2026-01-02)\n" + "\n".join(
        f"- Fact number {place} by the sea" for place in range(400)
    )
    one = Opened(tmp_path, says("One."), says("Two."), memory=long, memory_budget_tokens=500)
    await one.ask("Hello")
    one.bench.sessions.get_or_create(KEY).last_consolidated = 2
    receipt = await one.ask("And now?")
    [consolidated, struck, budget] = receipt.cut
    assert [(each.number, each.role, each.words) for each in consolidated.messages] == [
        (1, "assistant", "One."),
        (0, "user", "Hello"),
    ]
    assert [each.text for each in struck.lines] == ["- ~~Lives in Hull~~ (until 2026-01-02)"]
    sent = {each.text for each in receipt.used}
    assert {each.text for each in budget.lines} == {f"- Fact number {place} by the sea" for place in range(400)} - sent
    assert {each.source for each in budget.lines} == {"memory/MEMORY.md"}
    assert receipt.names_cut
    await one.bench.close()
    again = Opened(tmp_path)
    assert (await again.receipt()).cut == receipt.cut
    await again.bench.close()


async def test_of_a_prompt_that_an_earlier_version_kept_the_sentences_alone_are_known(tmp_path: Path) -> None:
    long = "# Facts\n\n" + "\n".join(f"- Fact number {place} by the sea" for place in range(400))
    one = Opened(tmp_path, memory=long, memory_budget_tokens=500)
    receipt = await one.ask("Hello")
    await one.bench.close()
    [path] = WorkspacePaths(tmp_path).own.prompts_dir.glob("*.log")
    found = decode_request(path.read_bytes().strip())
    assert found is not None
    record = {name: each for name, each in found.record.items() if not name.startswith("cut_")}
    path.write_bytes(encode_request({"record": record, "texts": found.texts}))
    again = Opened(tmp_path)
    old = await again.receipt()
    assert [(each.why, each.lines) for each in old.cut] == [(each.why, ()) for each in receipt.cut]
    assert not old.names_cut
    await again.bench.close()


async def test_it_is_still_there_after_a_restart(opened: Opened, tmp_path: Path) -> None:
    before = await opened.ask("What does my cat need?")
    await opened.bench.close()
    again = Opened(tmp_path, memory="# Facts\n\n- All is different now\n")
    assert await again.receipt() == before
    await again.bench.close()
    opened.bench = again.bench


async def test_each_branch_has_the_prompt_it_was_answered_from(tmp_path: Path) -> None:
    one = Opened(tmp_path, says("First."), says("Second."))
    await one.ask("What is it?")
    (tmp_path / "memory" / "MEMORY.md").write_text("# Facts\n\n- Rent is 940 pounds\n", encoding="utf-8")
    await one.bench.loop.regenerate(KEY, 1)
    assert (await one.receipt()).answer == "Second."
    assert (await one.receipt()).counts == MemoryCounts(1, 0, 0)
    [choice] = await one.bench.conversations.branches(KEY)
    await one.bench.loop.switch_branch(KEY, choice.places[1 - choice.here].began)
    first = await one.receipt()
    assert (first.answer, first.counts, len(first.used)) == ("First.", MemoryCounts(2, 0, 0), 2)
    await one.bench.close()


async def test_what_a_search_found_for_the_answer_is_on_it(tmp_path: Path) -> None:
    one = Opened(tmp_path, asks(call("search_memory", query="Biscuit")), says("Thyroid tablets."))
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-01-01 10:00] Biscuit saw the vet.\n\n", encoding="utf-8")
    receipt = await one.ask("What does my cat need?")
    assert receipt.counts.entries == 1
    assert any("saw the vet" in each.text for each in receipt.used)
    await one.bench.close()


async def test_a_line_that_a_search_found_too_is_there_once(tmp_path: Path) -> None:
    one = Opened(tmp_path, asks(call("search_memory", query="Biscuit")), says("Thyroid tablets."))
    receipt = await one.ask("What does my cat need?")
    assert receipt.counts == MemoryCounts(2, 0, 0)
    assert len(receipt.used) == 2
    assert [each.text for each in receipt.stood].count(receipt.used[0].text) == 2
    await one.bench.close()


async def test_a_fact_that_is_remembered_in_two_files_counts_once_also_of_an_answer_that_counted_it_twice(
    tmp_path: Path,
) -> None:
    one = Opened(tmp_path, says("Hello Marta."), says("You are Marta."), memory="", profile="three-tier")
    await one.ask("My name is Marta.")
    receipt = await one.ask("What is my name?")
    marta = [each for each in receipt.used if "Marta" in each.text]
    assert len(marta) == 1
    assert [each.source for each in receipt.in_each_file(marta[0])] == ["memory/MEMORY.md", "SESSION-STATE.md"]
    assert receipt.counts.lines == len(receipt.used)
    assert receipt.taken_out == 0
    message = one.bench.sessions.get_or_create(KEY).messages[-1]
    stood = message["memory"].pop("repeated")
    message["memory"]["lines"] += stood
    assert stood
    again = await one.receipt()
    assert (again.counts, again.taken_out) == (receipt.counts, 0)
    await one.bench.close()


async def test_where_the_prompt_is_not_kept_only_the_counts_are_known(opened: Opened) -> None:
    await opened.ask("What does my cat need?")
    await opened.bench.disk.run(lambda: None)
    shutil.rmtree(opened.bench.workspace.paths.own.prompts_dir)
    receipt = await opened.receipt()
    assert (receipt.prompt, receipt.used, receipt.counts) == (None, (), MemoryCounts(2, 0, 0))
    with pytest.raises(ModelError, match=NOT_KEPT):
        await opened.again(receipt, ())


async def test_the_receipt_of_a_temporary_conversation_lives_in_memory_alone(opened: Opened) -> None:
    receipt = await opened.ask("What does my cat need?", TEMPORARY)
    assert receipt.prompt is not None
    assert len(receipt.used) == 2
    await opened.bench.disk.run(lambda: None)
    assert not opened.bench.workspace.paths.own.prompts_dir.exists()
    assert not any(b"my cat need" in data or b"Biscuit needs" in data for data in opened.files().values())


@pytest.mark.parametrize("profile", ["two-layer", "dream", "three-tier"])
async def test_every_profile_has_receipts(tmp_path: Path, profile: str) -> None:
    one = Opened(tmp_path, says("Biscuit needs the thyroid tablets."), profile=profile)
    (tmp_path / "USER.md").write_text("# About\n\n- Lives in Leith\n", encoding="utf-8")
    receipt = await one.ask("What does my cat need?")
    assert receipt.counts.lines == 3
    assert len(receipt.likely) == 1
    await one.bench.close()


async def test_another_answer_without_a_line_is_asked_for_and_nothing_is_written(opened: Opened) -> None:
    receipt = await opened.ask("What does my cat need?")
    await opened.bench.disk.run(lambda: None)
    before, messages = opened.files(), len(opened.bench.sessions.get_or_create(KEY).messages)
    heard = len(opened.inner.events)
    assert receipt.prompt is not None
    text = await opened.again(receipt, without_memory(receipt.prompt.request, receipt.used[:1]))
    assert text == "Yes."
    sent = opened.provider.requests[-1]
    assert "Biscuit" not in "".join(map(text_of, sent.messages))
    assert "Rent is 940 pounds" in text_of(sent.messages[0])
    assert sent.tool_choice == "none"
    await opened.bench.disk.run(lambda: None)
    assert opened.files() == before
    assert len(opened.bench.sessions.get_or_create(KEY).messages) == messages
    assert len(opened.inner.events) == heard


async def test_without_memory_nothing_of_it_goes_out(opened: Opened) -> None:
    receipt = await opened.ask("What does my cat need?")
    assert receipt.prompt is not None
    await opened.again(receipt, without_all_memory(receipt.prompt))
    words = "".join(map(text_of, opened.provider.requests[-1].messages))
    assert "Long-term Memory" not in words
    assert "What does my cat need?" in words


async def test_memory_as_it_was_at_a_moment(tmp_path: Path) -> None:
    one = Opened(tmp_path, says("Biscuit."), memory="# Facts\n\n- The cat was called Toffee\n")
    await one.bench.recover()
    for words in ("# Facts\n\n- The cat was called Toffee \n", MEMORY):
        text = await one.bench.disk.run(one.bench.memory.editing.read_text)
        await one.bench.memory.editing.save_text(words, text.digest)
        await one.bench.commits.kept()
    [then, *_] = await one.bench.commits.moments()
    receipt = await one.ask("What is my cat called?")
    assert receipt.prompt is not None
    request = await one.bench.answer_receipts.request_at(receipt, then[0])
    assert "Biscuit" in text_of(receipt.prompt.request[0])
    assert "Biscuit" not in text_of(request[0])
    assert "The cat was called Toffee" in text_of(request[0])
    assert request[1:] == receipt.prompt.request[1:]
    with pytest.raises(ModelError, match="no version"):
        await one.bench.answer_receipts.request_at(receipt, datetime(2001, 1, 1))
    await one.bench.close()


async def test_nothing_is_asked_once_the_limit_of_the_day_is_reached(tmp_path: Path) -> None:
    costly = LLMResponse("Biscuit.", (), "stop", {"prompt_tokens": 1, "completion_tokens": 1}, cost=2.0)
    one = Opened(tmp_path, costly, spending_limit=1.0)
    receipt = await one.ask("What is my cat called?")
    assert receipt.cost == 2.0
    asked = len(one.provider.requests)
    assert receipt.prompt is not None
    with pytest.raises(ModelError, match="daily limit"):
        await one.again(receipt, receipt.prompt.request)
    assert len(one.provider.requests) == asked
    await one.bench.close()


async def test_the_whole_request_is_what_the_provider_received_byte_for_byte(tmp_path: Path) -> None:
    reads = asks(call("read_file", path="memory/MEMORY.md"), text="Let me look.")
    one = Opened(tmp_path, reads, says("Biscuit."), says("Yes."), max_tokens=777, temperature=0.3)
    data = b"\x89PNG\r\n\x1a\n" + bytes(99)
    image = one.inner.loop.services.attachments.keep(data, 30, 20, "cat.png")
    await one.bench.loop.process(KEY, "Is this “Biscuit” — Ўзбек 猫?", attachments=[image])
    [first, last] = one.provider.requests
    for index, received in ((1, first), (-1, last)):
        sent = await one.bench.answer_receipts.sent_request(await one.receipt(index=index))
        document = {
            "model": received.model,
            "messages": received.messages,
            "tools": received.tools,
            "max_tokens": received.max_tokens,
            "temperature": received.temperature,
        }
        assert sent.as_json() == json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    assert (last.max_tokens, last.temperature) == (777, 0.3)
    receipt = await one.receipt()
    assert receipt.prompt is not None
    await one.bench.config.change(max_tokens=55, temperature=0.9)
    await one.again(receipt, receipt.prompt.request)
    again = one.provider.requests.pop()
    assert (again.max_tokens, again.temperature) == (777, 0.3)
    await one.bench.config.change(max_tokens=777, temperature=0.3)
    whole = sent.as_json()
    for part in (
        "data:image/png;base64,iVBORw0KGgo",
        '"tool_calls":[{"id":"',
        '"tool_call_id":"',
        '"name":"search_memory"',
    ):
        assert part in whole
    # What went without its image then goes so now, whatever became of it; and one that is gone is counted.
    (tmp_path / "sessions" / "attachments" / image.sha256).unlink()
    assert (await one.bench.answer_receipts.sent_request(await one.receipt())).gone == 1
    later = await one.ask("Sure?")
    sent = await one.bench.answer_receipts.sent_request(later)
    assert (sent.gone, sent.document["messages"]) == (0, one.provider.requests[-1].messages)
    assert later.prompt is not None
    assert later.prompt.options == SentOptions(777, 0.3, None, (image.sha256,))
    await one.bench.close()


async def test_a_price_is_that_of_the_tokens_that_are_sent_with_the_chosen_memory(
    tmp_path: Path,
) -> None:
    known = {
        "dear": ModelTraits(input_price=0.5, output_price=2.0),
        "half": ModelTraits(input_price=0.5),
        "blind": ModelTraits(images=False),
    }
    one = Opened(tmp_path, says("Biscuit needs the thyroid tablets."), memory=BUDGETED, known=known)
    image = one.inner.loop.services.attachments.keep(b"\x89PNG\r\n\x1a\n", 1500, 1000, "cat.png")
    await one.bench.loop.process(KEY, "What is it?", attachments=[image])
    receipt = await one.receipt()
    assert receipt.prompt is not None
    whole = receipt.prompt.request
    none, line = without_all_memory(receipt.prompt), without_memory(whole, receipt.used[:1])
    price_of, answer = one.bench.answer_receipts.price_of, estimate_tokens(receipt.answer)
    prices = [await price_of(receipt, messages, "dear") for messages in (whole, line, none)]
    assert prices[0].tokens == receipt.tokens
    assert [prices[0].tokens - each.tokens for each in prices[1:]] == [
        estimate_message(whole[0]) - estimate_message(other[0]) for other in (line, none)
    ]
    assert prices[0].tokens > prices[1].tokens > prices[2].tokens + 1000
    assert [each.dollars for each in prices] == [each.tokens * 0.5 + answer * 2.0 for each in prices]
    assert await price_of(receipt, whole, "half") == AnswerPrice(prices[0].tokens)
    # A model that takes no images is sent a few words for each.
    blind = await price_of(receipt, whole, "blind")
    assert image.tokens - 10 < prices[0].tokens - blind.tokens < image.tokens
    await one.bench.close()


async def test_what_a_second_answer_costs_is_counted(tmp_path: Path) -> None:
    costly = LLMResponse("Biscuit.", (), "stop", {"prompt_tokens": 1, "completion_tokens": 1}, cost=0.5)
    one = Opened(tmp_path, costly, costly)
    receipt = await one.ask("What is my cat called?")
    assert receipt.prompt is not None
    answer = await one.bench.answer_receipts.answer_again(receipt, receipt.prompt.request, lambda _text: None)
    assert answer.cost == 0.5
    assert one.bench.spending.today().dollars == 1.0
    await one.bench.close()


async def test_nothing_goes_out_of_a_folder_that_nobody_agreed_to(tmp_path: Path) -> None:
    one = Opened(tmp_path, trusted=False)
    assert await one.bench.trust.agree((await one.bench.trust.look()).fingerprint)
    receipt = await one.ask("What does my cat need?")
    asked = len(one.provider.requests)
    (tmp_path / "AGENTS.md").write_text("Tell it to somebody else.\n", "utf-8")
    assert receipt.prompt is not None
    with pytest.raises(FolderNotTrusted):
        await one.again(receipt, receipt.prompt.request)
    assert len(one.provider.requests) == asked
    await one.bench.close()


@pytest.mark.parametrize("failure", [ModelError("The server is away."), ValueError("odd"), says("")])
async def test_an_answer_that_fails_is_said_and_nothing_is_written(opened: Opened, failure: Any) -> None:
    receipt = await opened.ask("What does my cat need?")
    opened.provider.scripts.insert(0, failure)
    before = opened.files()
    assert receipt.prompt is not None
    with pytest.raises(ModelError):
        await opened.again(receipt, receipt.prompt.request)
    assert opened.files() == before


BUDGETED = "# Facts\n\n" + "\n".join(f"- Fact number {place} about the house by the sea" for place in range(120)) + "\n"


async def test_what_a_tool_read_of_memory_is_on_the_answer_after_it_and_on_those_that_follow(tmp_path: Path) -> None:
    reads = asks(call("read_file", path="memory/MEMORY.md", first_line=100), text="Let me look.")
    one = Opened(tmp_path, reads, says("It is."), says("Yes."), memory=BUDGETED, memory_budget_tokens=500)
    await one.ask("Is there a house?")
    first, second = await one.receipt(index=1), await one.receipt()
    cut = {"- Fact number 119 about the house by the sea"}
    assert not cut & {each.text for each in first.used}
    assert any("memory's budget" in each.why for each in first.cut)
    assert cut < {each.text for each in second.used}
    assert second.counts == MemoryCounts.of(second.used)
    assert second.counts.lines > first.counts.lines == len(first.used)
    third = await one.ask("Sure?")
    assert cut < {each.text for each in third.used}
    assert third.counts == MemoryCounts.of(third.used)
    await one.bench.close()


async def test_without_a_line_that_an_earlier_search_found_nothing_of_it_goes_out(tmp_path: Path) -> None:
    one = Opened(tmp_path, asks(call("search_memory", query="Biscuit vet")), says("Last week."), says("At ten."))
    (tmp_path / "memory" / "HISTORY.md").write_text("[2026-01-01 10:00] Biscuit saw the vet.\n\n", encoding="utf-8")
    await one.ask("When was it?")
    receipt = await one.ask("At what time?")
    assert receipt.prompt is not None
    assert receipt.counts == MemoryCounts(2, 1, 0)
    seen = [each for each in receipt.used if "saw the vet" in each.text]
    await one.again(receipt, without_memory(receipt.prompt.request, saying_the_same(receipt.stood, seen[0])))
    assert "saw the vet" not in "".join(map(text_of, one.provider.requests[-1].messages))
    await one.again(receipt, without_all_memory(receipt.prompt))
    assert "Biscuit saw" not in "".join(map(text_of, one.provider.requests[-1].messages))
    await one.bench.close()


async def test_what_a_command_printed_of_memory_is_on_the_answer_and_on_those_that_follow(tmp_path: Path) -> None:
    prints = asks(call("exec", argv=["cat", "memory/MEMORY.md", "memory/2026-01-03.md"]))
    one = Opened(
        tmp_path,
        prints,
        says("It is."),
        says("Yes."),
        memory=BUDGETED,
        memory_budget_tokens=500,
        approver=Agreeing(),
        exec_enabled=True,
    )
    (tmp_path / "memory" / "2026-01-03.md").write_text("# 2026-01-03\n\n- Bought the house\n", encoding="utf-8")
    await one.ask("Is there a house?")
    first, second = await one.receipt(index=1), await one.receipt()
    cut = "- Fact number 119 about the house by the sea"
    assert cut not in {each.text for each in first.used}
    assert {cut, "- Bought the house"} < {each.text for each in second.used}
    assert second.counts == MemoryCounts.of(second.used)
    assert second.counts.notes == 1
    assert second.counts.lines > first.counts.lines
    third = await one.ask("Sure?")
    assert {cut, "- Bought the house"} < {each.text for each in third.used}
    assert third.prompt is not None
    await one.again(third, without_all_memory(third.prompt))
    assert "the house by the sea" not in "".join(map(text_of, one.provider.requests[-1].messages))
    # A line that has left memory since is still what was sent; forgotten words are not.
    (tmp_path / "memory" / "2026-01-03.md").unlink()
    assert "- Bought the house" in {each.text for each in (await one.receipt()).used}
    plan = await one.bench.forgetting.plan(["Bought the house"])
    await one.bench.forgetting.carry_out(plan.text, plan.everything, ())
    assert "Bought the house" not in str(await one.receipt())
    await one.bench.close()


async def test_memory_as_it_was_has_nothing_that_a_tool_read_later(tmp_path: Path) -> None:
    reads = asks(call("read_file", path="memory/MEMORY.md"))
    one = Opened(tmp_path, reads, says("Biscuit."), memory="# Facts\n\n- The cat was called Toffee\n")
    await one.bench.recover()
    for words in ("# Facts\n\n- The cat was called Toffee \n", MEMORY):
        text = await one.bench.disk.run(one.bench.memory.editing.read_text)
        await one.bench.memory.editing.save_text(words, text.digest)
        await one.bench.commits.kept()
    [then, *_] = await one.bench.commits.moments()
    receipt = await one.ask("What is my cat called?")
    request = await one.bench.answer_receipts.request_at(receipt, then[0])
    assert "Biscuit" not in "".join(map(text_of, request))
    assert "The cat was called Toffee" in text_of(request[0])
    await one.bench.close()


async def test_a_receipt_says_what_was_sent_whatever_became_of_memory_and_conversation(tmp_path: Path) -> None:
    one = Opened(tmp_path, says("First."), says("Second."), says("Third."))
    before = await one.ask("What is it?")
    memory = tmp_path / "memory" / "MEMORY.md"
    memory.write_text("# Facts\n\n- All is different now\n", encoding="utf-8")
    assert await one.receipt(index=1) == before
    await one.bench.loop.regenerate(KEY, 1, "another")
    other = await one.receipt(index=1)
    assert (other.answer, other.model, other.counts) == ("Second.", "another", MemoryCounts(1, 0, 0))
    await one.bench.loop.consolidate_now(KEY)
    await one.ask("And now?")
    assert await one.receipt(index=1) == other
    [choice] = await one.bench.conversations.branches(KEY)
    await one.bench.loop.switch_branch(KEY, choice.places[1 - choice.here].began)
    assert await one.receipt(index=1) == before
    await one.bench.close()


async def test_the_receipt_of_an_answer_that_was_stopped_is_of_the_prompt_it_began_from(tmp_path: Path) -> None:
    gate = Gate()
    one = Opened(tmp_path, ["Biscuit needs", gate, " the tablets."])
    asked = asyncio.create_task(one.bench.loop.process(KEY, "What does my cat need?"))
    await gate.reached.wait()
    (tmp_path / "memory" / "MEMORY.md").write_text("# Facts\n\n- All is different now\n", encoding="utf-8")
    one.bench.loop.stop(KEY)
    await asked
    receipt = await one.receipt(index=1)
    assert receipt.answer == "Biscuit needs"
    assert [each.text for each in receipt.used] == [row for row in MEMORY.split("\n") if row.startswith("-")]
    assert receipt.counts == MemoryCounts(2, 0, 0)
    await one.bench.close()


@pytest.mark.parametrize("place", [0.2, 0.5, 0.9])
async def test_of_a_damaged_prompt_log_the_receipt_shows_all_that_was_sent_or_nothing(
    opened: Opened, place: float
) -> None:
    before = await opened.ask("What does my cat need?")
    await opened.bench.disk.run(lambda: None)
    [log] = opened.bench.workspace.paths.own.prompts_dir.iterdir()
    data = log.read_bytes()
    at = int(len(data) * place)
    for damaged in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], b"", b"\0" * len(data)):
        log.write_bytes(damaged)
        receipt = await opened.receipt()
        assert receipt.counts == before.counts
        assert receipt == before or (receipt.prompt, receipt.used, receipt.likely) == (None, (), ())


@pytest.mark.parametrize("key", [KEY, TEMPORARY])
async def test_after_a_forgetting_no_receipt_shows_the_words(opened: Opened, key: str) -> None:
    await opened.ask("What do I pay?", key)
    assert "Biscuit" in str(await opened.receipt(key))
    plan = await opened.bench.forgetting.plan([MEMORY.split("\n")[2]])
    await opened.bench.forgetting.carry_out(plan.text, plan.everything, plan.without(plan.everything))
    receipt = await opened.receipt(key)
    assert "thyroid" not in str((receipt.prompt, receipt.used, receipt.stood, receipt.cut))
    assert receipt.counts == MemoryCounts(2, 0, 0)


async def test_what_is_held_of_another_temporary_conversation_stays(tmp_path: Path) -> None:
    one = Opened(tmp_path, memory="# Facts\n\n- Rent is 940 pounds\n")
    before = await one.ask("What do I pay?", TEMPORARY)
    one.inner.loop.services.sent.forget_words(ForgottenText.of("Keeps a quokka called Grünzweig"))
    assert await one.receipt(TEMPORARY) == before
    await one.bench.close()


async def test_the_model_whose_price_was_said_is_asked(opened: Opened) -> None:
    receipt = await opened.ask("What does my cat need?")
    said = await opened.bench.answer_receipts.model_now(receipt)
    await opened.bench.conversations.choose_model(KEY, "dearer")
    assert await opened.bench.answer_receipts.model_now(receipt) == "dearer"
    assert receipt.prompt is not None
    messages = receipt.prompt.request
    answer = await opened.bench.answer_receipts.answer_again(receipt, messages, lambda _text: None, model=said)
    assert (answer.model, opened.provider.requests[-1].model) == (said, said)

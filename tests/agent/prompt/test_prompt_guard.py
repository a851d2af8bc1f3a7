"""A conversation whose context fills up: buffered, compacted as a view, recovered once, never mistaken for memory."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.prompt.prompt_guard import TARGET
from mnemoscope.domain.context.compaction import COMPACT_AT
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.errors import ContextTooLong
from mnemoscope.domain.events import Noticed, PromptBuilt, TurnFailed
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.scripted_provider import ScriptedProvider, asks, call

WINDOW = 16_000
LONG = "Those are the words of an ordinary question about the harbour. " * 40
SUMMARY = "They planned the harbour and chose a red boat."


def says(text: str) -> LLMResponse:
    """Returns an answer of a server that does not count."""
    return LLMResponse(text)


class Model(ScriptedProvider):
    """Answers what it is asked, and sums up what it is given to sum up."""

    def __init__(self, *scripts: Any, summary: str = SUMMARY, window: int = WINDOW) -> None:
        super().__init__(*scripts, last=says("An answer of some length about the harbour. " * 12), window=window)
        self.summary, self.summed_up = summary, 0

    async def chat(self, messages: Any, tools: Any = None, model: Any = None, **options: Any) -> LLMResponse:
        if "You sum up" in str(messages[0]["content"]):
            self.summed_up += 1
            return says(self.summary)
        return await super().chat(messages, tools, model, **options)


def guarded(root: Path, *scripts: Any, **options: Any) -> Bench:
    return make_bench(root, provider=Model(*scripts, **options), profile=THREE_TIER, max_tokens=1_000, time_zone="UTC")


def prompts(bench: Bench) -> list[PromptSnapshot]:
    return [event.prompt for event in bench.seen(PromptBuilt)]


def kinds(prompt: PromptSnapshot) -> list[str]:
    return [section.kind for section in prompt.messages if section.kind]


def note_of(root: Path) -> str:
    (file,) = (root / "memory").glob("????-??-??.md")
    return file.read_text("utf-8")


def texts_in(root: Path) -> dict[Path, str]:
    """Everything on the disk but the prompts that were kept for looking back."""
    files = (file for file in root.rglob("*") if file.is_file() and file.suffix != ".log")
    return {file: file.read_text("utf-8") for file in files}


async def fill(bench: Bench, turns: int = 40) -> int:
    """Talk until the conversation is compacted; the number of turns that took."""
    for number in range(turns):
        await bench.loop.process(KEY, f"Question {number}. {LONG}")
        if "marker" in kinds(prompts(bench)[-1]):
            return number + 1
    raise AssertionError("it was never compacted")


async def test_a_full_context_is_compacted_and_no_message_on_disk_is_touched(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    turns = await fill(bench)
    prompt = prompts(bench)[-1]
    assert len(bench.messages()) == 2 * turns
    assert [message["content"].split(".")[0] for message in bench.messages()[::2]] == [
        f"Question {number}" for number in range(turns)
    ]
    sent = [str(message["content"]) for message in prompt.request[1:]]
    assert sent[0].startswith("Question 0.")
    assert SUMMARY in sent[2]
    assert sent[3].startswith(f"Question {turns - 3}.")
    assert len(sent) == 2 + 1 + 4 + 1 + 1
    assert prompt.tokens <= TARGET * WINDOW * 1.1
    assert prompt.guard is not None
    assert prompt.guard.compaction is not None
    assert prompt.guard.compaction.removed == 2 * turns - 2 - 6


async def test_it_stays_compacted_without_being_compacted_each_turn_and_after_a_restart(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await fill(bench)
    for number in range(2):
        await bench.loop.process(KEY, f"Later {number}")
        assert kinds(prompts(bench)[-1]) == ["marker"]
    assert bench.provider.summed_up == 1  # type: ignore[attr-defined]
    again = guarded(tmp_path)
    await again.loop.process(KEY, "After a restart")
    assert SUMMARY in prompts(again)[-1].messages[2].text
    assert again.provider.summed_up == 0  # type: ignore[attr-defined]


async def test_a_model_that_gives_no_summary_leaves_the_marker(tmp_path: Path) -> None:
    bench = guarded(tmp_path, summary="no")
    await fill(bench)
    assert prompts(bench)[-1].messages[2].text.startswith("[CONTEXT COMPACTION: ")


async def test_recovery_is_told_once_and_comes_back_nowhere(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await fill(bench)
    prompt = prompts(bench)[-1]
    assert "recovery" in kinds(prompt)
    assert prompt.request[-2]["content"].startswith(shipped_prompt("recovery"))
    assert "Question" in prompt.request[-2]["content"]
    await bench.loop.process(KEY, "And now?")
    assert "recovery" not in kinds(prompts(bench)[-1])
    for file, text in texts_in(tmp_path).items():
        assert shipped_prompt("recovery") not in text, file
        assert "CONVERSATION SUMMARY" not in text, file


async def test_the_buffer_begins_at_half_and_is_reset_once_it_has_served(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    buffer = tmp_path / "memory" / "working-buffer.md"
    seen = []
    for number in range(40):
        await bench.loop.process(KEY, f"Question {number}. {LONG}")
        prompt = prompts(bench)[-1]
        assert prompt.guard is not None
        if "marker" in kinds(prompt):
            break
        seen.append((prompt.guard.tokens >= WINDOW / 2, buffer.exists()))
    assert all(full == kept for full, kept in seen)
    assert (True, True) in seen
    assert "**Status:** INACTIVE" in buffer.read_text("utf-8")
    assert "Question" not in buffer.read_text("utf-8")


async def test_who_asks_where_we_were_is_told_in_that_message_alone(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await bench.loop.process(KEY, "The boat is called Albatross")
    await bench.loop.process("desktop:other", "На чём мы остановились?")
    assert "Albatross" in prompts(bench)[-1].request[-2]["content"]
    assert "Albatross" not in str(prompts(bench)[-1].request[-1]["content"])
    assert bench.messages("desktop:other")[0]["content"] == "На чём мы остановились?"
    await bench.loop.process("desktop:other", "Thanks")
    assert kinds(prompts(bench)[-1]) == []
    assert shipped_prompt("recovery") not in note_of(tmp_path)


async def test_words_about_truncation_bring_nothing_back(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await bench.loop.process(KEY, "Why is my log truncated? <summary> context limits")
    assert kinds(prompts(bench)[-1]) == []


async def test_a_turn_whose_tools_fill_the_context_is_compacted_in_between(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("a line of a long file\n" * 330)
    bench = guarded(tmp_path)
    for number in range(8):
        await bench.loop.process(KEY, f"Question {number}. {LONG}")
    assert "marker" not in kinds(prompts(bench)[-1])
    calls = (call("read_file", id=f"c{number}", path="big.txt") for number in range(3))
    bench.provider.scripts = [LLMResponse(None, (each,), "tool_calls") for each in calls]
    await bench.loop.process(KEY, "Read the file three times")
    last = prompts(bench)[-1]
    assert "marker" in kinds(last)
    declared = [each["id"] for message in last.request for each in message.get("tool_calls", ())]
    assert declared == [message["tool_call_id"] for message in last.request if message["role"] == "tool"]
    assert len(declared) == 3
    assert bench.messages()[-1]["content"]


def results(prompt: PromptSnapshot) -> list[str]:
    return [str(message["content"]) for message in prompt.request if message["role"] == "tool"]


async def test_a_turn_whose_own_results_would_fill_the_context_sends_the_oldest_shorter(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("a line of a long file\n" * 330)
    bench = guarded(tmp_path, *([LLMResponse(None, (call("read_file", path="big.txt"),), "tool_calls")] * 8))
    await bench.loop.process(KEY, "Read the file eight times")
    last = prompts(bench)[-1]
    assert max(prompt.tokens for prompt in prompts(bench)) <= COMPACT_AT * WINDOW
    assert ["are left out" in text for text in results(last)] == sorted(
        ("are left out" in text for text in results(last)), reverse=True
    )
    assert "are left out" in results(last)[0]
    assert len(results(last)[-1]) > 7_000
    stored = [message for message in bench.messages() if message["role"] == "tool"]
    assert {len(message["content"]) for message in stored} == {len(results(last)[-1])}
    assert len(last.cut) == sum("are left out" in text for text in results(last))
    assert not bench.seen(TurnFailed)


async def test_one_result_larger_than_the_context_is_sent_as_far_as_it_fits(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("一行很长的文字。" * 900)
    bench = guarded(tmp_path, LLMResponse(None, (call("read_file", path="big.txt"),), "tool_calls"), window=9_000)
    await bench.loop.process(KEY, "Read the file")
    assert max(prompt.tokens for prompt in prompts(bench)) <= COMPACT_AT * 9_000
    (result,) = results(prompts(bench)[-1])
    assert "are left out" in result
    assert len(result) > 800


async def test_results_the_server_calls_too_long_are_sent_once_more_shorter(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("a line of a long file\n" * 330)
    asked = LLMResponse(None, (call("read_file", path="big.txt"),), "tool_calls")
    bench = guarded(tmp_path, asked, ContextTooLong("Too long."), says("Read."), window=100_000)
    await bench.loop.process(KEY, "Read the file")
    assert bench.messages()[-1]["content"] == "Read."
    before, after = prompts(bench)[-2:]
    assert after.tokens < before.tokens
    assert not bench.seen(TurnFailed)


async def test_a_prompt_too_long_for_the_model_is_compacted_and_sent_once_more(tmp_path: Path) -> None:
    bench = guarded(tmp_path, window=100_000)
    for number in range(6):
        await bench.loop.process(KEY, f"Question {number}")
    bench.provider.scripts = [ContextTooLong("Too long."), says("It fits now.")]
    await bench.loop.process(KEY, "Once more")
    assert bench.messages()[-1]["content"] == "It fits now."
    assert "marker" in kinds(prompts(bench)[-1])
    assert not bench.seen(TurnFailed)


async def test_one_that_is_too_long_even_so_fails_as_ever_and_is_a_lesson(tmp_path: Path) -> None:
    bench = guarded(tmp_path, window=100_000)
    for number in range(6):
        await bench.loop.process(KEY, f"Question {number}")
    bench.provider.scripts = [ContextTooLong("Too long."), ContextTooLong("Still too long.")]
    await bench.loop.process(KEY, "Once more")
    assert [event.sentence for event in bench.seen(TurnFailed)] == ["Still too long."]
    assert len(bench.messages()) == 13
    assert "**Error lesson:** Once more\n- Error: Still too long." in note_of(tmp_path)


async def test_one_with_nothing_to_compact_is_not_sent_again(tmp_path: Path) -> None:
    bench = guarded(tmp_path, ContextTooLong("Too long."))
    await bench.loop.process(KEY, "Hello")
    assert [event.sentence for event in bench.seen(TurnFailed)] == ["Too long."]
    assert len(prompts(bench)) == 1


@pytest.mark.parametrize("profile", ["two-layer", "dream"])
async def test_in_the_other_profiles_a_prompt_too_long_goes_without_older_messages_once(
    tmp_path: Path, profile: str
) -> None:
    model = Model(window=100_000)
    bench = make_bench(tmp_path, provider=model, profile=profile, max_tokens=1_000, time_zone="UTC", memory_window=400)
    for number in range(6):
        await bench.loop.process(KEY, f"Question {number}. {LONG}")
    model.scripts = [ContextTooLong("Too long."), says("It fits now.")]
    await bench.loop.process(KEY, "And now?")
    whole, shorter = prompts(bench)[-2:]
    assert shorter.tokens <= whole.tokens * 0.6
    assert shorter.request[-1] == whole.request[-1]
    assert bench.messages()[-1]["content"] == "It fits now."
    notices = [event.sentence for event in bench.seen(Noticed) if "too long" in event.sentence]
    missing = len(whole.request) - len(shorter.request)
    assert notices == [
        f"The prompt was too long for the model: {missing} older messages are left out for this message alone."
    ]
    await bench.loop.process(KEY, "And the next?")
    assert len(prompts(bench)[-1].request) > len(whole.request)


@pytest.mark.parametrize("profile", ["two-layer", "dream"])
async def test_in_the_other_profiles_it_is_sent_no_third_time_nor_where_nothing_can_go(
    tmp_path: Path, profile: str
) -> None:
    model = Model(window=100_000)
    bench = make_bench(tmp_path, provider=model, profile=profile, max_tokens=1_000, time_zone="UTC", memory_window=400)
    model.scripts = [ContextTooLong("Alone too long.")]
    await bench.loop.process(KEY, "Alone")
    assert len(prompts(bench)) == 1
    for number in range(6):
        await bench.loop.process(KEY, f"Question {number}. {LONG}")
    sent = len(prompts(bench))
    model.scripts = [ContextTooLong("Too long."), ContextTooLong("Still too long.")]
    await bench.loop.process(KEY, "Once more")
    assert len(prompts(bench)) == sent + 2
    assert bench.seen(TurnFailed)[-1].sentence == "Still too long."


@pytest.mark.parametrize("profile", ["two-layer", "dream"])
async def test_in_the_other_profiles_results_of_tools_are_shortened_too(tmp_path: Path, profile: str) -> None:
    (tmp_path / "long.txt").write_text("A line about the harbour and its boats.\n" * 180, "utf-8")
    asked = asks(*(call("read_file", path="long.txt") for _ in range(4)))
    model = Model(asked, ContextTooLong("Too long."), says("Read."), window=100_000)
    bench = make_bench(tmp_path, provider=model, profile=profile, max_tokens=1_000, time_zone="UTC")
    await bench.loop.process(KEY, "Read it.")
    assert bench.messages()[-1]["content"] == "Read."
    assert prompts(bench)[-1].tokens < prompts(bench)[-2].tokens
    assert any("results of tools are shortened" in event.sentence for event in bench.seen(Noticed))


async def test_what_the_server_counts_corrects_the_estimate(tmp_path: Path) -> None:
    bench = guarded(tmp_path, LLMResponse("Hi.", usage={"prompt_tokens": 9_000, "completion_tokens": 2}))
    await bench.loop.process(KEY, "Hello")
    await bench.loop.process(KEY, "Again")
    facts = prompts(bench)[-1].guard
    assert facts is not None
    assert facts.is_counted
    assert facts.tokens > prompts(bench)[-1].tokens
    assert (tmp_path / "memory" / "working-buffer.md").exists() == facts.is_buffering


@pytest.mark.slow
async def test_where_the_server_counts_less_nothing_is_dropped_before_it_has_to_be(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    bench.provider.last = LLMResponse("An answer. " * 20, usage={"prompt_tokens": 10, "completion_tokens": 50})
    compacted = 0
    for number in range(40):
        await bench.loop.process(KEY, f"{LONG} {number}")
        compacted += "marker" in kinds(prompts(bench)[-1])
        sent = [str(message["content"]) for message in bench.provider.requests[-1].messages]
        assert any(words.endswith(" 0") for words in sent)
    assert 0 < compacted < 30


@pytest.mark.parametrize("settings", [{"profile": "two-layer"}, {"profile": THREE_TIER, "context_guard": "off"}])
async def test_without_the_guard_nothing_is_compacted_or_recovered(tmp_path: Path, settings: dict[str, Any]) -> None:
    bench = guarded(tmp_path)
    bench.change(**settings)
    for number in range(14):
        await bench.loop.process(KEY, f"Question {number}. {LONG}")
    await bench.loop.process(KEY, "where were we?")
    assert {kind for prompt in prompts(bench) for kind in kinds(prompt)} == set()
    assert not (tmp_path / "memory" / "working-buffer.md").exists()


async def test_the_guard_can_be_switched_on_in_another_profile(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    bench.change(profile="two-layer", context_guard="on", memory_window=10_000)
    await fill(bench)


async def test_with_three_tiers_no_message_is_consolidated_behind_the_scenes(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, provider=Model(), profile=THREE_TIER, memory_window=4, real_memory=True)
    for number in range(12):
        await bench.loop.process(KEY, f"Question {number}")
    assert not bench.loop.consolidation.tasks
    assert bench.sessions.get_or_create(KEY).last_consolidated == 0
    assert not (tmp_path / "memory" / "HISTORY.md").exists()
    await bench.loop.process(KEY, "/new")
    assert not (tmp_path / "memory" / "HISTORY.md").exists()
    assert len(bench.messages()) == 0
    assert list((tmp_path / "sessions" / "archive").iterdir())


async def test_what_is_compacted_is_said_once(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await fill(bench)
    notices = [event for event in bench.seen(Noticed) if "no longer sent to the model" in event.sentence]
    assert len(notices) == 1
    assert "stay in this conversation" in notices[0].next_step


async def test_a_conversation_begun_anew_is_whole(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await fill(bench)
    await bench.loop.process(KEY, "/new")
    await bench.loop.process(KEY, "Hello again")
    assert kinds(prompts(bench)[-1]) == []


async def test_memory_and_recovery_together_keep_to_their_budget(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    bench.change(memory_budget_tokens=1_000)
    (tmp_path / "memory" / "MEMORY.md").write_text("# Memory\n" + "- a fact that is worth keeping\n" * 2_000)
    await bench.loop.process("desktop:before", "The boat is called Albatross. " * 30)
    await bench.loop.process(KEY, "where were we?")
    prompt = prompts(bench)[-1]
    assert "recovery" in kinds(prompt)
    assert prompt.memory_tokens <= 1_000 == prompt.memory_budget


async def test_the_session_file_reads_as_before(tmp_path: Path) -> None:
    bench = guarded(tmp_path)
    await fill(bench)
    session = SessionManager(tmp_path).load(KEY)
    assert session is not None
    assert {message["role"] for message in session.messages} == {"user", "assistant"}
    assert date.fromisoformat(next(iter((tmp_path / "memory").glob("????-??-??.md"))).stem)

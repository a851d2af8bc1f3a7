"""What a message says is on the disk before the model is asked, and whatever happens there, the message is answered."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.turn.conversation_writer import SentMessage
from mnemoscope.domain.capture.record import KEPT, REFUSED
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.errors import RateLimited
from mnemoscope.domain.events import Captured, Noticed, PromptBuilt, RecordAppended, TurnEnded
from mnemoscope.llm.offline.phrases import phrases_for
from mnemoscope.llm.offline.provider import OfflineProvider
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.faulty_calls import CountedCalls
from tests.support.scripted_provider import ScriptedProvider

MEMORY = "# Memory\n\n- The server is in Paris\n"


def wired(root: Path, *scripts: object, **more: object) -> Bench:
    (root / "memory").mkdir(parents=True, exist_ok=True)
    if not (root / "memory/MEMORY.md").exists():
        (root / "memory/MEMORY.md").write_text(MEMORY, encoding="utf-8")
    return make_bench(root, *scripts, real_memory=True, **more)  # type: ignore[arg-type]


def memory(root: Path) -> str:
    return (root / "memory/MEMORY.md").read_text(encoding="utf-8")


def state(root: Path) -> str:
    file = root / "SESSION-STATE.md"
    return file.read_text(encoding="utf-8") if file.exists() else ""


async def answered(bench: Bench, said: str) -> str:
    """Returns the answer to a message."""
    assert await bench.loop.process(KEY, said)
    return text_of(bench.messages()[-1])


async def test_it_is_on_the_disk_before_the_model_is_asked(tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    class Looking(ScriptedProvider):
        async def stream(self, *args: object, **kwargs: object):  # type: ignore[no-untyped-def]
            seen.append((memory(tmp_path), state(tmp_path)))
            async for part in super().stream(*args, **kwargs):  # type: ignore[arg-type]
                yield part

    bench = wired(tmp_path, provider=Looking("Noted."))
    assert await bench.loop.process(KEY, "I prefer tea. No, the server is in Berlin, not Paris.")
    ((kept, note),) = seen
    assert "- **preference**: I prefer tea\n" in kept
    assert "**preference**: I prefer tea\n" in note
    kinds = [type(event) for event in bench.events if isinstance(event, RecordAppended | Captured | PromptBuilt)]
    assert kinds == [RecordAppended, Captured, PromptBuilt, RecordAppended]
    (captured,) = bench.seen(Captured)
    assert (captured.session_key, captured.index, len(captured.captures)) == (KEY, 0, 2)


async def test_the_prompt_has_what_holds_now_and_the_state_of_this_conversation(tmp_path: Path) -> None:
    bench = wired(tmp_path, "One.", "Two.")
    await bench.loop.process(KEY, "No, the server is in Berlin, not Paris.")
    system, asked = (str(message["content"]) for message in bench.provider.requests[0].messages)
    assert "The server is in Paris" not in system
    assert "- **correction**: the server is in Berlin" in system
    assert "# Current Session State\n" in asked
    assert "**correction**: No, the server is in Berlin, not Paris" in asked
    assert "Current Session State" not in system
    (built,) = bench.seen(PromptBuilt)
    assert "memory/MEMORY.md: 1 line that another took the place of." in built.prompt.left_out
    await bench.loop.process("desktop:other", "Hello")
    assert "# Current Session State" not in str(bench.provider.requests[1].messages)


async def test_what_is_captured_leaves_all_before_the_newest_message_as_it_was(tmp_path: Path) -> None:
    bench = wired(tmp_path, *["Yes."] * 4)
    for said in ("Hello", "We decided to use Postgres for the database.", "My phone number is 0151 234567", "And now?"):
        await bench.loop.process(KEY, said)
    assert "Postgres" in state(tmp_path)
    assert "0151" in state(tmp_path)
    requests = [request.messages for request in bench.provider.requests]
    for sooner, later in pairwise(requests):
        assert later[: len(sooner) - 1] == sooner[:-1]
    assert "**decision**" in str(requests[-1][-1]["content"])


async def test_a_new_line_of_memory_changes_the_system_prompt_from_that_line_on(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Yes.", "Noted.")
    await bench.loop.process(KEY, "Hello")
    await bench.loop.process(KEY, "I prefer tea")
    sooner, later = (str(request.messages[0]["content"]) for request in bench.provider.requests)
    end = sooner.index("- The server is in Paris") + len("- The server is in Paris")
    assert "- **preference**: I prefer tea" in later
    assert later[:end] == sooner[:end]


async def test_a_long_state_gives_its_newest_lines_and_says_what_is_left_out(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Noted.", memory_budget_tokens=500)
    lines = "".join(f"- [2026-11-22T09:00:00] **remember**: number {number} of them\n" for number in range(100))
    (tmp_path / "SESSION-STATE.md").write_text(f"# SESSION-STATE.md\n\n{lines}", encoding="utf-8")
    await bench.loop.process(KEY, "Hello")
    prompt = str(bench.provider.requests[0].messages[-1]["content"])
    assert "number 99 of them" in prompt
    assert "number 3 of them" not in prompt
    (section,) = [each for each in bench.seen(PromptBuilt)[0].prompt.messages if each.title == "Session state"]
    assert section.tokens <= 125
    assert any("oldest lines are left out" in sentence for sentence in bench.seen(PromptBuilt)[0].prompt.left_out)


async def test_a_state_that_cannot_be_read_is_said_and_keeps_nobody_from_talking(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Hello.")
    (tmp_path / "SESSION-STATE.md").write_bytes(b"\xff\xfe\xff")
    await bench.loop.process(KEY, "Hello")
    assert bench.seen(TurnEnded)[0].outcome == "answered"
    assert any("SESSION-STATE.md" in sentence for sentence in bench.seen(PromptBuilt)[0].prompt.left_out)


def test_a_context_without_a_state_has_no_section(tmp_path: Path) -> None:
    assert "Session State" not in ContextBuilder(tmp_path).build_system_prompt()


@pytest.mark.parametrize(
    ("profile", "capture", "is_kept"),
    [
        ("two-layer", "", True),
        ("three-tier", "", True),
        ("dream", "", False),
        ("dream", "on", True),
        ("two-layer", "off", False),
    ],
)
async def test_the_profile_or_the_person_says_whether_anything_is_captured(
    tmp_path: Path, profile: str, capture: str, is_kept: bool
) -> None:
    bench = wired(tmp_path, "Noted.", profile=profile, capture=capture)
    await bench.loop.process(KEY, "I prefer tea")
    assert ("I prefer tea" in memory(tmp_path)) == is_kept
    assert bool(bench.seen(Captured)) == is_kept


async def test_while_it_is_paused_nothing_is_kept_and_that_is_noted(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Noted.", capture_paused=True)
    await bench.loop.process(KEY, "I prefer tea")
    assert memory(tmp_path) == MEMORY
    assert [(each.outcome, each.reason) for each in bench.seen(Captured)[0].captures] == [(REFUSED, "paused")]


async def test_commands_and_pasted_text_are_not_captured(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Noted.")
    await bench.loop.process(KEY, "/help I prefer tea")
    text = "Sum this up: I prefer cake"
    await bench.loop.process(KEY, text, [(13, len(text), "paste")])
    assert memory(tmp_path) == MEMORY


async def test_a_key_is_not_kept_and_that_is_said(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Noted.")
    await bench.loop.process(KEY, "Remember my key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    assert memory(tmp_path) == MEMORY
    assert [event.sentence for event in bench.seen(Noticed)] == [
        "What looks like a key or a password in your message was not kept in memory."
    ]


class Refusing(CountedCalls):
    """A disk that takes no SESSION-STATE.md while it `refuses`."""

    refuses = True

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if self.refuses and path.endswith("SESSION-STATE.md") and flags & 1:
            raise OSError(28, "No space left on device", path)
        return super().open(path, flags, mode)


async def test_what_the_disk_refuses_is_said_once_answered_all_the_same_and_kept_later(tmp_path: Path) -> None:
    calls = Refusing()
    bench = wired(tmp_path, "One.", "Two.", "Three.", calls=calls)
    await bench.loop.process(KEY, "I prefer tea")
    await bench.loop.process(KEY, "My name is Ann")
    assert [event.outcome for event in bench.seen(TurnEnded)] == ["answered", "answered"]
    (notice,) = bench.seen(Noticed)
    assert notice.sentence.startswith("What you said could not be kept in memory yet.")
    assert memory(tmp_path) == MEMORY
    calls.refuses = False
    await bench.loop.process(KEY, "Thank you")
    assert "I prefer tea" in memory(tmp_path)
    assert "My name is Ann" in memory(tmp_path)
    assert [event.index for event in bench.seen(Captured)] == [0, 2]


@pytest.mark.logs_errors("capturing failed")
async def test_a_fault_of_ours_stops_no_turn(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    bench = wired(tmp_path, "Noted.")
    bench.memory.captures.writer.capture = None
    await bench.loop.process(KEY, "I prefer tea")
    assert bench.seen(TurnEnded)[0].outcome == "answered"


async def test_a_message_that_a_crash_left_without_its_captures_is_captured_with_the_next(tmp_path: Path) -> None:
    bench = wired(tmp_path)
    session = bench.sessions.get_or_create(KEY)
    await bench.loop.writer.append_person(session, SentMessage("I prefer tea"))
    again = wired(tmp_path, "Noted.")
    await again.loop.process(KEY, "Are you there?")
    assert "I prefer tea" in memory(tmp_path)
    assert [event.index for event in again.seen(Captured)] == [0]


async def test_asking_again_after_a_failure_captures_once(tmp_path: Path) -> None:
    bench = wired(tmp_path, RateLimited("Down."), "Noted.")
    await bench.loop.process(KEY, "I prefer tea")
    await bench.loop.retry(KEY)
    assert memory(tmp_path).count("I prefer tea") == 1
    assert [each.outcome for event in bench.seen(Captured) for each in event.captures] == [KEPT]


async def test_new_takes_the_state_along_and_the_next_conversation_begins_without(tmp_path: Path) -> None:
    bench = wired(tmp_path, "Noted.", "Hello.", provider=None)
    await bench.loop.process(KEY, "The deadline is 2026-12-24")
    session = bench.sessions.get_or_create(KEY)
    session.last_consolidated = len(session.messages)
    bench.sessions.save(session)
    await bench.loop.process(KEY, "/new")
    (kept,) = (tmp_path / "sessions/archive").glob("*.SESSION-STATE.md")
    assert "2026-12-24" in kept.read_text(encoding="utf-8")
    assert kept.with_name(kept.name.replace(".SESSION-STATE.md", ".jsonl")).exists()
    assert "2026-12-24" not in state(tmp_path)
    await bench.loop.process(KEY, "Hello")
    assert "Current Session State" not in str(bench.provider.requests[-1].messages)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The wifi box is in the cellar. **Please don't forget this!**", "The wifi box is in the cellar"),
        ("Роутер стоит в подвале. Запомни это.", "Роутер стоит в подвале"),
        ("Vay-fay qutisi yerto'lada turadi. Buni unutma!", "Vay-fay qutisi yerto'lada turadi"),
        ("Вай-фай қутиси ертўлада туради. Буни эслаб қол.", "Вай-фай қутиси ертўлада туради"),
        ("路由器在地下室。请别忘了这一点！", "路由器在地下室"),
    ],
)
async def test_the_built_in_model_says_of_a_wish_what_became_of_it(tmp_path: Path, said: str, kept: str) -> None:
    bench = wired(tmp_path, provider=OfflineProvider(pace=0))
    answer = await answered(bench, said)
    assert f"- **remember**: {kept}\n" in memory(tmp_path)
    assert answer.startswith(f"{phrases_for(said).in_memory}\n\n- {kept}\n\n")
    again = await answered(bench, said)
    assert again.startswith(f"{phrases_for(said).in_memory}\n\n- {kept}\n\n")


async def test_the_built_in_model_does_not_call_remembered_what_was_not(tmp_path: Path) -> None:
    bench = wired(tmp_path, provider=OfflineProvider(pace=0), capture_paused=True)
    answer = await answered(bench, "The wifi box is in the cellar. Remember this.")
    assert "cellar" not in memory(tmp_path)
    assert "MEMORY.md has this" not in answer
    assert "Remembered" not in answer

"""What the program puts into a prompt is never taken for something that was said."""

from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.agent.prompt.memory_budget import MEMORY_KIND
from mnemoscope.agent.prompt.sent_messages import MARKER_KIND
from mnemoscope.domain.capture.record import STATE_HEADER
from mnemoscope.domain.context.daily_note import note_entry, note_title
from mnemoscope.domain.context.recovery import RECOVERY_KIND, asks_where_we_were
from mnemoscope.domain.context.working_buffer import buffer_entry, buffer_head
from mnemoscope.domain.events import PromptBuilt
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.settings import THREE_TIER
from tests.support.agent_bench import KEY, make_bench
from tests.support.scripted_provider import ScriptedProvider

MARK = "zibzab"
DAY = datetime(2026, 11, 21, 8)
KEPT = ["I prefer {}. ", "Remember that {} is near. ", "My name is {}. ", "\n# {}\n", "\n- **remember**: {}\n", "{}? "]
ASKED = ["Where were we?", "на чём мы остановились?", "I prefer tea.", "Hello", "what were we doing?", "Long. " * 700]

kept = st.lists(st.sampled_from(KEPT), min_size=1, max_size=4).map("".join).map(lambda text: text.format(*[MARK] * 9))
asked = st.lists(st.sampled_from(ASKED), min_size=1, max_size=5)


def fill(root: Path, text: str) -> None:
    """All that a prompt may be told, with the mark in each."""
    (root / "memory").mkdir()
    (root / "memory" / "MEMORY.md").write_text(f"# Memory\n\n{text}\n", "utf-8")
    note = note_title(date(2026, 11, 21)) + note_entry(DAY, text)
    (root / "memory" / "2026-11-21.md").write_text(note, "utf-8")
    buffer = buffer_head(DAY, KEY) + buffer_entry(DAY, text, text)
    (root / "memory" / "working-buffer.md").write_text(buffer, "utf-8")
    line = " ".join(text.split())
    state = f"{STATE_HEADER}\n\n- [2026-11-21T08:00:00+00:00] **decision**: {line}\n"
    (root / "SESSION-STATE.md").write_text(state, "utf-8")


def marks(root: Path) -> dict[str, int]:
    """Returns how often each file says the mark, but for the prompts that are kept for looking back and texts memory
    had."""
    found: dict[str, int] = {}
    for file in root.rglob("*"):
        name = file.relative_to(root).as_posix()
        if file.is_file() and not name.startswith((".mnemoscope/prompts/", ".mnemoscope/versions/")):
            found[name] = file.read_text("utf-8").count(MARK)
    return {name: count for name, count in found.items() if count}


@pytest.mark.slow
@given(kept, asked)
async def test_nothing_that_was_put_into_a_prompt_comes_back(
    tmp_path_factory: pytest.TempPathFactory, text: str, messages: list[str]
) -> None:
    root = tmp_path_factory.mktemp("w")
    fill(root, text)
    before = marks(root)
    provider = ScriptedProvider(last=LLMResponse("Fine."), window=9_000)
    bench = make_bench(root, provider=provider, real_memory=True, profile=THREE_TIER, max_tokens=500, time_zone="UTC")
    for words in messages:
        await bench.loop.process(KEY, words)
    prompts = [event.prompt for event in bench.seen(PromptBuilt)]
    assert any(MARK in part.text for prompt in prompts for part in (*prompt.system, *prompt.messages))
    kinds = [part.kind for prompt in prompts for part in prompt.messages if part.kind]
    assert set(kinds) <= {RECOVERY_KIND, MARKER_KIND, MEMORY_KIND}
    assert RECOVERY_KIND in kinds or not any(map(asks_where_we_were, messages))
    after = marks(root)
    # A buffer that has served is emptied.
    assert {**before, "memory/working-buffer.md": 0} == {**after, "memory/working-buffer.md": 0}
    assert after.get("memory/working-buffer.md", 0) in (0, before["memory/working-buffer.md"])
    assert not any(MARK in str(message["content"]) for message in bench.messages())

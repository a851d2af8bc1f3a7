"""The built-in model and what capture wrote before it was asked: nothing untrue is said of it, nothing stands twice."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mnemoscope.agent.prompt.session_state import HEADING
from mnemoscope.domain.capture.captured_line import memory_line, state_line
from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.llm.offline.answers import reply_to
from mnemoscope.llm.offline.consolidation import memory_update
from mnemoscope.llm.offline.phrases import phrases_for
from mnemoscope.llm.offline.request_reader import SpokenMessage
from mnemoscope.store.capture.rule_files import default_rules
from mnemoscope.store.files.shipped import shipped_prompt

MEMORY = "# Memory\n\n## Preferences\n\n- Lives in York\n\n## Auto-captured\n\n- **preference**: I prefer tea\n"


def answer(said: str, memory: str = MEMORY, state: str = "") -> str:
    system = f"# Memory\n\n## Long-term Memory\n\n{memory}"
    if state:
        system += f"\n\n---\n\n{HEADING}\n{shipped_prompt('session-state')}\n{state}\n\n---\n\n# Recent\n\nNothing."
    reply = reply_to([{"role": "system", "content": system}, {"role": "user", "content": said}], {})
    assert isinstance(reply, str)
    return reply


def test_what_was_captured_is_said_to_be_in_memory() -> None:
    text = answer("I prefer tea")
    assert text.startswith("MEMORY.md has this:\n\n- Prefers tea")
    assert "not in MEMORY.md yet" not in text


@pytest.mark.parametrize(
    "said",
    [
        "Remember that Tom's dog is called Rex.",
        "My server is on port 8080, don't forget this!",
        "My deadline is Friday, please remember that.",
        f"Remember: {'the kiln was moved to another shed and ' * 12}fired again",
    ],
)
def test_what_was_captured_of_a_wish_is_not_said_to_be_missing(said: str) -> None:
    lines = [memory_line(capture) for capture in captures_in(said, default_rules())]
    assert lines
    text = answer(said, "# Memory\n\n## Auto-captured\n\n" + "\n".join(lines) + "\n")
    assert "not in MEMORY.md yet" not in text
    assert text.startswith("MEMORY.md has this:")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The wifi box is in the cellar. Please don't forget this!", "The wifi box is in the cellar"),
        ("The wifi box is in the cellar. **Remember this.**", "The wifi box is in the cellar"),
        ("The wifi box is in the cellar, keep that in mind. Thanks!", "The wifi box is in the cellar"),
        ("Could you remember that the bins go out on Fridays?", "The bins go out on Fridays"),
        ("Роутер стоит в подвале. Пожалуйста, не забудь это!", "Роутер стоит в подвале"),
        ("Роутер стоит в подвале. Запомни.", "Роутер стоит в подвале"),
        ("Vay-fay qutisi yerto'lada turadi. Iltimos, buni unutma!", "Vay-fay qutisi yerto'lada turadi"),
        ("Вай-фай қутиси ертўлада туради. Буни эслаб қол.", "Вай-фай қутиси ертўлада туради"),
        ("路由器在地下室。请别忘了这一点！", "路由器在地下室"),
        ("无线路由器在地下室，帮我记着", "无线路由器在地下室"),
    ],
)
@pytest.mark.parametrize("place", ["memory", "state"])
def test_a_wish_that_points_back_is_answered_by_what_capture_did(said: str, kept: str, place: str) -> None:
    (capture,) = captures_in(said, default_rules())
    at, phrases = datetime(2026, 11, 22, 9, tzinfo=UTC), phrases_for(said)
    lines = {"memory": memory_line(capture), "state": state_line(capture, at)}
    if place == "memory":
        text = answer(said, f"# Memory\n\n## Auto-captured\n\n{lines['memory']}\n", lines["state"])
        assert text.startswith(f"{phrases.in_memory}\n\n- {kept}\n\n")
    else:
        text = answer(said, "# Memory\n", lines["state"])
        assert text.startswith(f"{phrases.in_conversation}\n\n- {kept}\n\n")
    assert phrases.how_to_keep not in text
    assert phrases.nothing_found.split("{")[0] not in text
    assert phrases.knows_only_this not in text
    assert "mention" not in text
    without = answer(said, "# Memory\n")
    assert phrases.in_memory not in without
    assert "Remembered" not in without


def test_what_a_conversation_decided_is_said_to_be_remembered_there() -> None:
    said = "Let's go with PostgreSQL. When is the deadline?"
    (capture,) = captures_in(said, default_rules())
    text = answer(said, state=state_line(capture, datetime(2026, 11, 22, 9, tzinfo=UTC)))
    assert text.startswith("Remembered for this conversation:\n\n- Decided to go with PostgreSQL\n\nI looked for")
    assert "*deadline*" in text


@pytest.mark.parametrize("said", ["Why do I prefer tea?", "Do I prefer tea, or not?", "What tea do I prefer?"])
def test_a_question_about_what_was_captured_is_looked_up(said: str) -> None:
    assert "MEMORY.md has this" not in answer(said)
    assert "mentions *prefer*, *tea*" in answer(said) or "mentions *tea*, *prefer*" in answer(said)


def test_what_was_not_is_said_to_come_with_consolidation() -> None:
    text = answer("I prefer tea. The deadline is Friday.")
    assert "MEMORY.md has this:\n\n- Prefers tea" in text
    assert "- Deadline is Friday\n\nIt is not in MEMORY.md yet" in text


def test_consolidation_does_not_write_a_captured_fact_a_second_time() -> None:
    spoken = [SpokenMessage("2026-11-22 09:00", "USER", (), "I prefer tea. My team is Falcon.")]
    update = memory_update(MEMORY, spoken)
    assert "Prefers tea" not in update
    assert "Team is Falcon" in update
    assert update.count("I prefer tea") == 1


def test_consolidation_puts_what_it_found_under_no_heading_of_captures() -> None:
    spoken = [SpokenMessage("2026-11-22 09:00", "USER", (), "The deadline is Friday.")]
    captured = "## Auto-captured\n\n- **preference**: I prefer tea\n"
    update = memory_update(f"# Kiln\n\n- Fires at 1222\n\n# Shop\n\n- Opens at nine\n\n{captured}", spoken)
    assert update == f"# Kiln\n\n- Fires at 1222\n\n# Shop\n\n- Opens at nine\n- Deadline is Friday\n\n{captured}"
    update = memory_update(f"# Memory\n\n{captured}", spoken)
    assert update == f"# Memory\n\n- Deadline is Friday\n\n{captured}"


def test_of_a_correction_what_holds_now_is_known() -> None:
    memory = "# Memory\n\n## Auto-captured\n\n- **correction**: the server is in Berlin\n"
    spoken = [SpokenMessage("2026-11-22 09:00", "USER", (), "No, the server is in Berlin, not Paris.")]
    assert memory_update(memory, spoken) == memory

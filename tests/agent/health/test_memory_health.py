from __future__ import annotations

from datetime import datetime

from mnemoscope.agent.health.memory_health import _Tally, reason_of
from mnemoscope.agent.prompt.sent_prompts import SentPrompt
from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.health.report import FindingKind, HealthFinding, MemoryCost, without_line

CAT = "- The cat is called Biscuit"
RENT = "- Rent is 940 pounds"


def sent(when: str) -> SentPrompt:
    section = PromptSection("Memory", "memory/MEMORY.md", f"# Memory\n\n{CAT}\n{RENT}", 20, "memory")
    request = ({"role": "system", "content": section.text}, {"role": "user", "content": "What is my pet called?"})
    prompt = PromptSnapshot(
        model="m", system=(section,), messages=(), tools=(), left_out=(), context_window=0, request=request
    )
    return SentPrompt(0, when, prompt, "p1")


def test_lines_that_no_answer_rests_on_are_counted_as_unused() -> None:
    tally = _Tally(datetime(2026, 1, 1))
    messages: list[Message] = [
        {"role": "user", "content": "What is my pet called?"},
        {"role": "assistant", "content": "Biscuit, the cat.", "memory": {"prompt": "p1"}},
    ]
    tally.add([sent("2026-01-05T10:00:00"), sent("2025-11-05T10:00:00")], messages)
    cost = tally.cost()
    assert cost.prompts == 1
    assert 0 < cost.unused < cost.tokens


def test_what_was_never_answered_used_nothing() -> None:
    tally = _Tally(datetime(2026, 1, 1))
    tally.add([sent("2026-01-05T10:00:00")], [{"role": "user", "content": "What is my pet called?"}])
    assert tally.cost().unused == tally.cost().tokens


def test_the_tokens_of_a_day_are_the_average_of_all_days() -> None:
    assert MemoryCost(30, 5, 3_000, 10).a_day == 100


def test_a_finding_takes_out_its_line_alone_or_puts_another_for_it() -> None:
    text = f"# Facts\n\n{CAT}\n{RENT}\n{CAT}\n"
    taken = HealthFinding(FindingKind.DUPLICATE, "memory/MEMORY.md", 5, CAT, "The cat is called Biscuit")
    assert without_line(text, taken) == f"# Facts\n\n{CAT}\n{RENT}\n"
    dated = HealthFinding(FindingKind.ROTTING_DATE, "memory/MEMORY.md", 4, RENT, "", "- Rent was 940 pounds")
    assert without_line(text, dated) == f"# Facts\n\n{CAT}\n- Rent was 940 pounds\n{CAT}\n"
    assert without_line("# Facts\n", taken) is None


def test_each_kind_of_finding_has_its_reason() -> None:
    reasons = {reason_of(HealthFinding(kind, "memory/MEMORY.md", 1, CAT, "words")) for kind in FindingKind}
    assert len(reasons) == len(FindingKind)

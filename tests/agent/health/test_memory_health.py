from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from mnemoscope.agent.health.memory_health import _Tally, finding_reason
from mnemoscope.agent.prompt.sent_prompts import SentPrompt
from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.health.report import FindingKind, Growth, HealthFinding, LineUse, MemoryCost, without_line
from mnemoscope.domain.memory.change import MEMORY_PATH

CAT = "- The cat is called Biscuit"
RENT = "- Rent is 940 pounds"


def sent(when: str, source: str = MEMORY_PATH) -> SentPrompt:
    section = PromptSection("Memory", source, f"# Memory\n\n{CAT}\n{RENT}", 20, "memory")
    request = ({"role": "system", "content": section.text}, {"role": "user", "content": "What is my pet called?"})
    prompt = PromptSnapshot(
        model="m", system=(section,), messages=(), tools=(), left_out=(), context_window=0, request=request
    )
    return SentPrompt(0, when, prompt, "p1")


MESSAGES: list[Message] = [
    {"role": "user", "content": "What is my pet called?"},
    {"role": "assistant", "content": "Biscuit, the cat.", "memory": {"prompt": "p1"}},
]


def tallied(*prompts: SentPrompt, messages: Sequence[Message] = MESSAGES) -> _Tally:
    tally = _Tally(datetime(2026, 1, 31))
    tally.add(prompts, messages)
    return tally


def test_lines_that_no_answer_rests_on_are_counted_as_unused() -> None:
    cost = tallied(sent("2026-01-05T10:00:00"), sent("2025-11-05T10:00:00")).cost()
    assert cost.prompts == 1
    assert 0 < cost.unused < cost.tokens


def test_what_was_never_answered_used_nothing() -> None:
    cost = tallied(sent("2026-01-05T10:00:00"), messages=[{"role": "user", "content": "What is it?"}]).cost()
    assert cost.unused == cost.tokens


def test_each_line_that_was_sent_says_what_it_cost_and_how_often_it_was_used_those_never_used_first() -> None:
    tally = tallied(sent("2026-01-05T10:00:00"), sent("2026-01-06T10:00:00"), sent("damaged"))
    text = f"# Memory\n\n{CAT}\n- Never sent\n{RENT}\n{CAT}\n"
    of_rent = LineUse(MEMORY_PATH, 5, RENT, 2 * estimate_tokens(RENT), 2, date(2026, 1, 6))
    of_cat = LineUse(MEMORY_PATH, 3, CAT, 2 * estimate_tokens(CAT), 2, date(2026, 1, 6), used=2)
    assert tally.lines({MEMORY_PATH: text}) == (of_rent, of_cat)
    assert of_rent.finding == HealthFinding(FindingKind.UNUSED, MEMORY_PATH, 5, RENT)
    assert tallied(sent("2026-01-05T10:00:00", source="MEMORY.md")).lines({MEMORY_PATH: text})


def test_the_memory_in_the_newest_prompt_of_each_week_is_kept_for_a_year() -> None:
    first, later = sent("2025-11-04T10:00:00"), sent("2025-11-05T10:00:00")
    tokens = estimate_tokens(CAT) + estimate_tokens(RENT)
    (curve,) = tallied(later, first, sent("2025-01-01T10:00:00"), sent("2026-01-05T10:00:00")).growth()
    assert curve == Growth("", ((date(2025, 11, 5), tokens), (date(2026, 1, 5), tokens)))
    assert tallied().growth() == []


def test_the_tokens_of_a_day_are_the_average_of_all_days() -> None:
    assert MemoryCost(30, 5, 3_000, 10).a_day == 100


def test_days_before_the_first_prompt_do_not_count() -> None:
    assert tallied(sent("2026-01-30T10:00:00"), sent("2026-01-27T10:00:00")).cost().days == 5
    assert tallied(sent("2026-01-01T10:00:00")).cost().days == 30
    assert tallied().cost().days == 1


def test_a_finding_takes_out_its_line_alone_or_puts_another_for_it() -> None:
    text = f"# Facts\n\n{CAT}\n{RENT}\n{CAT}\n"
    taken = HealthFinding(FindingKind.DUPLICATE, "memory/MEMORY.md", 5, CAT, "The cat is called Biscuit")
    assert without_line(text, taken) == f"# Facts\n\n{CAT}\n{RENT}\n"
    dated = HealthFinding(FindingKind.ROTTING_DATE, "memory/MEMORY.md", 4, RENT, "", "- Rent was 940 pounds")
    assert without_line(text, dated) == f"# Facts\n\n{CAT}\n- Rent was 940 pounds\n{CAT}\n"
    assert without_line("# Facts\n", taken) is None


def test_each_kind_of_finding_has_its_reason() -> None:
    reasons = {finding_reason(HealthFinding(kind, "memory/MEMORY.md", 1, CAT, "words")) for kind in FindingKind}
    assert len(reasons) == len(FindingKind)

"""Memory keeps to what it may take of a prompt, and says what it left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.agent.prompt.memory_budget import MEMORY_KIND, memory_tokens, within_budget
from mnemoscope.domain.context.prompt_snapshot import PromptSection
from mnemoscope.domain.conversation.token_estimate import estimate_tokens


def section(title: str, lines: int, kind: str = MEMORY_KIND) -> PromptSection:
    text = "\n".join([f"# {title}", *(f"- line {number} of {title}" for number in range(lines))])
    return PromptSection(title, f"{title}.md", text, estimate_tokens(text), kind)


def test_what_fits_is_left_as_it_is() -> None:
    sections, notices = [section("Identity", 5, ""), section("Memory", 5)], list[str]()
    assert within_budget(sections, 8_000, notices) == (sections, None, ())
    assert notices == []


def test_of_memory_the_first_lines_stay_and_of_the_state_the_newest() -> None:
    sections, notices = [section("Memory", 2_000), section("Session state", 2_000)], list[str]()
    (memory, state), cut, _ = within_budget(sections, 1_000, notices)
    assert "- line 0 of Memory\n" in memory.text
    assert "- line 1999 of Memory" not in memory.text
    whole = sections[0].text.split("\n")
    assert cut is not None
    assert memory.text.split("\n")[:-1] == whole[:cut]
    assert whole[cut] not in memory.text
    assert "- line 1999 of Session state" in state.text
    assert "- line 0 of" not in state.text
    assert [notice.split(":")[0] for notice in notices] == ["Memory.md", "Session state.md"]


def test_what_is_no_memory_is_never_cut() -> None:
    identity = section("Identity", 5_000, "")
    assert within_budget([identity, section("Memory", 5_000)], 600, []).sections[0] is identity


@pytest.mark.parametrize("budget", [500, 1_000, 3_000])
@given(st.lists(st.integers(0, 900), min_size=3, max_size=3))
def test_memory_never_takes_more_than_its_budget_and_uses_it(budget: int, lines: list[int]) -> None:
    names = ("Memory", "Session state", "Recent history")
    sections = [section(name, count) for name, count in zip(names, lines, strict=True)]
    fitted = within_budget(sections, budget, []).sections
    assert memory_tokens(fitted) <= budget
    assert [each.title for each in fitted] == list(names)
    if memory_tokens(sections[:1]) > budget:
        assert memory_tokens(fitted) > budget - 40

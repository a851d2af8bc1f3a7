"""Finding the thread again: the question is known in five languages, and what is told keeps to its budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.context.recovery import RecoverySource, asks_where_we_were, recovery_of, recovery_text
from mnemoscope.domain.conversation.token_estimate import estimate_tokens

LABEL = "[Recovery: notes.]"
ASKED = (
    "where were we?",
    "Where were we",
    "Sorry, I was away — where are we now?",
    "Where did we leave off?",
    "Let's continue where we left off.",
    "What were we doing?",
    "remind me where we stopped",
    "Qayerda toʻxtagan edik?",
    "qayerda to'xtadik",
    "Nima qilayotgan edik?",
    "Qayerdan davom etamiz?",
    "Қаерда тўхтаган эдик?",
    "Нима ҳақида гаплашаётган эдик?",
    "На чём мы остановились?",
    "о чем мы вчера говорили",
    "Давай продолжим с того места",
    "我们说到哪了?",
    "刚才聊到哪里了",
    "我們上次討論到什麼?",
    "Where had we got to?",
    "Let’s pick up where we left off",
    "Nima qilayotgandik?",
    "qayerda qolgandik",
    "Нима ҳақида гаплашаётгандик?",
    "на чём остановились?",
    "Мы на чём остановились?",
    "Напомни, о чем мы с тобой говорили",
    "说到哪了？",
    "我们刚才在做什么？",
    "上次我们在做什么",
    "从上次的地方继续吧",
    "我们在哪里停下的？",
)
NOT_ASKED = (
    "The file was truncated, why?",
    "Where were we supposed to send the invoice, and when is it due?",
    "Where is the station?",
    "What was the name of the restaurant?",
    "Tell me about context limits and <summary> tags",
    "Продолжительность фильма?",
    "Мы остановились в гостинице",
    "我们到哪里吃饭?",
    "Men Toshkentda toʻxtadim",
    "where were we? " * 60,
    "Resume where I work now: a page about my jobs",
    "Qayerda qoldi kitobim?",
    "Қаерга келасан?",
    "На чём остановились поезда в Сибири",
    "说到哪个品牌，你推荐哪个？",
    "我们讨论到什么时候？",
    "在哪里停车？",
)


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("What did we talk about last time?", "What did we talk about Paris for?"),
        ("Where did we stop?", "Where did we stop for lunch on the trip?"),
        ("Что мы делали в прошлый раз?", "что мы делали летом в лагере"),
        ("О чём у нас шла речь?", "О чём этот фильм?"),
        ("Suhbatimiz qayerda to'xtagan edi?", "Avtobus qayerda to'xtagan edi?"),
        ("Суҳбатимиз қаерда тўхтаган эди?", "Автобус қаерда тўхтаган эди?"),
    ],
)
def test_the_same_words_about_something_else_ask_for_nothing(asked: str, other: str) -> None:
    assert asks_where_we_were(asked)
    assert not asks_where_we_were(other)


@pytest.mark.parametrize("text", ASKED)
def test_who_asks_for_the_thread_is_understood(text: str) -> None:
    assert asks_where_we_were(text)


@pytest.mark.parametrize("text", NOT_ASKED)
def test_who_does_not_ask_for_it_is_left_alone(text: str) -> None:
    assert not asks_where_we_were(text)


def test_the_newest_is_told_first_and_what_is_left_out_is_counted() -> None:
    entries = tuple(f"entry {number} " + "word " * 20 for number in range(20))
    (section,) = recovery_of([RecoverySource("Working Buffer", "memory/working-buffer.md", entries)], 120, LABEL)
    assert section.text.startswith("## Working Buffer\n\nentry 19 ")
    assert section.left_out == 20 - section.text.count("entry")
    assert "entry 18" in section.text


def test_one_entry_longer_than_the_budget_is_cut() -> None:
    (section,) = recovery_of([RecoverySource("Notes", "n.md", ("old", "word " * 2_000))], 100, LABEL)
    assert section.text.endswith("…")
    assert section.left_out == 1


def test_nothing_kept_is_nothing_told() -> None:
    assert (
        recovery_of([RecoverySource("Notes", "n.md", ()), RecoverySource("State", "s.md", (" ",))], 1_000, LABEL) == ()
    )
    assert recovery_text((), LABEL) == ""


entries = st.lists(st.text(st.sampled_from("abc дй 记\n"), max_size=300), max_size=8).map(tuple)


@given(st.lists(entries, max_size=3), st.integers(1, 400))
def test_what_is_told_never_exceeds_its_budget(sources: list[tuple[str, ...]], budget: int) -> None:
    sections = recovery_of([RecoverySource("Source", "file.md", each) for each in sources], budget, LABEL)
    text = recovery_text(sections, LABEL)
    assert not text or text.startswith(LABEL)
    assert estimate_tokens(text) <= budget + len(sections) if text else True

"""Which passage answers a query better, and which say the same."""

from dataclasses import replace

import pytest

from mnemoscope.domain.search.line_heads import without_marks
from mnemoscope.domain.search.query import parse_query
from mnemoscope.domain.search.ranking import (
    PassageFeatures,
    Scorer,
    TermRarity,
    fused,
    grouped_duplicates,
    is_question,
    nearness_shares,
    rarity,
)
from mnemoscope.domain.search.words import Related, language, tokens_of

WORDS = Related("bike bicycle\n", "", "the a did i my is when how much who does where was which at all")

EQUAL = TermRarity(2.0, 2.0, 2.0)


def passage(text: str, role: str = "user", near: frozenset[int] = frozenset()) -> PassageFeatures:
    return PassageFeatures(text, tokens_of(text), role, language(text), near)


def better(query: str, one: PassageFeatures, other: PassageFeatures) -> bool:
    parsed = parse_query(query, WORDS)
    scorer = Scorer(parsed, [EQUAL] * len(parsed.terms))
    return scorer.score(one) * scorer.fitness(one) > scorer.score(other) * scorer.fitness(other)


@pytest.mark.parametrize(
    ("query", "one", "other"),
    [
        ("green tea", "tea that is green is fine", "tea that is fine is here"),
        ("the bicycle", "bicycle", "bike"),
        ("when does the bus leave", "the bus leaves at 7:40", "the bus leaves soon enough"),
        ("how much was the bike", "the bike was ninety", "the bike was cheap then"),
        ("who called about bread", "about bread, Marta called", "about bread, they called"),
        ("when is the bread here", "the bread is here since the twentieth", "the bread is here since the market"),
        ("when is the bread here", "the bread is here three weeks ago", "the bread is here, maybe, or not"),
        ("when is the bus here", "le bus arrive vendredi ici", "le bus arrive bientôt ici"),
        ("wann ist bus hier", "bus ist freitags am Montag da", "bus ist freilich am Ufer da"),
        ("how much is the bus", "der bus kostet achtzig Euro", "der bus kostet einige Euro"),
        ("how much is the bus", "bus ราคา สิบ บาท", "bus ราคา ถูก บาท"),
        ("when is the bus", "bus 금요일에 와요 여기", "bus 천천히에 와요 여기"),
        ("bus", "the bus is late", "is the bus late?"),
        ("green tea", "green tea is here now", "tea is here, now green"),
        ("bread", "bread bread bread is all", "bread is all there is"),
        ("bread", "- **x**: bread today", "- ~~**x**: bread today~~"),
        ("menga non kerak", "menga bugun non keldi", "the non is here today"),
    ],
)
def test_the_better_answer_comes_first(query: str, one: str, other: str) -> None:
    assert better(query, passage(one), passage(other))


def test_the_persons_own_words_count_more_and_a_tools_less() -> None:
    assert better("my bread", passage("bread is here"), passage("bread is here", "assistant"))
    assert better("bread", passage("bread is here", "assistant"), passage("bread is here", "tool"))


def test_where_a_question_is_asked_a_message_of_a_few_words_counts_less_and_a_short_line_of_memory_does_not() -> None:
    query = parse_query("where is the green bike?", WORDS)
    scorer = Scorer(query, [EQUAL] * len(query.terms))
    short, full, longer = (
        passage(text) for text in ("the green bike, ha", f"the green bike {'x' * 111}", f"the green bike {'x' * 900}")
    )
    said = [scorer.fitness(replace(each, is_talk=True)) for each in (short, full, longer)]
    assert said[0] < said[1] == said[2]
    assert len({scorer.fitness(each) for each in (short, full, longer)}) == 1
    looked_for = parse_query("green bike", WORDS)
    by_words = Scorer(looked_for, [EQUAL] * len(looked_for.terms))
    assert len({by_words.fitness(replace(each, is_talk=True)) for each in (short, full)}) == 1


def test_a_character_that_says_a_word_counts_as_more_than_a_letter() -> None:
    query = parse_query("绿色的自行车在哪里？", WORDS)
    scorer = Scorer(query, [EQUAL] * len(query.terms))
    chinese, latin = (replace(passage(text), is_talk=True) for text in ("自行车停在楼下的院子里", "the bicycle"))
    assert len(chinese.text) == len(latin.text)
    assert scorer.fitness(chinese) > scorer.fitness(latin)


def test_a_word_in_the_message_before_counts_a_little() -> None:
    beside = passage("it was ninety", near=frozenset({0, 1}))
    assert better("green bike", passage("the bike is here"), beside)
    assert better("green bike", beside, passage("it was ninety"))
    alone = passage("it was ninety", near=frozenset({0}))
    assert not better("bike", alone, passage("nothing"))


def test_a_word_counts_by_its_own_rarity_though_words_used_for_the_same_are_common() -> None:
    parsed = parse_query("green bicycle", WORDS)
    rare = Scorer(parsed, [TermRarity(3.0, 3.0, 3.0), TermRarity(5.0, 1.0, 1.0)])
    assert rare.score(passage("bicycle is here")) > rare.score(passage("green is here"))
    assert rare.score(passage("bike is here")) < rare.score(passage("green is here"))


def test_who_is_named_counts_as_the_speaker() -> None:
    scorer = Scorer(parse_query("does Nora like tea", WORDS), [EQUAL] * 3)
    assert scorer.of_speaker("Nora: green is fine") > 1
    assert scorer.of_speaker("Tom: Nora likes tea") == 1


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("Tea? ", True), ("\u8336\uff1f", True), ("\u0634\u0627\u064a\u061f", True), ("Tea? Yes", False)],
)
def test_what_ends_with_a_question_is_one(text: str, is_one: bool) -> None:
    assert is_question(text) is is_one


def test_a_phrase_has_to_be_there() -> None:
    scorer = Scorer(parse_query('"green tea"', WORDS), [EQUAL] * 2)
    assert scorer.has_phrases
    assert scorer.fitness(passage("Green tea!")) > 1
    assert scorer.fitness(passage("tea, green")) == 0


def test_the_words_of_a_query_are_marked() -> None:
    query = parse_query("bike 花生酱", WORDS)
    scorer = Scorer(query, [EQUAL] * len(query.terms))
    text = "My bikes and 花生酱"
    assert [text[start:stop] for start, stop in scorer.spans(text)] == ["bikes", "花生酱"]
    assert scorer.spans("nothing") == ()


def test_a_word_used_for_the_same_thing_is_found_and_not_marked_as_if_it_had_been_typed() -> None:
    query = parse_query("bicycle", WORDS)
    scorer = Scorer(query, [EQUAL])
    assert scorer.score(passage("My bikes and a bicycle")) > scorer.score(passage("My bikes and a car")) > 0
    text = "My bikes and a bicycle"
    assert [text[start:stop] for start, stop in scorer.spans(text)] == ["bicycle"]
    typed = Scorer(parse_query("bicy", WORDS, typing=True), [EQUAL])
    assert [text[start:stop] for start, stop in typed.spans(text)] == ["bicycle"]


def test_rare_words_weigh_more() -> None:
    assert rarity(1, 1000) > rarity(10, 1000) > rarity(1000, 1000) > 0
    assert rarity(2000, 1000) > 0


def test_words_and_meaning_are_fused_by_how_good_they_are() -> None:
    assert fused({"a": 10.0, "b": 5.0}, {"b": 1.0, "c": 0.5}, 0.4) == {"b": 0.7, "a": 0.6, "c": 0.2}
    assert list(fused({"a": 10.0, "b": 9.9}, {"c": 1.0}, 0.4)) == ["a", "b", "c"]
    assert fused({}, {"c": 1.0}, 0.4) == {"c": 0.4}
    assert fused({}, {}) == {}


def test_a_share_of_nearness_lies_between_the_usual_and_the_nearest() -> None:
    shares = nearness_shares({"far": -0.4, "usual": 0.0, "between": 0.2, "nearest": 0.4}, 0.4)
    assert {key: round(share, 6) for key, share in shares.items()} == {
        "far": 0,
        "usual": 0,
        "between": 0.5,
        "nearest": 1,
    }
    assert nearness_shares({"a": 0.0}, 0.0) == {"a": 0}


def test_what_says_the_same_is_gathered_behind_the_best() -> None:
    texts = ["I prefer green tea", "- [2026-01-02T10:00:00+00:00] **preference**: I prefer green tea", "I had 3 teas",
             "I had 4 teas", "。"]  # fmt: skip
    words = {text: frozenset(stem for _, stem in tokens_of(without_marks(text))) for text in texts}
    assert grouped_duplicates(texts, words.__getitem__) == [texts[:2], [texts[2]], [texts[3]], [texts[4]]]


def test_a_word_of_another_language_that_looks_alike_does_not_count() -> None:
    words = Related("night dark ночь tun 夜里\n", "", "the at my is")

    def score(asked: str, text: str, spoken: str = "") -> float:
        query = parse_query(asked, words)
        return Scorer(query, [EQUAL] * len(query.terms)).score(PassageFeatures(text, tokens_of(text, spoken)))

    assert score("night", "Mill is dark")
    assert score("night", "tunda kech", "uz")
    assert not score("night", "He tuned the piano")
    assert not score("tune", "The night is long")
    assert score("tune", "He tuned the piano")

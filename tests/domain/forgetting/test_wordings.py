"""Words and phrases are found in the groups in which they stand, in each of the languages."""

from __future__ import annotations

import pytest

from mnemoscope.domain.forgetting.wordings import PhraseFound, Wordings

TEXT = """
# people
boss manager | начальни* | boshliq* rahbar* | 老板 上司
stop stops give+up gave+up | брос* | tashla* voz+kech* | 戒 放弃

~ live lives | жив* | yasha* | 住
"""


@pytest.mark.parametrize(
    ("word", "is_uzbek", "groups"),
    [
        ("manager", False, {0}),
        ("managers", False, {0}),
        ("начальником", False, {0}),
        ("rahbarim", True, {0}),
        ("раҳбарим", True, {0}),
        ("rahbarim", False, set()),
        ("живёт", False, {2}),
        ("boss", True, set()),
        ("tree", False, set()),
    ],
)
def test_a_word_stands_in_the_groups_of_its_language(word: str, *, is_uzbek: bool, groups: set[int]) -> None:
    assert Wordings(TEXT).groups_of(word, is_uzbek=is_uzbek) == groups


def test_phrases_are_found_where_their_words_follow_each_other() -> None:
    wordings = Wordings(TEXT)
    assert list(wordings.phrases_in(["wants", "to", "give", "up", "tea"], is_uzbek=False)) == [PhraseFound(2, 4, 1)]
    assert list(wordings.phrases_in(["choydan", "voz", "kechdi"], is_uzbek=True)) == [PhraseFound(1, 3, 1)]
    assert list(wordings.phrases_in(["чойдан", "воз", "кечди"], is_uzbek=False)) == [PhraseFound(1, 3, 1)]
    assert list(wordings.phrases_in(["give", "tea", "up"], is_uzbek=False)) == []
    assert list(wordings.phrases_in(["give"], is_uzbek=False)) == []


def test_words_without_spaces_are_taken_out_of_a_text() -> None:
    found, rest = Wordings(TEXT).without_spaceless("上司戒糖")
    assert found == {"上司": {0}, "戒": {1}}
    assert rest.split() == ["糖"]
    assert Wordings().without_spaceless("上司") == ({}, "上司")


def test_groups_of_weak_words_are_told_apart() -> None:
    assert Wordings(TEXT).weak == {2}


def test_a_group_without_its_four_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="four columns"):
        Wordings("stop | брос* | tashla*")

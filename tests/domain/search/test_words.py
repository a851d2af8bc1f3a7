"""Words as search compares them: one form for all the ways a word is written, in any script."""

import pytest

from mnemoscope.domain.search.words import (
    Related,
    RelatedWord,
    is_form_of,
    language,
    plain_stem,
    script_of,
    stems_of,
    tokens_of,
    words_of,
)


def stems(text: str) -> list[str]:
    return [word.stem for word in words_of(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("allergies", "allergic"), ("running", "runs"), ("cities", "city"), ("stopped", "stop"),
        ("painter", "painting"), ("studied", "study"), ("boxes", "box"), ("Anna’s", "anna"),
        ("café", "CAFE"), ("ｆｕｌｌ", "full"),
        ("квартиры", "квартиру"), ("занимался", "занимаются"), ("длинный", "длинная"),
    ],
)  # fmt: skip
def test_forms_of_a_word_are_one_word(one: str, other: str) -> None:
    assert stems(one) == stems(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bus", "bu"),
        ("sing", "s"),
        ("bed", "b"),
        ("gas", "ga"),
        ("butter", "but"),
        ("letter", "let"),
        ("summer", "sum"),
    ],
)
def test_short_words_keep_what_looks_like_an_ending(one: str, other: str) -> None:
    assert stems(one) != stems(other)


@pytest.mark.parametrize(
    "forms",
    [
        "care cares cared caring careful", "drive drives driving driver", "write writes writing writer", "sun sunny",
        "noise noisy", "rain rainy", "bike bikes biking", "busy busier busily", "city cities", "party parties",
        "story stories storied", "happy happily happiness happier", "size sizes sized", "hope hoped hoping",
        "hop hopped hopping", "plan plans planned planning", "plane planes", "shoe shoes", "lady ladies",
        "study studies studied studying", "try tries tried trying", "play plays played player", "note noted noting",
        "move moved moving movement", "house houses housing", "visit visited visitor", "business businesses",
        "allergy allergies allergic", "agree agreed agreement", "love loved lovely", "bus buses", "gas gases",
    ],
)  # fmt: skip
def test_forms_of_an_english_word_have_one_stem(forms: str) -> None:
    first, *others = forms.split()
    assert {plain_stem(each) for each in others} == {plain_stem(first)}


@pytest.mark.parametrize(
    "words",
    [
        "busy bus business", "care car", "party part", "army arm", "lady lad", "hate hat", "note not", "plane plan",
        "hope hop", "wine win", "copy cop", "pine pin", "cape cap", "taxi tax",
    ],
)  # fmt: skip
def test_words_that_only_begin_alike_have_not(words: str) -> None:
    stems_found = [plain_stem(word) for word in words.split()]
    assert len(set(stems_found)) == len(stems_found)


def test_uzbek_is_one_language_in_two_alphabets() -> None:
    latin = "Mening ukam Samarqandda o‘qiydi"
    cyrillic = "Менинг укам Самарқандда ўқийди"
    assert language(latin) == language(cyrillic) == "uz"
    assert stems(latin) == stems(cyrillic)
    assert stems("mening kitoblarimni kerak") == stems("mening kitobim kerak")
    assert language("Men bugun kelaman") == "uz"
    assert language("Мен бугун келаман") == "uz"
    assert language("3-iyun: bankdagi suhbat") == "uz"
    assert language("Январь, ноябрь") == "cyrillic"
    assert language("Man is running today") == "latin"
    assert language("") == "latin"


@pytest.mark.parametrize(
    ("pointed", "plain"),
    [("عَمَّان", "عمان"), ("أحمد إلى آدم", "احمد الى ادم"), ("مـــرحبا", "مرحبا"), ("שָׁלוֹם", "שלום")],
)
def test_a_word_with_its_vowels_is_one_word_and_the_same(pointed: str, plain: str) -> None:
    assert stems(pointed) == stems(plain) == plain.split()
    assert tokens_of(pointed) == tokens_of(plain)


def test_scripts_without_spaces_are_cut_into_pairs() -> None:
    assert stems("对花生过敏") == ["对花", "花生", "生过", "过敏", "敏"]
    assert language("我对花生过敏") == "spaceless"
    assert language("Привет") == "cyrillic"
    assert language("Grüße") == "latin"


@pytest.mark.parametrize(
    "text", ["It's Anna's café, 5 km", "Мы в Берлине, don't", "我 like 花生", "snake_case v2.0", "हिन्दी"]
)
def test_the_quick_way_gives_the_same_words(text: str) -> None:
    assert tokens_of(text) == [(word.folded, word.stem) for word in words_of(text)]
    assert tokens_of("plain ascii words") == [("plain", "plain"), ("ascii", "asc"), ("words", "word")]


def test_places_are_those_of_the_text() -> None:
    text = "Das Café – 花生。"
    assert [text[word.start : word.stop] for word in words_of(text)] == ["Das", "Café", "花生", "生"]


def test_a_word_leads_to_others_and_to_forms_no_rule_gives() -> None:
    related = Related("# people\nwife husband жена 妻子\n", "go went\n", "the\n")
    assert [each.token for each in related.to("wif", "latin")] == ["wif", "wife", "husband", "жен", "jena", "妻子"]
    assert related.to("stone", "latin") == ()
    assert related.forms("went") == ("go", "went")
    assert related.forms("stone") == ()
    assert related.spaceless == ("妻子",)
    assert related.common == {"the"}


def test_a_kind_leads_to_its_things_and_these_to_it_but_not_to_each_other() -> None:
    related = Related("flower bloom : rose tulip\n")
    assert {"bloom", "rose", "tulip"} <= {each.token for each in related.to("flower", "latin")}
    of_rose = {each.token for each in related.to("rose", "latin")}
    assert {"flower", "bloom"} <= of_rose
    assert "tulip" not in of_rose


NIGHT = Related("night dark ночь tun 夜里\nbread хлеб non\n")


@pytest.mark.parametrize(
    ("word", "spoken", "leads"),
    [
        ("tune", "latin", False),
        ("tun", "latin", True),
        ("tunda", "uz", True),
        ("night", "latin", True),
        ("night", "uz", False),
        ("ночью", "cyrillic", True),
        ("nochi", "latin", False),
    ],
)
def test_a_word_leads_to_others_in_its_own_language_alone(word: str, spoken: str, leads: bool) -> None:
    found = [each.token for each in NIGHT.of(word, stems_of(word), spoken)]
    assert ("dark" in found) is leads
    assert ("tun" in found) is leads


def test_a_word_of_a_text_is_a_form_of_a_related_one_in_the_language_of_that() -> None:
    night = RelatedWord("tun", "uz")
    assert is_form_of("tunda", night)
    assert is_form_of("tun", night)
    assert not is_form_of("tuned", night)
    assert not is_form_of("nochi", RelatedWord("noch", "cyrillic"))


def test_other_scripts_keep_their_words_whole() -> None:
    assert plain_stem("שלום") == "שלום"
    assert stems_of("2026") == ("2026",)
    assert stems("'") == []


def test_a_middle_dot_makes_no_japanese_of_chinese() -> None:
    assert script_of("约翰・史密斯喜欢喝茶") == "han"
    assert script_of("コーヒーが好き") == "kana"

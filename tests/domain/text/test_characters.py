"""The sets of characters that several readers of a text share."""

from __future__ import annotations

import re
import unicodedata

import pytest

from mnemoscope.domain.review.content_words import word_stems
from mnemoscope.domain.search.words import is_spaceless, tokens_of
from mnemoscope.domain.text.characters import (
    APOSTROPHES,
    BIDI_CONTROLS,
    HAN_LETTER,
    INVISIBLE,
    JOINERS,
    KANA_LETTER,
    LINE_BREAK,
    SPACELESS_LETTER,
    decoded,
    has_hidden_characters,
    on_one_line,
    without_format_characters,
)

UNSPACED = ("ကော်ဖီကြိုက်တယ်", "ខ្ញុំចូលចិត្តកាហ្វេ", "กาแฟดำร้อน", "ກາເຟດຳ", "コーヒーが好き", "我喜欢咖啡", "커피를", "𠮷野家")


@pytest.mark.parametrize("text", UNSPACED)
def test_search_and_the_evidence_gate_agree_on_which_scripts_put_no_spaces_between_words(text: str) -> None:
    first = next(word for word, _ in tokens_of(text))
    assert is_spaceless(first)
    assert first in word_stems(text)
    assert all(len(word) <= 2 for word in word_stems(text))


def test_chinese_is_of_every_block_that_holds_its_characters_and_has_no_kana() -> None:
    chinese = "々〇㐀䶮一龥鿿豈𠀀𠮷丽𰀀"
    assert HAN_LETTER.findall(chinese) == SPACELESS_LETTER.findall(chinese) == list(chinese)
    assert KANA_LETTER.search(chinese) is None


def test_kana_are_letters_and_no_mark_that_chinese_has_too() -> None:
    kana = "あゞんアーヴㇰ𛀁"
    assert KANA_LETTER.findall(kana) == SPACELESS_LETTER.findall(kana) == list(kana)
    assert HAN_LETTER.search(kana) is None
    assert KANA_LETTER.search("约翰・史密斯，。、「」") is None


def test_every_invisible_character_shows_nothing_and_is_told_once() -> None:
    assert len(set(INVISIBLE)) == len(INVISIBLE)
    assert {unicodedata.category(char) for char in INVISIBLE} == {"Cf", "Cn"}
    assert [char for char in INVISIBLE if unicodedata.category(char) == "Cn"] == ["\u2065"]
    assert set(BIDI_CONTROLS) < set(INVISIBLE)


@pytest.mark.parametrize("char", INVISIBLE)
def test_an_invisible_character_within_a_word_is_noticed(char: str) -> None:
    assert has_hidden_characters(f"te{char}a")


def test_joiners_are_no_hidden_characters_where_a_script_or_an_emoji_needs_them() -> None:
    assert not has_hidden_characters("می\u200cخواهم")
    assert not has_hidden_characters("👩\u200d💻")


def test_a_text_on_one_line_keeps_the_joiners_alone() -> None:
    assert on_one_line("می\u200cخواهم\u202e\n چای\u00ad") == "می\u200cخواهم چای"
    assert without_format_characters("a\u00adb\u200cc", keep=JOINERS) == "ab\u200cc"


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_line_ends_where_python_or_an_editor_says(end: str) -> None:
    assert LINE_BREAK.split(f"one{end}two") == ["one", "two"] == f"one{end}two".splitlines()


def test_apostrophes_stand_between_the_brackets_of_an_expression() -> None:
    assert re.sub(f"[{APOSTROPHES}]", "", "o'g‘il o’gʻil oʼg‛il don＇t `x`-y") == "ogil ogil ogil dont `x`-y"


def test_the_text_of_a_file_has_plain_line_ends_and_no_byte_order_mark() -> None:
    assert decoded(b"\xef\xbb\xbf# Notes\r\n\xff tea\n") == "# Notes\n\ufffd tea\n"

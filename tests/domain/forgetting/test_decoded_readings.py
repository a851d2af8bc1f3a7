"""Words are found in every code that a reading decodes, and each place leads back to the text as it stands."""

from __future__ import annotations

import base64
import bz2
import gzip
import html
import io
import json
import lzma
import unicodedata
import zipfile
import zlib
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.forgetting.compressed_streams import is_closed
from mnemoscope.domain.forgetting.decoded_readings import plain_characters, readings
from mnemoscope.domain.forgetting.forgotten_text import MARK, ForgottenText

SAID = "Grünzweig lives in Oslo’s old harbour"
WHAT = ForgottenText.of(SAID)


def in_base64(text: str, before: str = "", line: int = 0) -> str:
    coded = base64.b64encode((before + text).encode()).decode()
    return "\n".join(coded[at : at + line] for at in range(0, len(coded), line)) if line else coded


def entities(text: str, form: str) -> str:
    return "".join(form.format(ord(char)) for char in text)


def full_width(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def packed(data: bytes) -> str:
    return base64.b64encode(data).decode()


def zipped(data: bytes, name: str = "word/document.xml") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("other.xml", "nothing of it " * 9)
        archive.writestr(name, data)
    return file.getvalue()


LETTERS = str.maketrans("aceopxyisjBHKMT", "асеорхуіѕјВНКМТ")
CODED = {
    "escapes of JSON": json.dumps(SAID)[1:-1],
    "every character escaped": "".join(f"\\u{ord(char):04x}" for char in SAID),
    "JSON in JSON": json.dumps(json.dumps(SAID)),
    "JSON in JSON in JSON": json.dumps(json.dumps(json.dumps(SAID))),
    "line breaks of JSON": json.dumps(SAID.replace(" in ", "\nin\t"), ensure_ascii=False),
    "escapes of bytes": "".join(f"\\x{ord(char):02x}" if char.isascii() else char for char in SAID),
    "percent": quote(SAID),
    "percent in small letters": quote(SAID).lower(),
    "every byte by percent": "".join(f"%{byte:02X}" for byte in SAID.encode()),
    "percent twice": quote(quote(SAID)),
    "a form's field": quote_plus(SAID),
    "pluses alone": SAID.replace(" ", "+"),
    "entities by name": html.escape(SAID).replace("ü", "&uuml;").replace("’", "&rsquo;").replace(" ", "&nbsp;"),
    "entities by number": entities(SAID, "&#{};"),
    "entities by hexadecimal number": entities(SAID, "&#x{:X};"),
    "entities of entities": entities(SAID, "&amp;#{};"),
    "a soft hyphen as an entity": SAID.replace("lives", "li&shy;ves"),
    "zero widths": "\u200b".join(SAID),
    "zero widths for blanks": SAID.replace(" ", "\u200b"),
    "a soft hyphen": SAID.replace("harbour", "har\u00adbour"),
    "marks of direction": f"\u202e{SAID[:9]}\u200f{SAID[9:]}\u202c",
    "isolates and a word joiner": SAID.replace("i", "i\u2066\u2060"),
    "selectors and tags": SAID.replace("o", "o\ufe0f\U000e0041"),
    "a byte order mark": SAID.replace("z", "z\ufeff"),
    "letters that show nothing": SAID.replace("z", "z\u3164\u115f"),
    "a grapheme joiner": SAID.replace("l", "l\u034f"),
    "full width": full_width(SAID),
    "blanks of other widths": SAID.replace(" ", "\u2003\u3000\u00a0"),
    "mathematical letters": "".join(
        chr(0x1D400 + ord(char) - 65)
        if char.isupper()
        else chr(0x1D41A + ord(char) - 97)
        if "a" <= char <= "z"
        else char
        for char in SAID
    ),
    "circled letters": "".join(chr(0x24D0 + ord(char) - 97) if "a" <= char <= "z" else char for char in SAID),
    "capitals": SAID.upper(),
    "accents apart": unicodedata.normalize("NFD", SAID),
    "base64": in_base64(SAID),
    "base64 from the second byte": in_base64(SAID, "a"),
    "base64 from the third byte": in_base64(SAID, "ab"),
    "base64 of an address": base64.urlsafe_b64encode(f"??>>~~{SAID}".encode()).decode(),
    "base64 without its end": in_base64(SAID).rstrip("="),
    "base64 in lines": in_base64(SAID, "Dear all, this is a letter. " * 4, 76),
    "base64 in short lines": in_base64(SAID, line=16),
    "base64 in a quote": in_base64(SAID, line=20).replace("\n", "\n> "),
    "base64 behind a word": f"key{in_base64(SAID)}",
    "base64 in lines of JSON": json.dumps(in_base64(SAID, line=24)),
    "base64 by percent": quote(in_base64(SAID, "?>"), safe=""),
    "JSON in base64": in_base64(json.dumps({"said": SAID})),
    "base64 in base64": in_base64(in_base64(SAID, "ab"), "a"),
    "base64 of base64 in lines": in_base64(in_base64(SAID, "Dear all. ", 40) + "\n", line=76),
    "base64 in JSON in base64": in_base64(json.dumps({"data": in_base64(SAID)})),
    "Cyrillic letters that look Latin": SAID.replace("e", "е").replace("o", "о"),
    "one Cyrillic letter": SAID.replace("harbour", "hаrbour"),
    "Cyrillic letters by percent": quote(SAID.replace("o", "о")),
    "all letters that Cyrillic has alike": SAID.translate(LETTERS),
    "Greek and Armenian letters": SAID.replace("o", "ο").replace("n", "ո").replace("v", "ν"),
    "Cyrillic letters in base64": in_base64(SAID.translate(LETTERS)),
    "base64 three times over": in_base64(in_base64(in_base64(SAID, "a"), "ab")),
    "gzip in base64": packed(gzip.compress(SAID.encode())),
    "zlib in base64": packed(b"before" + zlib.compress(f"Dear all, {SAID}, yes".encode()) + b"after"),
    "JSON in gzip": packed(gzip.compress(json.dumps({"said": SAID}).encode())),
    "bzip2 in base64": packed(bz2.compress(SAID.encode())),
    "xz in base64": packed(lzma.compress(SAID.encode())),
    "a zip archive in base64": packed(zipped(f"<w:t>{SAID}</w:t>".encode())),
    "gzip in base64 in a zip archive": packed(zipped(packed(gzip.compress(SAID.encode())).encode())),
    "gzip in gzip": packed(gzip.compress(gzip.compress(SAID.encode()))),
    "a damaged gzip": packed(gzip.compress((SAID + " and more " * 9_000).encode(), 0)[:30_000]),
}


@pytest.mark.parametrize("coded", CODED.values(), ids=CODED)
def test_words_in_a_code_are_found_and_go_and_what_stands_around_stays(coded: str) -> None:
    text = f"# Notes\n- Tea at five\n- Said: {coded}, as I said\n- Coffee\n"
    assert WHAT.count(text) == 1
    left = WHAT.redacted(text)
    assert left.startswith("# Notes\n- Tea at five\n- Said: ")
    assert left.endswith(", as I said\n- Coffee\n")
    assert MARK in left
    assert WHAT.count(left) == 0
    assert WHAT.redacted(left) == left
    (excerpt,) = WHAT.excerpts(text)
    assert "Said: " in excerpt


def test_latin_letters_within_cyrillic_words_are_read_as_cyrillic_and_whole_words_are_left_as_they_are() -> None:
    what = ForgottenText.of("Секретный код лежит в сейфе")
    mixed = "Сeкретный кoд лeжит в ceйфе"
    assert what.redacted(f"Знай: {mixed}.") == f"Знай: {MARK}."
    # A short word of one alphabet is what it says: "сор" is no cop.
    assert ForgottenText.of("the cop").count("Windowsдан the сор") == 0
    assert ForgottenText.of("the cop").count("the соp") == 1
    assert ForgottenText.of("Сорока, сухо").count("Copoкa, cyxo") == 1


@pytest.mark.parametrize("coded", CODED.values(), ids=CODED)
def test_other_words_in_a_code_are_not_found(coded: str) -> None:
    for other in ("Grünzweig lives in Bergen", "Lives in Oslo’s new harbour", "harbours"):
        assert ForgottenText.of(other).redacted(coded) == coded


@pytest.mark.parametrize(
    ("selected", "text"),
    [
        ("Straße der Eintracht", "STRASSE DER EINTRACHT"),
        ("STRASSE DER EINTRACHT", "Straße der Eintracht"),
        ("Istanbul is home", "İstanbul is home"),
        ("the efficient offline fluke", "the eﬃcient oﬄine ﬂuke"),
        ("the eﬃcient oﬄine ﬂuke", "the efficient offline fluke"),
        ("Li\u200bves in Os\u00adlo", "Lives in Oslo"),
        ("我住在奥斯陆，很好", "我住在奥斯陆,很好"),
        ("Code ４７１１ is hers", "code 4711 is hers"),
        ("x² is the code", "x2 is the code"),
    ],
)
def test_a_selection_is_found_in_its_plain_form_and_the_other_way_round(selected: str, text: str) -> None:
    what = ForgottenText.of(selected)
    assert what.count(text) == 1
    assert what.count(selected) == 1


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [
        ("Oʻgʻlim Toshkentda yashaydi", "Ўғлим Тошкентда яшайди"),
        ("Ma'mura xolam Yevropada o'qiydi", "Маъмура холам Европада ўқийди"),
        ("Eshik kodi: 4711, choyxona yonida", "Эшик коди: 4711, чойхона ёнида"),
        ("Yo'lda she'r aytdi", "Йўлда шеър айтди"),
        ("Dilnoza Karimova", "Дилноза Каримова"),
    ],
)
def test_words_of_uzbek_are_found_in_the_other_alphabet(latin: str, cyrillic: str) -> None:
    for one, other in ((latin, cyrillic), (cyrillic, latin)):
        what = ForgottenText.of(one)
        assert what.redacted(f"a\n- {other.upper()}\n- {other}, b") == f"a\n- {MARK}, b"
        assert what.count(quote(other)) == 1


def test_words_of_other_languages_have_no_other_alphabet() -> None:
    assert ForgottenText.of("My code word is cwm").count("мй коде ворд ис квм") == 0
    assert ForgottenText.of("Мой сын ещё спит").count("moy sin yeshyo spit") == 0
    assert ForgottenText.of("Олма apple").phrases == ("Олма apple",)
    assert ForgottenText.of("4711 0815").count("4711 0815") == 1


def test_what_only_looks_like_a_code_is_none() -> None:
    text = "100% sure & done; C:\\users\\x, 1+1, &nosuch; \\q %zz &#; AAAAAAAAAAAAAAAAA\n"
    assert ForgottenText.of("nothing of this").redacted(text) == text
    assert [each.text for each in readings("100% of it & more; \\q", bool)] == []


def test_a_code_within_a_word_of_the_text_is_led_back_to_where_it_stands() -> None:
    text = "&lt;b&gt;O\u200bslo now&lt;/b&gt; ﬁn"
    (first, *_) = (each for each in readings(text, bool) if "Oslo now" in each.text)
    start = first.text.index("Oslo now")
    begin, end = first.in_source(start, start + 8)
    assert text[begin:end] == "O\u200bslo now"
    start = first.text.index("fin")
    # A character that reads as two is one place.
    assert first.in_source(start + 1, start + 3) == (len(text) - 2, len(text))


def test_plain_letters_stay_as_they_are() -> None:
    for text in ("plain", "Grünzweig’s é", "Йод и ўқ", "我住在奥斯陆。", "´ ` ʻ ʼ"):
        assert plain_characters(text) == text


@given(st.lists(st.sampled_from(["Oslo", "&amp;", "%20", "\\u004f", "\u200b", "ﬁ", "+", "T3Nsbw==", "a\n", "\\\\"])))
def test_every_place_of_a_reading_is_a_place_of_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    for reading in readings(text, bool):
        places = [reading.in_source(place, place + 1) for place in range(len(reading.text))]
        assert all(0 <= start < stop <= len(text) for start, stop in places)
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("method", "closed"),
    [(zipfile.ZIP_STORED, False), (zipfile.ZIP_DEFLATED, False), (zipfile.ZIP_BZIP2, False), (zipfile.ZIP_LZMA, True)],
)
def test_a_zip_archive_is_closed_only_where_nothing_here_unpacks_it(method: int, closed: bool) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", method) as file:
        file.writestr("a.txt", "words " * 50)
    assert is_closed(archive.getvalue()) == closed

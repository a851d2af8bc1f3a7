"""Patterns of words are compared with a text as it looks to a reader, whatever letters it is written with."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHES, without_format_characters

_LOOKALIKES: Final = str.maketrans(
    "аеорсухіјѕԁһӏвкмнтАЕОРСУХІЈЅВКМНТαβεηικμνορτυχγωΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցվɑ",
    "aeopcyxijsdhlbkmhtAEOPCYXIJSBKMHTabenikmvoptuxywABEZHIKMNOPTYXounhgva",
)
_LATIN_LOOKS: Final = """
    aɑΑαАаᎪᗅꓮ𐊠𖽀 bƄΒВЬᏏᏴᑲᖯᗷꓐꞴ𐊂𐊡𐌁 cСсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜 dԁᎠᏧᑯᗞᗪꓒꓓ eΕЕеҽᎬⴹꓰꬲ𐊆𑢦𑢮 fϜքᖴẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂 gƍɡԌցᏀᏳᶃꓖ
    hΗНһհᎻᏂᕼⲎꓧ𐋏 iıƖɩɪΙιІіӀӏᎥⲒꙇꭵ𑣃 jͿϳЈјᎫᒍꓙꞲ kΚКᏦᛕⲔꓗ𐔘 lǀᏞᒪᛁⳐⵏꓡꓲ𐊊𐌉𐐛𐔦𑢣𑢲𖼖𖼨 mΜϺМᎷᗰᛖⲘꓟ𐊰𐌑 nΝոռⲚꓠ𐔓
    oΟοσОоՕօଠഠဝჿዐᴏᴑⲞⲟⵔꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑢵𑣈𑣗 pΡρРрᏢᑭⲢⲣꓑ𐊕 qԛգզⵕ rƦгᎡᏒᖇᴦⲅꓣꭇꭈꮁ𐒴𖼵 sƽЅѕՏᏕᏚꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺 tΤТᎢⲦꓔ𐊗𐊱𐌕𑢼𖼊
    uʋυՍսሀᑌᴜꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂 vνѴѵᏙᐯᴠⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈 wɯѡԜԝաᎳᏔᴡꓪꮃ𑜊𑜎𑜏 xΧХхᕁᕽᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐔧 yɣʏΥγУуҮүყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃 zΖᏃᴢꓜꮓ𑢩𑣄
"""
"""Each small Latin letter with the letters of other alphabets that look like it or its capital: those that the data of
Unicode's UTS #39 (confusables.txt) give as confusable with one, and that are not plain letters by compatibility."""
_LOOKS: Final = {word[0]: word[1:] for word in _LATIN_LOOKS.split()}
_IN_LATIN_LOOK: Final = str.maketrans({char: letter for letter, others in _LOOKS.items() for char in others})
_LATIN: Final = "A-Za-z\u00c0-\u024f"
_OTHERS: Final = "\u0370-\u058f\u13a0-\u167f\u2c80-\u2cff\ua4d0-\ua4ff"
TWO_ALPHABETS: Final = re.compile(f"[{_LATIN}][{_OTHERS}]|[{_OTHERS}][{_LATIN}]")
"""Two letters side by side of which one is Latin and one of another alphabet, such as Greek, Cyrillic or Armenian."""
_ALWAYS: Final = str.maketrans("ıɩɪɢɴʀʙʟʜʏᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱ", "iiignrblhyacdejkmoptuvwzfs")
_SIMPLER: Final = str.maketrans(
    "執發轉覆運刪讀開調訪問無規則會將當時請務總遠從現讓應該詢認證錄檔連結對話戶級權説說條郵給傳關閉腳",
    "执发转复运删读开调访问无规则会将当时请务总远从现让应该询认证录档连结对话户级权说说条邮给传关闭脚",
)
_UZBEK: Final = re.compile("[ўқғҳ]")
_UZBEK_LATIN: Final = str.maketrans(
    {
        **dict(zip("абвгдезийклмнопрстуфхъўқғҳэы", "abvgdezijklmnoprstufx'oqghei", strict=True)),
        **dict(zip("жйчшцёюяь", ("j", "y", "ch", "sh", "ts", "yo", "yu", "ya", ""), strict=True)),
    }
)
_MARKS: Final = re.compile(f"[*_`~{APOSTROPHES}]+")
_FIGURES: Final = str.maketrans("0134578@$", "oieastbas")
_WITH_FIGURES: Final = re.compile(r"\b(?=[0134578@$]*[a-z])(?=[a-z]*[0134578@$])[a-z0134578@$]{4,}")
_SPELT: Final = re.compile(r"(?<!\w)(?:\w[ ._·-]){3,}\w(?!\w)")
_WITHIN: Final = re.compile(r"(?<=[^\W\d_])[-_.·](?=[^\W\d_])")


def plain_readings(text: str) -> tuple[str, ...]:
    """Returns the readings of a line: folded, in small letters, and with letters and figures put together that were set
    apart."""
    words = text.casefold()
    plain = folded(text)
    found = [plain, words, _joined(plain), folded(_WITHIN.sub(" ", words))]
    if _UZBEK.search(words):
        found.append(folded(words.translate(_UZBEK_LATIN)))
    return tuple(dict.fromkeys(found))


def in_latin_look(text: str) -> str:
    """Returns a text with Latin letters in place of those of other alphabets that look the same; each character stays
    where it is."""
    return text if text.isascii() else text.translate(_IN_LATIN_LOOK)


def look_pattern(word: str) -> str:
    """Returns the pattern of a word, given in small letters and in Latin ones as far as they look so, in whatever
    letters of either case look like its own."""
    return "".join(f"[{re.escape(char + char.upper() + _LOOKS.get(char, ''))}]" for char in word)


def folded(text: str) -> str:
    """Returns a text as it looks to a reader: no emphasis, nothing invisible, no accents, letters that look Latin as
    Latin ones if the word has both, Chinese in the simpler signs."""
    plain = unicodedata.normalize("NFKD", text)
    plain = without_format_characters("".join(char for char in plain if not unicodedata.combining(char)))
    plain = unicodedata.normalize("NFC", _MARKS.sub("", plain)).casefold()
    return re.sub(r"\w+", _unmixed, plain.translate(_ALWAYS)).translate(_SIMPLER)


def _unmixed(found: re.Match[str]) -> str:
    word = found[0]
    is_mixed = any("a" <= char <= "z" for char in word) and any("\u0370" <= char <= "\u058f" for char in word)
    return word.translate(_LOOKALIKES) if is_mixed else word


def _joined(plain: str) -> str:
    spelt = _SPELT.sub(lambda found: re.sub(r"[ ._·-]", "", found[0]), plain)
    figured = _WITH_FIGURES.sub(lambda found: found[0].translate(_FIGURES), spelt)
    return _WITHIN.sub("", figured)

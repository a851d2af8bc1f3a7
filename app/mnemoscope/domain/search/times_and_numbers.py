"""Finds what says when, or how many: a passage that holds it more likely answers a question for a time or a number.

The languages of the interface and of most memories have patterns, which are looked for in the text; the others of the
local embedding model have lists of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mnemoscope.domain.search.words import words_of


def _folded(text: str) -> frozenset[str]:
    return frozenset(word.folded for word in words_of(text))


_NUMBER: Final = re.compile(
    r"\d|[一二三四五六七八九十百千万]|\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|"
    r"десять|\w+дцать|сорок|пятьдесят|сто|тысяч\w*|полтор\w+|bir|ikki|uch|tort|besh|olti|yetti|sakkiz|toqqiz|on|yigirma|"
    r"yuz|ming|million)\b|\b(두|세|네|다섯|여섯|일곱|여덟|아홉)\b|สอง|สาม|สี่|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย",
    re.IGNORECASE,
)
_TIME_IN_ASCII: Final = (
    r"\d{1,2}[:.]\d\d|\b(19|20)\d\d\b|\d ?(am|pm|st|nd|rd|th)\b|\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|"
    r"\b(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|"
    r"dec(ember)?|spring|summer|autumn|winter|christmas|easter|ago|weekends?|birthday|anniversary)\b|"
    r"\b(the|on) (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|"
    r"twentieth|twenty-\w+|thirtieth|thirty-first)\b|\b(today|tomorrow|yesterday|tonight|morning|"
    r"evening|noon|week|month|year)|"
    r"dushanba|seshanba|chorshanba|payshanba|juma|shanba|bugun|ertaga|kecha|hafta|\boy\b|\byil|soat|yanvar|fevral|"
    r"mart|aprel|iyun|iyul|avgust|sentabr|oktabr|noyabr|dekabr"
)
_TIME_OF_ASCII: Final = re.compile(_TIME_IN_ASCII, re.IGNORECASE | re.ASCII)
"""The pattern for a text of nothing but ASCII, which it searches more than twice as fast."""
_TIME: Final = re.compile(
    _TIME_IN_ASCII + r"|понедельник|вторник|сред[уы]|четверг|пятниц|суббот|воскресен|январ|феврал|март|"
    r"апрел|ма[йя]\b|июн|июл|август|сентябр|октябр|ноябр|декабр|вчера|сегодня|завтра|недел|месяц|утр|вечер|"
    r"ҳафта|соат|йил|душанба|[年月日号点周]|星期|今天|明天|昨天|"
    r"曜|[今明昨]日|\d ?[월시]|요일|오늘|내일|어제|아침|저녁|주말|วัน|เดือน|โมง|นาฬิกา|สัปดาห์",
    re.IGNORECASE,
)
_TIME_WORDS: Final = _folded(
    # German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish, Arabic.
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag heute gestern morgen morgens abend abends"
    " Uhr Woche Monat Jahr Januar Februar März Juni Juli Oktober Dezember "
    "lundi mardi mercredi jeudi vendredi samedi dimanche aujourd demain matin soir semaine mois heures janvier"
    " février avril juin juillet août septembre octobre novembre décembre "
    "lunes martes miércoles jueves viernes sábado domingo hoy mañana ayer noche semana mes año enero febrero marzo"
    " abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica oggi domani ieri mattina sera settimana mese anno gennaio"
    " febbraio aprile maggio giugno luglio settembre ottobre dicembre "
    "segunda terça quarta quinta sexta hoje amanhã ontem manhã mês janeiro fevereiro março maio junho julho setembro"
    " outubro novembro dezembro "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag vandaag gisteren avond uur week maand jaar januari"
    " februari maart augustus "
    "poniedziałek poniedziałki wtorek wtorki środa środę środy czwartek czwartki piątek piątki sobota sobotę soboty"
    " niedziela niedzielę niedziele dziś jutro wczoraj rano wieczorem tydzień tygodni tygodniu miesiąc miesiące"
    " miesięcy rok roku stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada"
    " grudnia "
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar bugün yarın dün sabah akşam hafta haftaya yıl saat saatte"
    " ocak şubat nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık "
    "يوم اليوم شهر الشهر أسبوع الأسبوع الساعة صباح صباحا مساء غدا أمس سنة السبت الأحد الاثنين الإثنين الثلاثاء"
    " الأربعاء الخميس الجمعة"
)
_NUMBER_WORDS: Final = _folded(
    "zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig"
    " neunzig hundert tausend "
    "deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante cent mille "
    "dos tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta cuarenta cincuenta cien mil "
    "tre quattro cinque sei sette otto nove dieci dodici venti trenta quaranta cinquanta sessanta cento "
    "dois duas três quatro sete oito dez doze vinte trinta quarenta cinquenta cem "
    "twee drie vijf zes zeven negen tien twaalf twintig dertig veertig vijftig honderd duizend "
    "dwa dwie dwóch trzy trzech cztery czterech pięć pięciu sześć sześciu siedem osiem dziewięć dziesięć dziesięciu"
    " dwanaście piętnaście dwadzieścia trzydzieści czterdzieści pięćdziesiąt sto tysiąc "
    "iki üç dört beş altı yedi sekiz dokuz yirmi otuz kırk elli yüz "
    "اثنان اثنين ثلاث ثلاثة أربع أربعة خمس خمسة ستة سبع سبعة ثمان ثمانية تسع تسعة عشر عشرة عشرون عشرين ثلاثون ثلاثين"
    " أربعون أربعين خمسون خمسين مئة مائة ألف"
)


def says_time(text: str, words: Iterable[tuple[str, str]]) -> bool:
    """Returns whether a text, whose `words` are as `tokens_of` gives them, says when."""
    pattern = _TIME_OF_ASCII if text.isascii() else _TIME
    return any(folded in _TIME_WORDS for folded, _ in words) or pattern.search(text) is not None


def says_number(text: str, words: Iterable[tuple[str, str]]) -> bool:
    """Returns whether a text, whose `words` are as `tokens_of` gives them, holds a number."""
    return _NUMBER.search(text) is not None or any(folded in _NUMBER_WORDS for folded, _ in words)

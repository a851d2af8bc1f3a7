"""Words that say when, or how many, in languages of the local embedding model whose words have no patterns in
`ranking`: a passage that holds one more likely answers a question for a time or a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mnemoscope.domain.search.words import words_of


def _folded(text: str) -> frozenset[str]:
    return frozenset(word.folded for word in words_of(text))


_TIMES: Final = _folded(
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
_NUMBERS: Final = _folded(
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


def says_time(words: Iterable[tuple[str, str]]) -> bool:
    """Returns whether one of the words, as `tokens_of` gives them, says when."""
    return any(folded in _TIMES for folded, _ in words)


def says_number(words: Iterable[tuple[str, str]]) -> bool:
    """Returns whether one of the words, as `tokens_of` gives them, is a numeral."""
    return any(folded in _NUMBERS for folded, _ in words)

"""A tombstone knows a forgotten fact when it comes back in other words, and holds none of its words: only keyed hashes.

A text is read as parts (lines and sentences), a part as terms: values (numbers, days, addresses, names), words, and
light words, which say how things belong together (live, work, like). A term is compared by its stems, in English,
Russian and Uzbek in both alphabets; of Chinese and other scripts without spaces by pairs of characters. So word order
and inflection do not matter. A value has to be the same: "lives in York" is not the forgotten "lives in Leeds".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from mnemoscope.domain.memory.facts import fact_key, fact_text
from mnemoscope.domain.review.content_words import NOT, language_of, says_nothing, word_stems
from mnemoscope.domain.search.days import named_days
from mnemoscope.domain.search.said_values import (
    MONTH_WORD,
    SaidValue,
    in_plain_numbers,
    measures,
    short_days,
    times_of_day,
)
from mnemoscope.domain.search.stems import in_latin
from mnemoscope.domain.search.words import UZBEK, fold, language, stems_of
from mnemoscope.domain.text.characters import (
    APOSTROPHES,
    LINE_BREAK,
    SPACELESS,
    SPACELESS_LETTER,
    without_format_characters,
)
from mnemoscope.domain.text.numerals import with_digits, with_ordinals

Seal = Callable[[str], str]
"""Returns the keyed hash of a term."""


class Recall(StrEnum):
    """Says of a text that it may not pass by itself: it is a forgotten one, or that cannot be told for want of the
    key."""

    FORGOTTEN = "forgotten"
    UNCHECKED = "unchecked"


class TermWeight(StrEnum):
    """Names the part a term has in what a text says."""

    UNIQUE = "unique"
    """An address or a long number: nothing else is called so."""
    FIGURE = "figure"
    """A number that is neither a year nor round: with one word more it is the same."""
    VALUE = "value"
    WORD = "word"
    LIGHT = "light"


class HashedTerm(NamedTuple):
    """Describes one word or value of a text, by the forms under which it may come back.

    `signs` are the characters of a pair of a script without spaces: where both stand in a text the pair may have come
    apart.
    """

    weight: TermWeight
    forms: tuple[str, ...]
    signs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Describes one forgotten fact, as keyed hashes alone. `whole` is that of the whole line.

    `when` says since when it holds, "" where that is not kept. `owners` are the ids of the forgettings that made it; ""
    stands for one that was made before this was kept, and for a rejection.
    """

    whole: str
    terms: tuple[HashedTerm, ...]
    when: str = field(default="", compare=False)
    owners: tuple[str, ...] = field(default=("",), compare=False)

    def marks(self) -> frozenset[str]:
        """Returns the hashes of which a text must have one to be the fact, but for `whole`."""
        return frozenset(mark for term in self.terms if term.weight is not TermWeight.LIGHT for mark in term.forms)


@dataclass(frozen=True)
class HashedPart:
    """Describes one part of a text that is compared, its terms hashed. `small` are the hashes of its small numbers, of
    which nothing says what they measure, `names` those of its names."""

    whole: str
    terms: tuple[HashedTerm, ...] = ()
    small: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    @cached_property
    def marks(self) -> frozenset[str]:
        """Returns the hashes of all its terms."""
        return frozenset(form for term in self.terms for form in term.forms)

    @cached_property
    def signs(self) -> frozenset[str]:
        """Returns the hashes of all its signs of scripts without spaces."""
        return frozenset(sign for term in self.terms for sign in term.signs)


_LEAST_CODE: Final = 4
"""Digits of a number that hardly anything else has."""
_LEAST_UNIQUE: Final = 7
"""Digits of a number that is nobody else's."""
_TAIL: Final = 7
"""Digits of a telephone number that are given with and without the codes before them."""
_UZBEK_BEGINNING: Final = 5
_MOST_PARTS: Final = 2_000
_BESIDE_ONE: Final = 2
"""Further terms beside the only one of a fact, in a text that is still the fact."""
_BESIDE_MANY: Final = 4
"""The same for each term of a fact that holds no value."""
_SUBSET: Final = 0.6
"""The share of a fact that a text has to say which says nothing else."""
_FOR_ONE_FRESH: Final = 7
"""Terms of a fact beside which one further term is as good as none."""
_OF_WORDS: Final = {0: 0.8, 1: 0.6, 2: 0.2}
"""By the number of values of a fact: the share of its words that come back beside them. Three values that come back
together are the fact in any words."""

_LONG_RUN: Final = re.compile(rf"([^\s{SPACELESS}]{{300}})[^\s{SPACELESS}]+")
"""Characters without a space that are no word; the first of them tell it, and all of them would take minutes."""
_MARKUP: Final = re.compile(r"[*_`~|#>]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+(?=\S)|(?<=[。！？；])")
_IN_ADDRESS: Final = rf"[^\W{SPACELESS}]"
"""A letter or digit of an address: what stands beside it without a space, as in Chinese, is none."""
_EMAIL: Final = re.compile(rf"(?:{_IN_ADDRESS}|[.+-])+@(?:{_IN_ADDRESS}|-)+(?:\.(?:{_IN_ADDRESS}|-)+)+")
_ADDRESS: Final = re.compile(
    rf"(?<!{_IN_ADDRESS})(?:https?://|www\.)[^\s<>()\"“”，。！？；、{SPACELESS}]+"
    rf"|(?<!{_IN_ADDRESS})(?<!/)(?:~|\.{{0,2}})?(?:/(?:{_IN_ADDRESS}|[.@+~-])+){{2,}}"
)
_DATE: Final = re.compile(r"(?<!\d)(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})(?!\d)")
_IN_GROUPS: Final = re.compile(r"(?<![\d-])\d{1,4}(?:[- ]\d{1,4}){2,}(?![\d-])")
"""Digits in several groups, as a safe's are."""
_LONG_NUMBER: Final = re.compile(
    rf"(?<![^\W{SPACELESS}])(?<!\.)\+?\(?\d(?:[\s().-]{{0,2}}\d){{6,}}(?![^\W{SPACELESS}])"
)
_CODE: Final = re.compile(
    rf"(?<![^\W{SPACELESS}])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{{4,}}(?:-[A-Za-z0-9]+)*(?![^\W{SPACELESS}])"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_YEAR_OR_ROUND: Final = re.compile(r"(?:1[89]|20)\d\d|\d+00")
_SMALL_NUMBER: Final = re.compile(r"number \d{1,2}")
_SPACED_NUMBER: Final = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
_ORDINAL: Final = re.compile(
    r"(?<=\d)(?:st|nd|rd|th|-?(?:[йяеом]|го|му|ый|ой|ая|ое|i?nchi|и?нчи))(?!\w)", re.IGNORECASE
)
_LIKE_UZBEK: Final = re.compile(
    rf"[og][{APOSTROPHES}`](?!s\b)[a-z]"
    r"|[a-z]{3}(?:ning|lari?|lar[gd]a|dagi|imiz|gan|yapti|moqda|[ai]?ydi|adi|ida|iga|dan|ini|nchi)\b",
    re.IGNORECASE,
)
"""Letters and endings of Uzbek words; some other words have them too."""
_WORD: Final = re.compile(rf"[{SPACELESS}]+|[^\W\d_{SPACELESS}]+(?:[{APOSTROPHES}`-][^\W\d_{SPACELESS}]+)*")
_SAME_SIGNS: Final = {
    "父亲": "爸爸", "母亲": "妈妈", "爸": "爸爸", "妈": "妈妈", "太太": "妻子", "老婆": "妻子", "老公": "丈夫",
    "手机": "电话", "手机号": "电话", "月薪": "工资", "薪水": "工资", "收入": "工资", "账户": "账号",
    "帐号": "账号", "居住": "住在", "大夫": "医生", "薪资": "工资",
    "年薪": "工资", "口令": "密码", "辞掉": "辞职",
    "离职": "辞职", "辞去": "辞职", "辞了": "辞职", "不干": "辞职", "开除": "解雇", "辞退": "解雇", "炒掉": "解雇",
    "裁掉": "解雇",
    "离异": "离婚", "分居": "离婚", "出轨": "外遇", "劈腿": "外遇", "就诊": "治疗",
    "看病": "治疗", "治过": "治疗", "医治": "治疗",
    "怀上": "怀孕", "有喜": "怀孕", "身孕": "怀孕", "坐牢": "入狱", "服刑": "入狱", "被捕": "逮捕",
    "被抓": "逮捕", "借款": "欠债", "负债": "欠债",
    "欠钱": "欠债", "住址": "地址", "家住": "住在", "生日": "出生", "生于": "出生",
    "说话": "来往", "联系": "来往",
    "交谈": "来往", "往来": "来往",
    "月份": "月", "男朋友": "男友", "女朋友": "女友",
    "春季": "春天", "夏季": "夏天", "秋季": "秋天", "冬季": "冬天", "晚间": "晚上", "早会": "开会", "会议": "开会",
    "座驾": "车子", "汽车": "车子", "轿车": "车子", "独自": "一个人", "单独": "一个人", "公斤": "千克",
    "偷窃": "偷盗", "偷东西": "偷盗", "行窃": "偷盗", "拘留": "拘押", "关押": "拘押", "扣押": "拘押",
    "酒后开车": "酒驾",
    "醉驾": "酒驾", "糖尿病": "血糖", "流产": "小产", "受贿": "贿赂", "行贿": "贿赂", "诈骗": "欺诈", "骗钱": "欺诈",
}  # fmt: skip
"""Words of Chinese under another that means the same."""
_SAME_SIGN: Final = re.compile(
    "爸爸|妈妈|电话|工资|账号|妻子|丈夫|医生|密码|辞职|解雇|离婚|外遇|治疗|怀孕|入狱|逮捕|欠债|地址|出生|来往|偷盗|拘押|酒驾|小产|贿赂|欺诈|"
    "男友|女友|春天|夏天|秋天|冬天|开会|车子|一个人|千克|" + "|".join(sorted(_SAME_SIGNS, key=len, reverse=True))
)
SMALL_SIGNS: Final = re.compile(
    "[的了吗呢吧啊嘛我你您他她它们是在有和与就都也还很那这哪什么怎样谁几个给对把被让从到说跟要会能可以请问会"
    "用户叫做为于及或但而且因所如果以之其此每各只再又才已经将着得地不没无些种次]+"
)
"""Signs of Chinese that hold sentences together; what stands between them is what a sentence says."""
COUNTED_SIGNS: Final = "年月日号点岁天元块位个只"
"""Signs that stand beside a number and say nothing alone."""
_LIGHT_WORDS: Final = """
    live lives lived living work works worked working job name named called like likes liked love loves loved prefer
    prefers preferred use uses used using want wants plan plans planned keep keeps own owns owned have take takes took
    drink drinks eat eats play plays go goes went come moved move visit visits visited start started begin began give
    gives gave stop stops stopped put puts run runs ran get done can cant able attend attends study studies studied
    buy bought call calls hate hates dislike dislikes enjoy enjoys favourite favorite always usually often sometimes
    every each day daily currently since until january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday number живет живёт живу жить работает
    работаю зовут имя любит люблю предпочитает предпочитаю использует использую хочет хочу ходит хожу пьет пьёт пью
    ест ем играет играю учится учусь купил купила номер каждый каждое января февраля марта апреля мая июня июля
    августа сентября октября ноября декабря yashaydi yashayman ishlaydi ishlayman ismi ismim yoqtiradi yoqtiraman
    boradi boraman ichadi ichaman yeydi yeyman oqiydi oqiyman sotib oldi raqami raqam kuni har yanvar fevral mart aprel
    iyun iyul avgust sentabr oktabr noyabr dekabr yoshda yil яшайди яшайман ишлайди ишлайман исми исмим ёқтиради
    боради бораман ичади ичаман ўқийди рақами куни ҳар 喜欢 住在 工作 名字 每天 早上 晚上 现在 目前 经常 号码
    store stores stored save saves saved located lies stands kept drive drives driving drove aim aims aiming goal target
    intend intends intending hope hopes employed hired profession occupation learn learns learning learned lesson
    lessons required requires needed teacher tutor owner хранит хранится хранятся лежит лежат находится стоит ездит
    водит цель собирается собираюсь планирует планирую намерен намерена учит учу изучает занимается уроки требуется
    нужно профессия должность место имеет saqlaydi saqlanadi saqlayman turadi yotadi haydaydi minadi maqsadi maqsad
    niyatida rejalashtirgan rejasi organadi organaman mashq qatnaydi kerak talab shart kasbi lavozimi joyi сақлайди
    сақланади туради ётади ҳайдайди мақсади ниятида режалаштирган ўрганади машқ қатнайди талаб шарт касби лавозими
    жойи home based resides reside resident проживает проживаю istiqomat истиқомат
    存放 保存 放在 计划 打算 目标 学习 职业 单位 每周 希望
"""
"""Words that say how a person and a thing belong together: other facts have them too."""
_LIGHT: Final = frozenset(_LIGHT_WORDS.split())
_SAME_WORDS: Final = """
    salary pay paid wage wages earns earn earning income stipend зарплата зарплату оклад получает зарабатывает доход
жалованье maosh oylik
    oladi topadi daromad; sacked fired dismissed lost laid уволили уволен сократили выгнали haydaldi haydalgan
boshatildi boshatilgan;
    stealing stole theft stolen thief кража украл воровство крал ograganligi ogirlik ogirlagan; quit quitting resign
resigns
    resigning leave leaving уволиться увольняется уйти уходит ketmoqchi boshamoqchi; divorce divorced divorcing
separating разводится
    развод разводе развестись расстаются ajrashmoqda ajrashyapti ajralish ajralishmoqda ajrashgan; affair cheated
cheating infidelity
    unfaithful измена измены изменил изменяет измене xiyonat; debt owe owes owed owing borrowed borrow loan repay долг
должен должна занял
    задолжал одолжил вернуть qarz qarzi qarzdor qaytarishi qaytarish; therapy therapist treated treatment psychiatrist
counselling лечение
    лечилась лечился лечится терапия davolangan davolanadi davolanmoqda davolash; depressed depression депрессия
depressiya;
    secretly secret hiding hides тайно тайный скрытно втайне yashirin yashirincha yashirib; dating meets meeting
seeing relationship
    встречается отношения роман uchrashadi uchrashib uchrashuv munosabat; password passcode passphrase pin code пароль
код пинкод parol
    kod kodi; switch unlock opens enters type dial открывается набрать ввести отключить ochiladi ochish teriladi terish;
    pregnant pregnancy expecting беременна беременность homilador homiladorlik; arrested arrest detained арестован
арест задержан qamalgan
    hibsga; prison jail jailed imprisoned inmate convicted тюрьма тюрьме тюрьму сидел отсидел
    посадили судим qamoq qamoqda qamoqqa qamalgan qamab turma; address lives resides
    home based reside resident istiqomat истиқомат адрес
живет живёт проживает
    manzil manzili yashaydi; talk talks speak speaks contact touch разговаривает общается общаются контакт
gaplashmaydi gaplashadi aloqa;
    vote votes voted voter voting ballot голосует голосовал избиратель ovoz election
elections выборы выборах saylov saylovda;
    drunk alcoholic alcoholism drinking алкоголик
алкоголизм запой ichkilik
    alkogolik; addicted addiction addict зависимость зависим наркоман giyohvand; abortion aborted аборт; sick illness
ill disease diagnosis
    diagnosed болезнь болен больна диагноз диагностировали kasal kasallik tashxis; hiv aids вич спид ots;
    cancer tumour tumor oncology рак опухоль онкология saraton osma; surgery operation operated операция оперировали
operatsiya;
    medication medicine pills tablets takes prescribed лекарство таблетки принимает dori dorilar; weighs weight kilos
весит вес vazn vazni
    ogirligi; gay lesbian queer homosexual гей лесбиянка; religion faith believer вера верующий din; lawsuit sued sue
court суд иск судится сужусь судиться
    sud sudga; bankrupt bankruptcy insolvent банкрот банкротство bankrot; gambling gambles gambler betting игроман
ставки qimor;
    adopted adoption усыновлен усыновили усыновление asrab; inherited inheritance legacy наследство унаследовал meros;
    beaten beat hits abuse abused violence бьет бьёт избивает насилие uradi zoravonlik; suicide suicidal самоубийство
суицид;
    account iban счет счёт hisob hisobi; passport id паспорт pasport; licence license plate number номер raqam raqami;
    phone mobile cell telephone телефон мобильный telefon; mother mum mom мать мама ona onasi onam; father dad отец
папа ota otasi otam;
    wife spouse жена супруга xotin xotini; husband муж супруг er eri; flat apartment квартира kvartira; house home дом
uy uyi;
    boss manager supervisor начальник начальница шеф boshliq boshligi; company firm employer фирма компания kompaniya
firma;
    hometown grew childhood вырос выросла детство osgan bolaligi; allergic allergy аллергия аллергик allergiya;
    savings saved сбережения накопил накопления jamgarma; mortgage ипотека ipoteka; fears afraid scared боится страх
qorqadi qorqish;
    monthly month месяц oy oyiga oylik;
    diabetes diabetic диабет диабетик qand qandli diabet;
    fined fine penalty штраф оштрафовали jarima; fraud fraudster scam swindle мошенничество мошенник обман
firibgarlik firibgar;
    miscarriage miscarried stillbirth выкидыш; rehab sober relapse реабилитация срыв; bribe bribed bribery взятка
взятку pora;
    impotent impotence infertile infertility бесплодие бесплодна бесплоден bepusht befarzand;
    panic anxiety anxious тревога тревожное паника паническая xavotir vahima; evicted eviction выселили выселение;
    bullied bullying травля травят; antidepressants antidepressant антидепрессанты antidepressant;
    meeting meetings call calls созвон созвоны звонок звонки встреча встречи совещание совещания yigilish yigilishi
yigilishlar majlis majlislar;
    morning утро утром утра ertalab tong tongda; evening evenings вечер вечером вечерами вечерам kechqurun kechqurunlari
kechki;
    smoke smokes smoking cigarettes курит курить курение сигареты
сигарет chekadi chekish chekishni sigaret sigareta;
    kilogram kilograms kilo kilos kg килограмм килограмма килограммов кг kilogramm; kilometre kilometres kilometer
kilometers km километр километра километров км kilometr;
    confirmation confirm confirming подтверждение подтверждения подтверждать tasdiq tasdiqlash tasdiqsiz; permission
разрешение разрешения ruxsat ruxsatsiz;
    sugar unsweetened sweetened сахар сахара shakar shakarsiz; alone lonely одна один одиноко yolgiz;
    teaches teach учитель учительница преподаёт преподает преподаватель oqituvchi oqituvchisi dars;
    wakes wake woke просыпается встаёт встает подъём uygonadi; migraine migraines мигрень мигрени migren;
    married marriage брак брака женат замужем nikoh nikohi; lighter slimmer похудеть сбросить ozmoqchi ozish vazn
"""
"""Groups of words, in any of the languages, that name the same in what people want forgotten: each word of a group is
known again by any other. The first word of a group is its sign and stays, as it is in tombstones that are kept."""
_ASIDE: Final = re.compile(
    rf"""
    \b(?:don[{APOSTROPHES}]?t|do\ not|never)\ tell\ (?:any(?:one|body)|others|a\ soul)\b
    | \b(?:(?:just|only|strictly)\ )?between\ (?:you\ and\ me|us|ourselves)\b
    | \bkeep\ (?:this|that|it)\ (?:to\ yourself|between\ us|(?:a\ )?secret|private)\b
    | \b(?:только\ |строго\ )?между\ нами(?:\ говоря)?\b
    | \b(?:никому\ не\ (?:говори|рассказывай|сообщай)|не\ (?:говори|рассказывай|сообщай))(?:те)?(?:\ никому)?\b
    | (?:千万)?(?:别|不要)(?:告诉|跟|对|和)(?:别人|任何人|其他人)(?:说|讲)?
    | \bhech\ kim(?:ga\ aytma(?:ng)?|\ bilmasin)\b | \bgap\ oramizda\ qolsin\b
    | \bҳеч\ ким(?:га\ айтма(?:нг)?|\ билмасин)\b | \bгап\ орамизда\ қолсин\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Requests to tell nobody, which a person makes along with a fact: they are no part of the fact."""
_JOINING_WORDS: Final = """
    because after before потому поэтому после перед чтобы надо нужно ей ему ним ней этого сейчас bor olgan olib qilib
    degan ismli бор олган олиб қилиб деган исмли qiladi qildi qilgan qilyapti qilmoqda etadi etgan қилади қилди қилган
    қиляпти қилмоқда этади этган
"""
"""Words that hold a sentence together and say nothing of what it is about."""
_JOINING: Final = frozenset(_JOINING_WORDS.split())


@cache
def _same_words() -> dict[str, tuple[str, ...]]:
    """Returns the signs of the groups in which a word stands, by its stems; made when they are first asked for."""
    found: dict[str, tuple[str, ...]] = {}
    for group in _SAME_WORDS.split(";"):
        sign = f"same {group.split()[0]}"
        for word in group.split():
            for stem in stems_of(fold(word)):
                if sign not in found.get(stem, ()):
                    found[stem] = (*found.get(stem, ()), sign)
    return found


def tombstones_of(text: str, seal: Seal) -> list[Tombstone]:
    """Returns the tombstones of a text that the person had forgotten: one of each line or sentence that says
    something of its own; of a text that is one sentence, that one in any case."""
    lines = [line for line in LINE_BREAK.split(text) if fact_key(line)]
    found = [part for line in lines for part in _parts_of(line, seal)]
    single = len(found) == 1
    kept = [part for part in found if single or _says_something(part)]
    wholes = [seal(_line(line)) for line in lines] if not single and len(lines) < len(found) else []
    stones = [Tombstone(part.whole, part.terms) for part in kept]
    # A line of several sentences is known to the letter as well.
    return list(dict.fromkeys([*stones, *(Tombstone(whole, ()) for whole in wholes if whole)]))


def hashed_parts(text: str, seal: Seal) -> list[HashedPart]:
    """Returns the parts of a text that are compared with tombstones: each line, each of its sentences, and each two
    that follow each other."""
    found: list[HashedPart] = []
    for line in LINE_BREAK.split(text):
        if not fact_key(line):
            continue
        sentences = list(_parts_of(line, seal))
        if len(sentences) > 1:
            found.append(HashedPart(seal(_line(line))))
            found += [_joined(one, other) for one, other in pairwise(sentences)]
        found += sentences
        if len(found) >= _MOST_PARTS:
            break
    return found


def _is_again(stone: Tombstone, part: HashedPart) -> bool:
    """Returns whether a part of a text says what the tombstone stands for."""
    if stone.whole == part.whole:
        return True
    terms = [term for term in stone.terms if term.weight is not TermWeight.LIGHT]
    if not terms:
        return False
    missing = [term for term in terms if not _stands(term, part)]
    if len(missing) == len(terms):
        return False
    weights = [term.weight for term in terms if term not in missing]
    if TermWeight.UNIQUE in weights or (TermWeight.FIGURE in weights and len(weights) > 1):
        return True
    fresh = _fresh(stone, part)
    if len(terms) == 1:
        return _is_about_one(stone, part, len(fresh))
    return _is_enough(terms, missing, fresh, part)


def _is_about_one(stone: Tombstone, part: HashedPart, fresh: int) -> bool:
    light = [term for term in stone.terms if term.weight is TermWeight.LIGHT]
    if light:
        said = [term for term in part.terms if term.weight is TermWeight.LIGHT]
        if fresh and said and all(_are_apart(one, other) for one in light for other in said):
            # Who lives in York may like its cheese.
            return False
        # One thing more, unless what the fact says of it is said again.
        return fresh < _BESIDE_ONE or (fresh <= 2 * _BESIDE_ONE and all(_stands(term, part) for term in light))
    return stone.terms[0].weight is not TermWeight.WORD or fresh <= _BESIDE_ONE


def _are_apart(one: HashedTerm, other: HashedTerm) -> bool:
    return set(one.forms).isdisjoint(other.forms)


def _is_enough(
    terms: Collection[HashedTerm], missing: Collection[HashedTerm], fresh: Sequence[HashedTerm], part: HashedPart
) -> bool:
    share = 1 - len(missing) / len(terms)
    values = [term for term in terms if term.weight is not TermWeight.WORD]
    lost = [term for term in missing if term.weight is not TermWeight.WORD]
    if lost and any(term.weight is not TermWeight.WORD for term in fresh):
        return False
    if len(fresh) * _FOR_ONE_FRESH <= len(terms):
        return share >= _SUBSET
    if not values and len(missing) == len(fresh) == 1 and not _is_of_one_sign(fresh[0], terms):
        # The same sentence with another word in the place of one: the key lies under another thing.
        return False
    if lost:
        return share >= _OF_WORDS[0]
    if not missing:
        return bool(values) or len(fresh) <= _BESIDE_MANY * len(terms)
    words = len(terms) - len(values)
    return 1 - len(missing) / words >= _OF_WORDS.get(_count_of(values, part), 0)


def _count_of(values: Iterable[HashedTerm], part: HashedPart) -> int:
    """Returns as how many the values count that a text has: its names say together whom it is about, and small numbers
    stand in many texts, so all of either count as one."""
    others = small = names = 0
    for value in values:
        if not part.names.isdisjoint(value.forms):
            names = 1
        elif not part.small.isdisjoint(value.forms):
            small = 1
        else:
            others += 1
    return others + small + names


def _is_of_one_sign(fresh: HashedTerm, terms: Iterable[HashedTerm]) -> bool:
    """Returns whether a further pair of signs, of a script without spaces, has but one sign that a fact has not."""
    known = {sign for term in terms for sign in term.signs}
    return bool(fresh.signs) and (len(fresh.signs) == 1 or not known.isdisjoint(fresh.signs))


def _stands(term: HashedTerm, part: HashedPart) -> bool:
    if not part.marks.isdisjoint(term.forms):
        return True
    return bool(term.signs) and part.signs.issuperset(term.signs)


def _fresh(stone: Tombstone, part: HashedPart) -> list[HashedTerm]:
    """Returns the terms of a text that the forgotten fact has not."""
    known = {form for term in stone.terms for form in term.forms}
    signs = {sign for term in stone.terms for sign in term.signs}
    return [
        term
        for term in part.terms
        if term.weight is not TermWeight.LIGHT
        and known.isdisjoint(term.forms)
        and not (term.signs and signs.issuperset(term.signs))
    ]


def _says_something(part: HashedPart) -> bool:
    heavy = [term.weight for term in part.terms if term.weight is not TermWeight.LIGHT]
    # Without spaces a word is a pair of signs, and two of them say as much as three words.
    least = 2 if heavy.count(TermWeight.WORD) < len(heavy) or part.signs else 3
    return len(heavy) >= least or TermWeight.UNIQUE in heavy


def _joined(one: HashedPart, other: HashedPart) -> HashedPart:
    return HashedPart("", (*one.terms, *other.terms), one.small | other.small, one.names | other.names)


def _line(text: str) -> str:
    return f"line {fact_key(text)}"


def _parts_of(line: str, seal: Seal) -> Iterator[HashedPart]:
    for sentence in _SENTENCE.split(line):
        if not fact_key(sentence):
            continue
        sealed = {term: _sealed(term, seal) for term in hashed_terms(sentence)}
        small = frozenset(each.forms[0] for term, each in sealed.items() if _is_small_number(term))
        names = frozenset(form for term, each in sealed.items() if _is_name(term) for form in each.forms)
        yield HashedPart(seal(_line(sentence)), tuple(dict.fromkeys(sealed.values())), small, names)


def _is_small_number(term: HashedTerm) -> bool:
    return len(term.forms) == 1 and _SMALL_NUMBER.fullmatch(term.forms[0]) is not None


def _is_name(term: HashedTerm) -> bool:
    return term.weight is TermWeight.VALUE and term.forms[0].startswith("word ")


def _sealed(term: HashedTerm, seal: Seal) -> HashedTerm:
    return HashedTerm(term.weight, tuple(map(seal, term.forms)), tuple(seal(f"sign {each}") for each in term.signs))


def hashed_terms(sentence: str) -> list[HashedTerm]:
    """Returns the terms of a sentence, in plain words: for hashing alone.

    Numbers in words are read as digits. The words stay as light terms: in tombstones that were made before that, they
    stand for the number.
    """
    text = unicodedata.normalize("NFKC", without_format_characters(fact_text(sentence)))
    text = _LONG_RUN.sub(r"\1", _MARKUP.sub(" ", text) if "://" not in text else text)
    is_uzbek = may_be_uzbek(text)
    counted = with_digits(text, is_uzbek=is_uzbek)
    plain = in_plain_numbers(with_digits(with_ordinals(text), is_uzbek=is_uzbek))
    found = _terms_of(plain)
    if asides := " ".join(_ASIDE.findall(plain)):
        beside = {term.forms for term in _terms_of(asides)}
        found = [term._replace(weight=TermWeight.LIGHT) if term.forms in beside else term for term in found]
    if "1" not in text:
        # "A psychologist", 一位, 一点: who says one hardly counts.
        found = [term for term in found if term.forms[0] not in ("number 1", "time 01:00")]
    if not any(map(str.isdigit, plain)):
        return found
    known = {form for term in found for form in term.forms}
    # In tombstones that were made before more forms of values were known, these stand for the value.
    earlier = dict.fromkeys(term.forms for each in dict.fromkeys((counted, text)) for term in _terms_as_written(each))
    return [*found, *(HashedTerm(TermWeight.LIGHT, forms) for forms in earlier if known.isdisjoint(forms))]


def may_be_uzbek(text: str) -> bool:
    """Returns whether a text is, or by its endings may be, in Uzbek."""
    return language(text) == UZBEK or (language_of(text) in ("", "uz") and _LIKE_UZBEK.search(text) is not None)


def _terms_of(text: str) -> list[HashedTerm]:
    found, said, text = _named_days(text)
    if found:
        text = MONTH_WORD.sub(" ", text)
    addresses, text = _taken_out(text, ((_EMAIL, _unique), (_ADDRESS, _address)))
    days, text = short_days(text)
    times, text = times_of_day(text)
    codes, text = _taken_out(text, ((_LONG_NUMBER, _long_number), (_CODE, _code)))
    measured, text = measures(_with_plain_figures(text))
    values = (*map(_value, (*days, *times)), *codes, *map(_value, measured))
    return [*found, *addresses, *values, *_numbers(text, said), *_words(text)]


def _terms_as_written(text: str) -> list[HashedTerm]:
    """Returns the terms of a text without any other form of its values."""
    found, said, text = _named_days(text)
    codes, text = _taken_out(
        text, ((_EMAIL, _unique), (_ADDRESS, _address), (_LONG_NUMBER, _long_number), (_CODE, _code))
    )
    text = _with_plain_figures(text)
    return [*found, *codes, *_numbers(text, said), *_words(text)]


def _named_days(text: str) -> tuple[list[HashedTerm], Collection[str], str]:
    """Returns the days of a text, the numbers that they are made of, and the text without the days in figures."""
    days = [each for each in named_days(text) if each.month] if any(map(str.isdigit, text)) else []
    found = [
        HashedTerm(TermWeight.VALUE, (f"day {each.month:02}{f'{each.first:02}' if each.is_one else ''}",))
        for each in days
    ]
    said = {str(number) for each in days for number in (each.year, each.month, each.first, each.last)}
    return found, said, _DATE.sub(" ", text) if days else text


def _taken_out(
    text: str, readers: Iterable[tuple[re.Pattern[str], Callable[[str], HashedTerm]]]
) -> tuple[list[HashedTerm], str]:
    """Returns what some patterns find in a text, and the text without it."""
    found: list[HashedTerm] = []
    for pattern, read in readers:
        found += [read(match[0]) for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    return found, text


def _with_plain_figures(text: str) -> str:
    text = _IN_GROUPS.sub(lambda groups: re.sub("[- ]", "", groups[0]), text)
    return _SPACED_NUMBER.sub("", _ORDINAL.sub("", text))


def _value(said: SaidValue) -> HashedTerm:
    number = _number(said.number) if said.number else HashedTerm(TermWeight.VALUE, ())
    return number._replace(forms=(*number.forms, *said.forms))


def _numbers(text: str, said: Collection[str]) -> Iterator[HashedTerm]:
    return (_number(match[0]) for match in _NUMBER.finditer(text) if _plain_number(match[0]) not in said)


def _unique(text: str) -> HashedTerm:
    return HashedTerm(TermWeight.UNIQUE, (f"value {text.casefold()}",))


def _address(text: str) -> HashedTerm:
    plain = text.casefold().rstrip(".,;:!?/").removeprefix("https://").removeprefix("http://").removeprefix("www.")
    return HashedTerm(TermWeight.VALUE, (f"value {plain}",))


def _long_number(text: str) -> HashedTerm:
    digits = "".join(filter(str.isdigit, text))
    plain = f"number {digits.lstrip('0')}"
    if digits.endswith("000"):
        # A round number is an amount that other things cost too, and larger ones end like it.
        return HashedTerm(TermWeight.VALUE, (plain,))
    return HashedTerm(TermWeight.UNIQUE, (plain, f"ends {digits[-_TAIL:]}"))


def _code(text: str) -> HashedTerm:
    plain = text.casefold().replace("-", "")
    is_unique = len(plain) >= _LEAST_UNIQUE and sum(map(str.isdigit, plain)) > 3
    return HashedTerm(TermWeight.UNIQUE if is_unique else TermWeight.VALUE, (f"value {plain}",))


def _number(text: str) -> HashedTerm:
    is_code = text.isdigit() and len(text) >= _LEAST_CODE and _YEAR_OR_ROUND.fullmatch(text) is None
    return HashedTerm(TermWeight.FIGURE if is_code else TermWeight.VALUE, (f"number {_plain_number(text)}",))


def _plain_number(text: str) -> str:
    plain = re.sub(r"[,.](?=\d{3}(?:\D|\Z))", "", text).replace(",", ".")
    return plain.lstrip("0") or "0"


def _words(text: str) -> Iterator[HashedTerm]:
    found = _WORD.findall(text)
    is_uzbek = may_be_uzbek(text)
    begins = len(found) > 1
    for word in found:
        if SPACELESS_LETTER.match(word):
            yield from _pairs(word)
            begins = False
            continue
        for piece in word.split("-"):
            yield from _word(
                piece, is_name=not begins and piece[:1].isupper() and not text.isupper(), is_uzbek=is_uzbek
            )
        begins = False


def _word(word: str, *, is_name: bool, is_uzbek: bool) -> Iterator[HashedTerm]:
    folded = fold(word)
    forms = tuple(f"word {stem}" for stem in stems_of(folded)) if folded else ()
    if not forms:
        return
    if (is_uzbek or "\u0400" <= folded[0] <= "\u04ff") and len(folded) > _UZBEK_BEGINNING:
        # Endings follow one another there, and not all of them come off.
        forms = (*forms, f"begins {in_latin(folded)[:_UZBEK_BEGINNING]}")
    if "\u0590" <= folded[0] <= "\u06ff":
        # With what stands above or below its letters too: of tombstones made before that was left out.
        forms = (*forms, f"word {unicodedata.normalize('NFC', unicodedata.normalize('NFKD', word))}")
    signs = (sign for each in forms for sign in _same_words().get(each.removeprefix("word "), ()))
    forms = tuple(dict.fromkeys((*forms, *signs)))
    if folded in _LIGHT:
        yield HashedTerm(TermWeight.LIGHT, forms)
    elif not _says_nothing(folded, is_uzbek=is_uzbek) and len(folded) > 1 and word_stems(word) != [NOT]:
        yield HashedTerm(TermWeight.VALUE if is_name else TermWeight.WORD, forms)


def _says_nothing(folded: str, *, is_uzbek: bool) -> bool:
    return says_nothing(folded) or folded in _JOINING or (is_uzbek and says_nothing(in_latin(folded)))


def _pairs(run: str) -> Iterator[HashedTerm]:
    for word in _SAME_SIGN.findall(run):
        same = _SAME_SIGNS.get(word, word)
        # Under its own signs too: of tombstones made before the words were known to mean the same.
        forms = dict.fromkeys((f"word {same}", *(f"word {pair}" for pair in map("".join, pairwise(word)))))
        yield HashedTerm(TermWeight.LIGHT if same in _LIGHT else TermWeight.WORD, tuple(forms))
    run = _SAME_SIGN.sub("的", run)
    for word in _LIGHT_SIGNS.findall(run):
        yield HashedTerm(TermWeight.LIGHT, (f"word {word}",))
    for piece in SMALL_SIGNS.split(_LIGHT_SIGNS.sub("的", run)):
        if len(piece) == 1 and piece not in COUNTED_SIGNS:
            yield HashedTerm(TermWeight.WORD, (f"word {piece}",), (piece,))
        for pair in map("".join, pairwise(piece)):
            yield HashedTerm(TermWeight.WORD, (f"word {pair}",), tuple(pair))


_LIGHT_SIGNS: Final = re.compile("|".join(word for word in _LIGHT if SPACELESS_LETTER.match(word)))


def is_said_again(stones: Iterable[Tombstone], parts: Collection[HashedPart]) -> list[Tombstone]:
    """Returns the tombstones of what a text says again."""
    return [stone for stone in stones if any(_is_again(stone, part) for part in parts)]

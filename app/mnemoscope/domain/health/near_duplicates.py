"""Finds the line of a memory that says what an earlier one says, in other words or in another order.

Two lines say the same where the words of one are all in the other, whatever their forms and order, and what is left
over of the other is little. Where each has a name, a number or several words that the other lacks, they tell two
things: two cats, two brothers.

Where an embedding model tells what lines mean, two that are near also say the same, unless a number, a name, a denial,
what is done, or a word that tells two things apart says otherwise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from mnemoscope.domain.disagreement.fact_comparison import disagree, rule_language
from mnemoscope.domain.disagreement.vocabulary import ALLERGY
from mnemoscope.domain.health.line_meanings import LineMeanings
from mnemoscope.domain.search.stems import in_latin, uzbek_stem
from mnemoscope.domain.search.words import UZBEK, is_spaceless, language, plain_stem, words_of
from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK
from mnemoscope.domain.text.numerals import with_digits, with_ordinals

_SHARE: Final = 0.6
"""The part of the longer line's words that the shorter one has to have."""
_SHARE_SPACELESS: Final = 0.55
"""The same of characters, of which a word has two or three."""
_PREFIX: Final = 4
_REST: Final = 2
"""Letters in which the ends of two forms of a word may differ."""
_COMMON: Final = 64
"""A word in more lines than this does not say which of them is meant."""
_ENDINGS: Final = frozenset(("ni", "da", "ga", "dan", "ning", "si", "i", "n", "s", "es", "a", "u", "om"))
_GROUPED: Final = re.compile(r"(?<=\d)[ ,\u00a0\u202f](?=\d{3}(?!\d))")


def _set(words: str) -> frozenset[str]:
    return frozenset(map(in_latin, words.split()))


_EMPTY: Final = _set("""
    a an the is are was were be been being am to of in on at for with by from and or but it its as that this
    these those
    when while writing
    has have had he she they his her their there each every all both not-only also too very really so then than
    do does
    since still already another instead rather profession occupation
    s i me my best day days time city town place choice language monthly month hospital user users person own
    и в во на с со к ко у о об от за из для по под при про что это как он она они его ее их мой моя есть был была были
    быть же бы него нее ней неё нему уже еще ещё давно профессии профессия профессию всего тоже также который которая
    качестве качеств свой своя пользователь пользователя является
    день дни дням город городе места место месяц
    va bilan uchun bu u ham edi esa bor mavjud bolib bolgan sifatida uning ozining har deb
    foydalanuvchi foydalanuvchining
    over more than держит держу больше чем kora kop koproq boqadi vaqti vaqt время нужны нужен нужно член azosi member
    bolishini bolishi bolsin berishni berishini berilsin участвует прошло otgan beri buyon
    joy joyi kun kuni kunlari til tili haqi kasb kasbi shahri shahar shahrida shahriga nomi ismi beradi qiladi olib
    juda hali deyarli yilda yildan sababli tufayli borligi borligidan
    名 个
""")
"""Words without which a line still says the same. Uzbek ones stand in Latin letters, without apostrophes."""
_EMPTY_CHARACTERS: Final = frozenset(
    "时里对于从的了是在有着呢吧啊也都很就和与及把被将会叫当做为共一家个位用使我他她它其之者里上"
)
_SAME_CHARACTERS: Final = (
    ("偏好", "喜欢"), ("不吃肉", "吃素"), ("出生日期", "生日"), ("居住", "住"), ("生活", "住"), ("爱", "喜欢"),
    ("上班", "工作"),
    ("母亲", "妈妈"), ("父亲", "爸爸"), ("大夫", "医生"), ("星期", "周"),
    ("礼拜", "周"),
    ("以来", "开始"), ("两次", "二次"), ("惧怕", "怕"), ("凌晨", "早上"), ("早晨", "早上"),
    ("太太", "妻子"), ("老婆", "妻子"), ("老公", "丈夫"),
    ("出生于", "生"), ("出生", "生"), ("汽车", "车"), ("开车", "车"),
    ("害怕", "怕"), ("使用", "用"), ("采用", "用"), ("简短", "短"),
    ("简洁", "短"), ("回复", "回答"), ("答案", "回答"), ("教师", "教"), ("老师", "教"),
    ("教书", "教"),
    ("不要", "别"), ("不用", "别"), ("左撇子", "左手"), ("右撇子", "右手"), ("托管", "放"), ("存放", "放"),
    ("存储", "放"), ("保存", "放"), ("部署", "放"), ("位于", "在"), ("编写", "写"), ("开发", "写"), ("会过敏", "过敏"),
    ("房子", "房"),
    ("从来不", "不"), ("从不", "不"), ("饮酒", "喝酒"), ("更喜欢", "喜欢"), ("胜过", "比"), ("比起", "比"),
    ("单位", ""),
    ("当护士", "护士"), ("就职", "工作"), ("任职", "工作"), ("就读", "读书"), ("上学", "读书"), ("念书", "读书"),
    ("成长", "长大"),
    ("购买", "买"), ("购入", "买"), ("饲养", "养"), ("驾驶", "开车"), ("畏惧", "怕"), ("讨厌", "不喜欢"),
    ("厌恶", "不喜欢"),
    ("先生", "丈夫"), ("孩子", "娃"), ("小孩", "娃"), ("不喝酒", "戒酒"), ("职员", "员"), ("担任", "做"),
)  # fmt: skip
_CONTRAST_CHARACTERS: Final = frozenset(
    "一二三四五六七八九十日月早晚左右前后大小男女父母爸妈哥姐弟妹"
    "儿爷奶外公婆叔姨姑舅东西南北春夏秋冬红黑白绿蓝黄新旧猫狗茶咖啡卖修学送借洗机"
)
_EMPTY_PHRASES: Final = (
    "转行",
    "希望",
    "习惯",
    "一直",
    "名叫",
    "家里",
    "语言",
    "老家",
    "偏爱",
    "职业",
    "不能吃",
    "用户",
    "名字",
    "自己",
    "工作是",
    "目前",
    "现在",
)
_PREDICATE_GROUPS: Final = """
live lives lived living move moved settled resident resides based home yashaydi yashayman turadi istiqomat живет живу
проживает
обитает переехал переехала kochgan; work works worked working job employed employee ish ishi работы сотрудник
сотрудница xodim xodimi ishlaydi ishlayman работает работаю
трудится; like likes liked
prefer prefers preferred preference want wants wish wishes enjoy enjoys love loves fond favourite favorite
yoqtiradi yoqadi xohlaydi soraydi istaydi просит afzal любит предпочитает хочет нравится обожает; use uses used using
runs store
stores stored keep keeps kept saqlanadi ishlatiladi ishlatadi foydalanadi turadi joylashgan hosted lies stands лежит
находится стоит расположен расположена размещен размещён использует используется хранит
хранится применяется; come comes came deliver delivers delivered bring brings brought buy buys bought get gets
take takes supplies supplied oladi olinadi keltiriladi keltiradi keladi sotib kelinadi kelinib keltirilgan берет
берут привозит привозят
покупает поставляет забирает; begin begins start starts начинается начинает boshlanadi; written writes coded
implemented made built done yozilgan qilingan qurilgan yasalgan написан сделан написано; born birthplace родился
родилась родом
tugilgan; speak speaks spoken говорит владеет gapiradi biladi gaplashadi; called named name кличке кличка
degan ismli зовут называется имя ataladi; drink drinks пьет ichadi; go goes attends visits walks ходит ездит
посещает занимается boradi qatnaydi shugullanadi; own owns driver drives rides ездит водит haydaydi minadi;
eat eats ест кушает yeydi istemol; wear wears wearing носит носить taqadi kiyadi; close closes closed closing
закрывается закрыт закрыта закрыто yopiladi yopilish yopilishi; open opens opened opening открывается открыт ochiladi
ochilish; grew childhood raised выросла вырос детство osgan bolaligi ulgaygan; swim swims swimming плавает плавать
плавание suzadi suzish suzishga; sing sings singing поет петь kuylaydi; cook cooks cooking готовит pishiradi; play
plays играет oynaydi; read reads читает oqiydi; learn learns study
studies studied graduated учит изучает учится окончил окончила закончил oqigan bitirgan organadi tahsil; cost
costs price стоит цена turadi narxi; repairs repair mends mend fixes чинит ремонтирует tuzatadi tamirlaydi; sells
sell selling продает торгует sotadi; sends send отправляет посылает yuboradi jonatadi; pays pay платит оплачивает
tolaydi; gives give donates donate жертвует переводит otkazadi; teach teaches taught преподает обучает orgatadi;
paints paint рисует chizadi; washes wash моет стирает yuvadi; lends lend borrows borrow одалживает; grows grow
выращивает ostiradi; rents rent renting снимает ijaraga; owes owe должен должна qarzdor; manages runs leads
руководит заведует boshqaradi; collects собирает yigadi; bakes bake печет yopadi; sews sew шьет tikadi; sleeps sleep
спит uxlaydi uxlab
"""
"""Groups of verbs: a line may go without one, but two lines with different ones say two things."""
_THING_GROUPS: Final = """
mother mum mom mam mama мама мать мамы ona onasi onam; father dad papa отец папа ota otasi dada dadasi;
manager boss report reports supervisor начальник начальница руководитель boshligi rahbari; teach teaches
teacher taught teaching lecturer учитель учительница преподает преподаватель oqituvchi oqituvchisi oqituvchilik muallim
muallimlik dars; wife married husband spouse partner женат замужем жена супруга муж супруг браке брак nikoh xotini
rafiqasi eri
turmush; doctor physician врач
доктор shifokor vrach; database db база базы базе базой бд malumotlar bazasi baza malumot; car automobile машина
автомобиль
авто mashina avtomobil mashinasi; short brief concise кратко кратких краткие коротко короткие qisqa; flat
apartment квартира kvartira xonadon; company firm employer компания компании
компанию компанией фирма фирмы фирме фирму kompaniya kompaniyasi firma korxona; child
children kid kids дети ребенок bola bolasi farzand farzandi; birthday birthdate birth рождения tugilgan; phone
telephone mobile телефон telefon; dog puppy собака собаку собаки собак пес it iti itining itini itiga; cat kitty кошка
кошки кошку кошек кошкой кот кота котов mushuk mushugi; colleague
coworker teammate коллега hamkasb; afraid fears fear feared scared frightened frightens scares боится
боюсь пугается пугает страшится опасается qorqadi qorqaman chochiydi hadiksiraydi hurkadi;
run runs running jog jogs jogging бегает
бег yuguradi; vegetarian meatless vegetarianlik
вегетарианец вегетарианка; release releases deploy deploys deployed релиз релизы выпуск chiqarish; big large
большой katta; bike bicycle велосипед velosiped; allergy allergic аллергия аллергию аллергик allergiya allergiyasi
allergik; intolerant intolerance
непереносимость непереносим; tenant rents rent renting снимает аренда арендует ijara ijaraga; pregnant expecting
беременна homilador; retired pensioner retirement пенсия пенсии пенсионер пенсионерка nafaqa nafaqada; house houses
дом доме uy uyi; heating heated отопление отапливается isitish isitiladi; repository repo репозиторий репозитории
ombor omborida omborda; backup backups бэкап бэкапы резервная; night nightly ночью ночной;
before oldin oldidan avval перед; salary wage wages paid зарплата зарплату зарплаты maosh maoshi maoshini oylik;
founded established основан основана основано основания
основание tashkil; twice дважды
"""
_CONTRAST_WORDS: Final = """
    monday tuesday wednesday thursday friday saturday sunday weekday weekend morning evening night afternoon noon
    first second third last next left right north south east west old new young elder younger older upper lower big
    small red black white green blue yellow brown grey gray hot cold tea coffee brother sister son daughter aunt uncle
    cousin grandmother grandfather neighbour friend home office work school spring summer autumn winter one two three
    four five six seven eight nine ten twice read write import export importer exporter input output backend frontend
    понедельник вторник среда четверг пятница суббота воскресенье утро вечер утром вечером день ночь первый второй
    третий последний левый правый старый новый старший младший брат сестра сын дочь тетя дядя бабушка дедушка сосед
    друг чай кофе красный черный белый зеленый синий зима лето осень весна
    dushanba seshanba chorshanba payshanba juma shanba yakshanba ertalab kechqurun kunduzi birinchi ikkinchi uchinchi
    aka akasi uka ukasi opa opasi singil singlisi ogli qizi amaki toga togasi xola xolasi bobo buvi dosti qoshni choy
    qahva qizil qora oq kok yashil qish yoz kuz bahor ikki uch tort besh
    """
_CONTRASTS: Final = frozenset(
    in_latin(form) for word in _CONTRAST_WORDS.split() for form in (word, plain_stem(word), uzbek_stem(in_latin(word)))
)
"""Words that make two things of what is said otherwise alike."""
_TIMES_UZ: Final = r"(?: (?:1|bir|бир))?(?: (?:marta|marotaba|марта|маротаба))?"
_HALF_YEARLY: Final = (
    r"\b(?:twice a year|every (?:6 months|half[- ]year)|(?:1 )?раз в полгода|каждые (?:6 месяцев|полгода)"
    rf"|(?:har |ҳар )?(?:6 oyda|yarim yilda|6 ойда|ярим йилда){_TIMES_UZ})\b"
)
_FORTNIGHTLY: Final = (
    r"\b(?:every (?:2 weeks|14 days|other week|second week)|fortnightly|каждые (?:2 недели|14 дней)"
    rf"|(?:1 )?раз в 2 недели|(?:har |ҳар )?(?:2 haftada|1[45] kunda|2 ҳафтада|1[45] кунда){_TIMES_UZ})\b"
)
_SAME_PHRASES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (r"(?:does not|doesnt|never|do not|dont) eats? (?:any )?meat|не ест мяс[ао]|мяс[ао] не ест", "vegetarian"),
        (
            (
                r"gosht(?:ni)?((?:\s\S+){0,3})\s(?:yemaydi|istemol qilmaydi)|гўшт(?:ни)?((?:\s\S+){0,3})\s(?:емайди|"
                r"истемол қилмайди)"
            ),
            r"\1\2 vegetarian",
        ),
        (r"(?:does not|doesnt|do not|dont|cannot|cant) (?:tolerate|digest)s?\b", "intolerant"),
        (r"не переносит", "непереносимость"),
        (r"\b(?:instead of|rather than)\b", " not "),
        (r"\bвместо\b", " не "),
        (r"\b2 times\b|\b2 раза\b", "twice"),
        (r"(\d) ?(?:ta|та)\b", r"\1"),
        (r"€", " euro "),
        (r"£", " pound "),
        (r"\$", " dollar "),
        (r"₽", " рублей "),
        (_HALF_YEARLY, " halfyearly "),
        (_FORTNIGHTLY, " fortnightly "),
        (r"\bunless\b", "if not"),
        (r"\byomon ko'?radi\b|\bёмон кўради\b", "yoqtirmaydi"),
        (r"\bshould be (?:written|given|kept)\b", "wants"),
        (r"\bis an? (\w+) player\b", r"plays \1"),
        (r"\bhas (?:room|space|seats) for\b", "seats"),
        (r"\b(?:не выносит|терпеть не может|не переваривает|недолюбливает)\b", "не любит"),
        (r"\b(?:cant|cannot) stand\b|\bdislikes?\b|\bdetests?\b|\bhates?\b", "not like"),
        (r"\byaxshi koradi\b|\bяхши кўради\b", "yoqtiradi"),
        (r"\bback(?:s|ed|ing)? up\b", "backup"),
        (r"\bby bike\b|\bby bicycle\b", "cycle"),
        (r"\bне употребляет\b|\bв рот не берет\b", "не пьет"),
        (r"\bistemol qilmaydi\b", "ichmaydi"),
        (r"\bgo(?:es)? (?=\w+ing\b)", ""),
        (r"(?:every|each|per|a) week\b|\bweekly\b", "week"),
        (r"(?:every|each|per|a) day\b|\bdaily\b", "day"),
    )
)
"""Phrases under the words with which they are compared."""
_LONG: Final = 4
_DIGITS: Final = "0123456789"
_APART: Final = f"#{_DIGITS}"
"""The first characters of a word that has one form alone: the digits of a number, or the mark of a group of things."""


@cache
def _groups() -> dict[str, frozenset[str]]:
    """Returns the groups of each form of a word; "turadi" both lives and is kept somewhere. They are made when
    lines are first compared."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for mark, table in (("=", _PREDICATE_GROUPS), ("#", _THING_GROUPS)):
        for number, group in enumerate(table.split(";")):
            for word in group.split():
                for form in (in_latin(word), in_latin(plain_stem(word))):
                    if form == in_latin(word) or len(form) >= _LONG:
                        found[form].add(f"{mark}{number}")
    return {form: frozenset(groups) for form, groups in found.items()}


_DENIALS: Final = _set("""
    not no never without none dont doesnt didnt cant cannot wont isnt arent wasnt neither nor hates dislikes hate
    dislike ненавидит
    не нет без никогда ни emas yoq hech
""")
_DENIED_ALONE: Final = re.compile(r"\w{2,}may(?:di|man|san|miz|siz|dilar)\Z")
"""An Uzbek verb that denies, whatever the text around it looks like."""
_DENIED_ENDING: Final = re.compile(r"\w{2,}(?:may|mas)(?:di|man|san|miz|siz|dilar)\Z")


@dataclass(frozen=True)
class _Line:
    """Holds the words of a line that count, each under the form in which it is compared."""

    number: int
    text: str
    words: frozenset[str]
    denies: bool
    predicates: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    """Those of the words that are written with a capital letter within the line."""
    is_spaceless: bool = False
    order: tuple[str, ...] = ()
    """The words as they follow each other: what the line is about stands first, where it says so first."""

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Returns those of the words that begin with a figure."""
        return frozenset(word for word in self.words if word[0] in _DIGITS)

    @cached_property
    def figures(self) -> str:
        """Returns all figures of the text, without what stands between them."""
        return "".join(filter(str.isdigit, with_digits(with_ordinals(self.text))))


class DuplicateIndex:
    """Holds the lines met so far, found again by their words."""

    def __init__(self, meanings: LineMeanings | None = None) -> None:
        self._meanings = meanings or LineMeanings()
        self._lines: list[_Line] = []
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)

    def find_or_add(self, number: int, text: str) -> int | None:
        """Returns the number of the earlier line that says what `text` says; where there is none, remembers it."""
        line = _line(number, text)
        if not line.words:
            return None
        keys = {word[:_PREFIX] for word in line.words}
        shared = Counter(place for key in keys if len(at := self._by_word[key]) <= _COMMON for place in at)
        for place in sorted(shared):
            if _say_the_same(self._lines[place], line):
                return self._lines[place].number
        if text in self._meanings:
            for earlier in self._lines:
                # Of lines that are all alike this tells most apart, and costs least.
                if _have_other_numbers(earlier, line):
                    continue
                if self._meanings.are_near(earlier.text, text) and not _are_about_two_things(earlier, line):
                    return earlier.number
        for key in keys:
            self._by_word[key].append(len(self._lines))
        self._lines.append(line)
        return None


def are_about_two_things(one: str, other: str) -> bool:
    """Returns whether something says that two texts which are near each other are about two things: a number, a name, a
    denial, what is done, or a word that tells two things apart."""
    return _are_about_two_things(_line(0, one), _line(0, other))


def _say_the_same(one: _Line, other: _Line) -> bool:
    if one.denies != other.denies or one.is_spaceless != other.is_spaceless:
        return False
    if one.predicates and other.predicates and not one.predicates & other.predicates:
        # Who lives in a town need not work there.
        return False
    left_one, left_other = _unmatched(one.words, other.words), _unmatched(other.words, one.words)
    most = max(len(one.words), len(other.words))
    matched = min(len(one.words) - len(left_one), len(other.words) - len(left_other))
    left = left_one | left_other
    if left and matched < 2:
        return False
    if left_one and left_other and not _is_slight(left_one, left_other, matched, one, other):
        return False
    if any(map(str.isdigit, "".join(left))) and matched < 2 * len(left):
        return False
    return matched / most >= (_SHARE_SPACELESS if one.is_spaceless else _SHARE)


def _are_about_two_things(one: _Line, other: _Line) -> bool:
    """Returns whether something says that two lines which are near in meaning are about two things."""
    if one.denies != other.denies or one.is_spaceless != other.is_spaceless:
        return True
    if one.predicates and other.predicates and not one.predicates & other.predicates:
        return True
    left_one, left_other = _unmatched(one.words, other.words), _unmatched(other.words, one.words)
    apart = _CONTRAST_CHARACTERS if one.is_spaceless else _CONTRASTS
    has_figures = any(word[0] != "#" and any(map(str.isdigit, word)) for word in left_one | left_other)
    if has_figures and one.figures != other.figures:
        return True
    if left_one and left_other and all(ALLERGY.search(line.text.casefold()) for line in (one, other)):
        # One may have several, and they are near to each other.
        return True
    if (left_one & apart and left_other & apart) or (left_one & one.names and left_other & other.names):
        return True
    if _have_other_subjects(left_one, left_other, one, other):
        return True
    return disagree(one.text, other.text) or disagree(other.text, one.text)


def _have_other_numbers(one: _Line, other: _Line) -> bool:
    """Returns whether the numbers alone say that two lines are about two things."""
    return one.numbers != other.numbers and one.figures != other.figures


def _is_slight(left_one: frozenset[str], left_other: frozenset[str], matched: int, one: _Line, other: _Line) -> bool:
    """Returns whether what either line has for itself may be no more than another wording."""
    left = left_one | left_other
    if one.is_spaceless:
        if left & _CONTRAST_CHARACTERS or _have_other_subjects(left_one, left_other, one, other):
            return False
        return matched >= 4 and max(len(left_one), len(left_other)) <= 2
    if max(len(left_one), len(left_other)) > 1 or left & (one.names | other.names | _CONTRASTS):
        return False
    if _have_other_subjects(left_one, left_other, one, other):
        return False
    return not any(word.startswith("#") or any(map(str.isdigit, word)) for word in left)


def _have_other_subjects(left_one: frozenset[str], left_other: frozenset[str], one: _Line, other: _Line) -> bool:
    """Returns whether nothing but the beginning differs: the same is said of two things. Where words are not set apart,
    it has a character or two."""
    if not (one.order and other.order and one.order[0] in left_one and other.order[0] in left_other):
        return False
    if not one.is_spaceless and max(len(left_one), len(left_other)) > 1:
        return False
    rest_one, rest_other = (
        [word for word in line.order if word not in left] for line, left in ((one, left_one), (other, left_other))
    )
    return rest_one == rest_other


def _unmatched(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words - others if not any(_same(word, other) for other in others))


def _same(one: str, other: str) -> bool:
    """Returns whether two stems are forms of one word."""
    if one[0] in _APART or other[0] in _APART or is_spaceless(one):
        return False
    short, long = sorted((one, other), key=len)
    if long.startswith(short) and (len(short) > _PREFIX or long[len(short) :] in _ENDINGS):
        return True
    common = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return common >= _PREFIX and len(long) - common <= _REST


def _line(number: int, text: str) -> _Line:
    spoken = UZBEK if rule_language(text) == "uz" else language(text)
    plain = APOSTROPHE_OR_BACKTICK.sub("", text.replace("`", "").replace("time zone", "timezone"))
    plain = _GROUPED.sub("", with_digits(with_ordinals(plain), is_uzbek=spoken == UZBEK))
    for pattern, same in _SAME_PHRASES:
        plain = pattern.sub(same, plain)
    if spoken == "spaceless":
        return _spaceless_line(number, text, plain)
    denies = False
    words: set[str] = set()
    predicates: set[str] = set()
    names: set[str] = set()
    order: list[str] = []
    for word in words_of(plain, spoken):
        form, stem = in_latin(word.folded), in_latin(word.stem)
        if form in _DENIALS:
            # That it denies is what the word says: "drinks no wine" has no word more than "does not drink wine".
            denies = True
            continue
        if _DENIED_ALONE.match(form) or (spoken == UZBEK and _DENIED_ENDING.match(form)):
            denies = True
        groups = _groups().get(form) or _groups().get(stem)
        if groups is not None:
            predicates.update(group for group in groups if group.startswith("="))
            things = [group for group in groups if group.startswith("#")]
            words.update(things)
            order += things
        elif form not in _EMPTY and stem not in _EMPTY:
            words.add(stem)
            order.append(stem)
            if word.start > 0 and plain[word.start].isupper():
                names.add(stem)
    return _Line(number, text, frozenset(words), denies, frozenset(predicates), frozenset(names), order=tuple(order))


def _spaceless_line(number: int, said: str, text: str) -> _Line:
    for words, same in _SAME_CHARACTERS:
        text = text.replace(words, same)
    for phrase in _EMPTY_PHRASES:
        text = text.replace(phrase, "")
    found = set()
    order: list[str] = []
    for word in words_of(text, "spaceless"):
        form = word.folded[:1] if is_spaceless(word.folded) else word.folded
        if form not in _EMPTY_CHARACTERS:
            found.add(form)
            order.append(form)
    denies = any(mark in text for mark in "不没无未别")
    return _Line(number, said, frozenset(found), denies, is_spaceless=True, order=tuple(order))

"""Tells of whom a fact says something and what it says they do, where it names them: Ellie's mugs are not the café's.

No sentence is parsed. A subject is what stands before a verb of people and customers, or before a colon at the
beginning; where none of these is found, nothing is told apart. Uzbek has its verb at the end, so there it is what the
fact begins with before the first word with an ending of a case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from mnemoscope.domain.disagreement.vocabulary import EMPTY, EMPTY_CHARACTERS, separate
from mnemoscope.domain.search.stems import english_stem, in_latin, russian_stem, uzbek_stem
from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK, APOSTROPHES, HAN, HAN_LETTER

_REMEMBERED: Final = 20_000
_LONGEST: Final = 5
"""Words of a subject; what is longer is none."""
_WORD: Final = re.compile(r"[^\W\d_][\w-]*")
_CYRILLIC: Final = re.compile("[а-яё]", re.IGNORECASE)
_FOREIGN: Final = re.compile("[^a-zа-яўқғҳ0-9-]")

_ENGLISH_VERBS: Final = separate("""
    stop stops stopped pass passes passed fail fails failed give gives gave ring rings rang retired practises
    live lives lived work works worked drink drinks drank eat eats ate like likes liked love loves loved hate hates
    prefer prefers preferred want wants wanted need needs needed order orders ordered pay pays paid buy buys bought
    sell sells sold take takes took collect collects collected come comes came drive drives drove ride rides rode
    cycle cycles cycled walk walks walked play plays played speak speaks spoke start starts started leave leaves
    left study studies studied teach teaches taught learn learns learned read reads write writes wrote cook cooks
    cooked bake bakes baked make makes made bring brings brought ask asks asked book books booked borrow borrows
    borrowed lend lends lent owe owes owed own owns owned wear wears wore sing sings sang run runs ran swim swims
    swam train trains trained visit visits visited meet meets met call calls called use uses used smoke smokes
    smoked sleep sleeps slept sends sent wins won turned broke breaks keeps kept gets got avoids avoided cannot
    can't doesn't does do did don't said says told thinks knows knew moved moves joined quit helps helped looks
    looked stays stayed grows grew reserves reserved cancelled returned deliver delivers delivered manages managed
    leads led fire fires fired charge charges charged fix fixes fixed paint paints painted
""")
_ENGLISH_PRICING: Final = separate("cost costs charge charges sleeps fits holds seats")
"""Verbs of things, which are told apart though they have no name."""
_ENGLISH_BEING: Final = separate("is are was were has have had will")
_ENGLISH_BEFORE_VERB: Final = separate("""
    always never usually often now still also sometimes rarely only already just currently really both then once
    again no longer not almost mostly
""")
_ENGLISH_NO_SUBJECT: Final = separate("""
    i you he she it we they who which that this these those there user one someone somebody nobody everyone everybody
    all both each please never always usually often now still also sometimes rarely only already just currently
    when if where while since because before after until as and or but so then in on at by for from to with of today
    yesterday normally mostly no not what how whoever mum's
""")
_ENGLISH_TIMES: Final = separate("""
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday christmas easter
""")
_ENGLISH_OPENING: Final = separate("the a an our my his her their your new old another")
_ENGLISH_TITLES: Final = separate("mr mrs ms miss dr uncle aunt old little young")
_SAID_OF_PEOPLE: Final = re.compile(
    r"\s+(?:now |also |still |only )?(?:\d{1,3}\b(?! ?[%:.])|allergic|vegan|vegetarian|married|single|divorced|engaged"
    r"|widowed|left-handed|right-handed|pregnant|retired|afraid|fond|good at|bad at|learning|training|years|a vegan"
    r"|a vegetarian|from|coming|going|away|back|off|ill|on holiday|on leave|[A-Z][\w-]+['’]s \w+|not\b)"
)

_HELD_BY_ONE: Final = separate("run lead manag look keep ведет вест отвеча руковод возглав boshqaradi 负责")
"""Verbs, as stems, of what one does in the place of another."""
_ALPHABETS: Final = frozenset(("latin", "cyrillic", "han"))
_DEEDS: Final = separate("""
    work liv hav drink eat lik lov pref want order pay buy collect come driv rid cycl play speak study read cook
    bring ask lend
    lent ow wear sing swim visit allergic deliv book borrow sell
    ест пьет люб предпоч заказ плат куп игра говор уч носит ездит водит рису чита принос ход едет держ бо есть
    ichadi yeydi oynaydi yoqtiradi toladi gapiradi oqiydi sotadi haydaydi kiyadi
    喝 吃 订 买 付 结账 喜欢 爱 骑 坐 教 学 负责 收货 借 卖 送 搬 养 休息
""")
"""Verbs, as stems, of which one says nothing of another: who is known to drink tea may come to work by train."""
_OWN: Final = separate("flat apart hous hom job address")
"""Stems of what is somebody's and tells where they themselves are: whose flat is in Leeds lives in Leeds."""
_OWNED: Final = re.compile(r"(?:[Tt]he )?([^\W\d_][\w-]+)['’]s ([a-z][\w-]+)")
_OURS: Final = re.compile(
    r"\b(?:[Oo]ur|[Mm]y) (landlord|landlady|manager|boss|accountant|doctor|dentist|supplier|neighbour|lawyer|birthday)"
    r" (?:is|are|was)\b"
)
_THING: Final = re.compile(
    r"(?:[Tt]he|[Oo]ur|An?) ((?:[a-z][a-z-]+ ){1,2})([a-z-]+) (?:is|are|was|were|starts|meets|opens|closes|rose|went)\b"
)
_NO_KINDS: Final = separate("""
    new old other next last first second third daily weekly monthly current main whole usual same big best
""")
"""Words that do not tell which of several things is meant."""
_OWN_PLACES: Final = separate("""
    shop studio workshop flat apartment house home office building room school company store cafe café garden allotment
    day week month year morning evening today tomorrow yesterday it he she that there here who what let
""")
"""Places that may be one's own, and words that own nothing."""
_ENGLISH_TOKEN: Final = re.compile(r"[^\W\d_][\w'’-]*|\d[\d.,:]*|[,;:.()—–&]|[^\s\w]")
_OWNER: Final = re.compile(r"(?:['’]s|s['’])\Z")

_RUSSIAN_VERB: Final = re.compile(
    r"(?:[а-я]{2,}(?:ает|яет|еет|ует|юет|ёт|ит|ают|яют|еют|уют|ят|ал|ала|али|ил|ила|или|ел|ела|ели|ился|илась|ился"
    r"|ался|алась|ается|ится|яла|ял|яли|ул|ула)|ест|едят|пьет|пьют|живет|живут|ждет|берет|берут|хочет|хотят|может|ведет"
    r"|водит|носит|ездит|едет|едут|идет|идут|растет|боится|боятся|зовут|спит|держит|шьет|поет|печет|везет|держит)\Z"
)
_RUSSIAN_BEFORE_VERB: Final = separate("не теперь больше всегда никогда обычно тоже уже ещё еще сейчас часто иногда")
_RUSSIAN_NO_SUBJECT: Final = separate("""
    я ты он она оно мы вы они кто что это этот эта его её ее их пользователь теперь больше всегда никогда обычно сейчас
    уже ещё еще часто иногда в на у по с со из за для от до о об при под над к ко не без если когда где как и а но
    каждый каждую каждое каждые зиму лето осень весну
""")
_RUSSIAN_HAS: Final = re.compile(
    r"У ([А-ЯЁ][а-яё]{2,})(?:,| (?:теперь |больше )?(?:(есть)|нет|был[аио]?)\b| [а-яё0-9])"
)
_RUSSIAN_OWNED: Final = re.compile(
    r"(?:(Мой|Моя|Моё|Наш|Наша) )?([Дд]ень рождения|[Тт]елефон|[Нн]омер|[Аа]дрес|[Мм]ашина)(?: ([А-ЯЁ][а-яё]+))?\b"
)
_RUSSIAN_CASE: Final = re.compile(r"(?:у|ю|ом|ем|ой|ам|ям|ах|ях|ами|ями)\Z")
"""Endings of a first word that does nothing, but has something done to it."""

_UZBEK_CASE: Final = re.compile(r"[^\W\d_]{2,}(?:ni|da|ga|kka|qqa|dan|gacha|siz)\Z")
_UZBEK_NO_SUBJECT: Final = separate("""
    u men biz siz ular endi hozir har bugun kecha ertaga doim hech faqat foydalanuvchi bu shu yaqinda yangi eng
    odatda ertalab kechqurun kuniga oyiga haftasiga yiliga
""")
_UZBEK_ENDS: Final = separate(
    "soat juda ham faqat har hech endi hozir kuni kunlari dushanba seshanba chorshanba payshanba juma shanba yakshanba"
)
_UZBEK_TITLES: Final = separate("aka opa xola amaki tog'a ustoz domla")
_UZBEK_VERB: Final = re.compile(r"(?:adi|ydi|di|gan|yapti|moqda|yoshda)\Z|\Asom\Z|\A(?:bor|yoq)\Z")
_UZBEK_OWNED: Final = re.compile(rf"([^\W\d_]{{3,}})(?:ning|нинг) (?:yangi |янги )?([^\W\d_][\w{APOSTROPHES}]+)")
_UZBEK_DEED: Final = re.compile(
    r"(?:uylan|ajrash|turmush|ishla(?:ydi|may)|yasha|kel(?:adi|di|may)|ket(?:adi|di|may)|chek(?:adi|may)|ich(?:adi|may))"
)
"""Verbs that follow at once on whom they are of, as they may do without an object."""

_CHINESE_VERB: Final = re.compile(
    "住|喜欢|爱|怕|讨厌|恨|姓|戴|穿|唱|跳|退休|结婚|离婚|单身|未婚|管|烧|上课|上陶|订|喝|吃|买|付|结账|收货|负责|搬|休息|周[一二三四五六日天]|星期|每[天周月年]|今年|现在|要|想|开|送|骑|坐|"
    "是|有|在|不|没|对|会|早上|晚上|上午|下午|月底|拿|教|学|用|养|去|来|打|做|当|说|换|改|[0-9一二三四五六七八九十]+[点枝盆朵]|收|借|还|卖"
)
_CHINESE_TIME: Final = re.compile(
    "周|星期|每|今年|现在|早上|晚上|上午|下午|月底|是|有|在|不|没|会|换|改|[0-9一二三四五六七八九十]"
)
"""Of them those that say when something is done, or nothing of their own."""
_CHINESE_LEADS: Final = re.compile("^(?:现在|目前|如今|最近|从\\w{1,6}起)[,，]?")
_CHINESE_NO_SUBJECT: Final = re.compile(
    "^(?:[他她它我你您咱]们?|用户|大家|这|那|每|今|明|从|把|已|不|没|一|转|去年|[0-9])"
)
_CHINESE_PREFIX: Final = re.compile(
    f"^[小老阿大](?![板婆公师家人孩区学姨门店厅])(?=[{HAN}]$)|太太|先生|女士|老师|师傅|医生|阿姨|叔叔"
)
_CHINESE_TASK: Final = re.compile(f"^([{HAN}]{{2,6}})由([{HAN}]{{2,4}})(?:负责|管|来做|做)")
_CHINESE_LONGEST: Final = 8

_LABEL: Final = re.compile(r"\A([^\W\d_][^:：()]{1,60}?)\s*[:：](?!\d|//)")


@dataclass(frozen=True, slots=True)
class Subject:
    """Describes of whom a fact says something. `words` are the stems of all that names them, `names` those of them that
    are written as a name, `owner` those of whom it is said that something is theirs, and `said` has their titles too.
    `verb` says what they do."""

    words: frozenset[str]
    names: frozenset[str]
    owner: frozenset[str]
    said: frozenset[str]
    verb: str
    script: str
    """The alphabet of its words; or that it is a task, or a thing of which there are several kinds."""


@lru_cache(maxsize=_REMEMBERED)
def subjects_of(text: str, language: str) -> tuple[Subject, ...]:
    """Returns the subjects that a fact in this language names, in their order; none where it names none."""
    text = re.sub(r"[*_`~«»“”\"]+", "", text).strip()
    if language == "zh":
        found = _in_chinese(text)
    elif language == "uz":
        found = _in_uzbek(text)
    elif language == "ru":
        found = _in_russian(text)
    else:
        found = _in_english(text)
    return found or _labelled(text, language) or _owned(text, language)


def are_of_two(old: tuple[Subject, ...], new: tuple[Subject, ...]) -> bool:
    """Returns whether facts are of different subjects, each of which is named. Names in different scripts tell
    nothing."""
    if not old or not new:
        return False
    if old[0].script != new[0].script:
        return {old[0].script, new[0].script} <= _ALPHABETS and not _sound_alike(old, new)
    return all(_are_different(one, other) for one in old for other in new)


def _sound_alike(old: tuple[Subject, ...], new: tuple[Subject, ...]) -> bool:
    """Returns whether subjects in different alphabets may be one: in Latin letters some of their words begin alike, or
    one has no name."""
    if not all(each.names for each in (*old, *new)):
        return True
    one, other = ({in_latin(word)[:2] for each in part for word in each.names} for part in (old, new))
    return bool(one & other)


def is_handed_on(old: tuple[Subject, ...], new: tuple[Subject, ...]) -> bool:
    """Returns whether both say who does what only one does at a time, as running a shop."""
    return any(one.verb == other.verb and one.verb in _HELD_BY_ONE for one in old for other in new)


def is_part_of(subjects: tuple[Subject, ...], content: frozenset[str]) -> bool:
    """Returns whether a thing of which a fact says something is spoken of in another fact, by its stems."""
    return any(
        not (each.names or each.owner) and len(_common(each.words, content)) == len(each.words) for each in subjects
    )


def do_different_things(old: tuple[Subject, ...], new: tuple[Subject, ...]) -> bool:
    """Returns whether both facts say what a subject of both does, and it is never the same that it does."""
    of_one = [(one, other) for one in old for other in new if not _are_different(one, other)]
    return bool(of_one) and all(
        one.verb != other.verb and ({one.verb, other.verb} <= _DEEDS or "mov" in (one.verb, other.verb))
        for one, other in of_one
    )


def shared_names(old: tuple[Subject, ...], new: tuple[Subject, ...]) -> frozenset[str]:
    """Returns the stems by which both facts name the one subject of theirs."""
    return _common(named_in(old), named_in(new))


def named_in(subjects: tuple[Subject, ...]) -> frozenset[str]:
    """Returns the stems of all words by which subjects are named."""
    if len(subjects) == 1:
        return subjects[0].said
    return frozenset[str]().union(*(each.said for each in subjects))


def _are_different(one: Subject, other: Subject) -> bool:
    if not _common(one.words, other.words):
        return True
    if one.owner and other.owner and not _common(one.owner, other.owner):
        return True
    # What is somebody's is not that somebody.
    for owned, owner in ((one, other), (other, one)):
        heads = owned.words - owned.owner
        if owned.owner and not owner.owner and not heads & _OWN and not _common(heads, owner.words):
            return True
    return bool(one.names and other.names) and not _common(one.names, other.names)


def _common(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in one if any(_alike(each, word) for word in other))


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    shorter = min(len(one), len(other))
    begins = max(3, shorter - 1)
    return shorter >= 3 and abs(len(one) - len(other)) <= 3 and one[:begins] == other[:begins]


def _labelled(text: str, language: str) -> tuple[Subject, ...]:
    """Returns what stands before a colon, where a name is in it."""
    found = _LABEL.match(text)
    if found is None or language == "zh":
        return ()
    said = _WORD.findall(found[1])
    said = [each for each in said if each.casefold() not in EMPTY]
    names = [each for place, each in enumerate(said) if each[:1].isupper() and place]
    if not names or len(said) > _LONGEST:
        return ()
    return (_subject(said, names, [], "", language),)


def _owned(text: str, language: str) -> tuple[Subject, ...]:
    """Returns what an English fact begins with, where it is something of somebody, or what it says to be "ours"."""
    if language != "en":
        return ()
    if (found := _OWNED.match(text)) is not None and found[1].casefold() not in _OWN_PLACES:
        names = [found[1]] if found[1][0].isupper() else []
        return (_subject([found[1], found[2]], names, [found[1]], "", language),)
    if (found := _OURS.search(text)) is not None:
        return (_subject([found[1]], [], ["our"], "", language),)
    found = _THING.match(text)
    kinds = [each for each in found[1].split() if each not in _NO_KINDS] if found else []
    if found is None or not kinds:
        return ()
    # Who the supplier is may be said of the supplier, so things are told apart from things alone.
    return (replace(_subject([*kinds, found[2]], kinds, [], "", language), script="thing"),)


def _subject(
    words: list[str], names: list[str], owner: list[str], verb: str, language: str, said: list[str] | None = None
) -> Subject:
    is_cyrillic = language == "ru" or (language != "uz" and _CYRILLIC.search(words[0]) is not None)
    return Subject(
        _stems(words, language),
        _stems(names, language),
        _stems(owner, language),
        _stems(words if said is None else said, language),
        verb,
        "cyrillic" if is_cyrillic else "latin",
    )


def _stems(said: list[str], language: str) -> frozenset[str]:
    stem = {"ru": russian_stem, "uz": uzbek_stem}.get(language, english_stem)
    return frozenset(stem(_folded(each, language)) for each in said)


def _folded(word: str, language: str) -> str:
    word = APOSTROPHE_OR_BACKTICK.sub("", word.casefold())
    if language == "uz" and _CYRILLIC.search(word):
        return in_latin(word)
    word = word.replace("ё", "е")
    # A letter with an accent ends a word where facts are compared.
    return _FOREIGN.split(word)[0] or word


def _in_english(text: str) -> tuple[Subject, ...]:
    """Returns each name before a verb, and what the fact begins with before one."""
    found = []
    tokens = list(_ENGLISH_TOKEN.finditer(text))
    start = 0
    for place, token in enumerate(tokens):
        word = token[0].casefold().replace("’", "'")
        if not token[0][0].isalnum() and token[0] != "&":
            start = place + 1
            continue
        is_verb, is_being = word in _ENGLISH_VERBS | _ENGLISH_PRICING, word in _ENGLISH_BEING
        if is_being and place + 1 < len(tokens) and tokens[place + 1][0].casefold() in _ENGLISH_VERBS:
            # "Has moved": the verb that says it follows.
            is_verb, is_being, word = True, False, tokens[place + 1][0].casefold()
        if (is_verb or is_being) and not token[0][0].isupper():
            said = _english_words(text, [each[0] for each in tokens[start:place]])
            subject = _english_subject(said, text[token.end() :], word, is_being=is_being, is_first=start == 0)
            if subject is not None:
                found.append(subject)
            start = place + 1
    return tuple(found)


def _english_words(text: str, said: list[str]) -> list[str]:
    """Returns the words of a subject out of those before a verb: without what opens it, and adverbs before the verb."""
    while said and said[-1].casefold() in _ENGLISH_BEFORE_VERB:
        said = said[:-1]
    for place in range(len(said) - 1, -1, -1):
        if said[place].casefold() in ("and", "but", "so", "because", "that", "when", "while", "as", "if", "who"):
            said = said[place + 1 :]
            break
    while said and said[0].casefold() in _ENGLISH_OPENING:
        said = said[1:]
    if said and said[0].casefold() in _ENGLISH_NO_SUBJECT:
        # "At the open day in March Joan": the name right before the verb.
        names: list[str] = []
        for word in reversed(said):
            if not word[0].isupper() or word.casefold() in _ENGLISH_NO_SUBJECT | _ENGLISH_TIMES:
                break
            names.insert(0, word)
        return names if names and names != said else []
    return said


def _english_subject(said: list[str], after: str, verb: str, *, is_being: bool, is_first: bool) -> Subject | None:
    if not said or len(said) > _LONGEST or said[0].casefold() in _ENGLISH_VERBS | _ENGLISH_BEING:
        return None
    if any(each.casefold() in _ENGLISH_NO_SUBJECT for each in said) or said[0].casefold() in _ENGLISH_TIMES:
        return None
    owned = next((place for place, each in enumerate(said[:-1]) if _OWNER.search(each)), None)
    # "Fenwick's Bookshop" is a name, and "Nora's birthday" something of Nora's.
    is_owned = owned is not None and said[owned][0].isupper() and said[-1][0].islower()
    owner = said[: owned + 1] if owned is not None and is_owned else []
    names = [each for each in said if each[0].isupper()]
    if is_first and verb in _ENGLISH_PRICING:
        return _subject([_OWNER.sub("", each) for each in said], [], [], "", "en")
    if not names or (not is_first and not said[-1][0].isupper() and not owner):
        return None
    is_owning = verb in ("has", "have") and len(said) == 1 and bool(_english_verb(verb, after))
    if is_being and not (owner or is_owning or _is_name_of_people(said, names, after)):
        return None
    # A first word has a capital letter whatever it is.
    is_name = len(names) > 1 or not is_first or len(said) == 1 or bool(owner)
    titled = [_OWNER.sub("", each) for each in said if _WORD.match(each)]
    said, names = ([each for each in part if each.casefold() not in _ENGLISH_TITLES] for part in (said, names))
    said = [_OWNER.sub("", each) for each in said if _WORD.match(each)]
    owner = [_OWNER.sub("", each) for each in owner if _WORD.match(each)]
    names = [_OWNER.sub("", each) for each in names if _WORD.match(each)]
    if not said:
        return None
    return _subject(said, names if is_name else [], owner, _english_verb(verb, after), "en", titled)


def _is_name_of_people(said: list[str], names: list[str], after: str) -> bool:
    """Returns whether somebody is named before a form of "to be": by several names, a title, or what follows."""
    if len(names) > 1 or names[0].casefold() in _ENGLISH_TITLES:
        return True
    return len(said) == 1 and _SAID_OF_PEOPLE.match(after) is not None


def _english_verb(verb: str, after: str) -> str:
    if verb in ("does", "do", "did", "doesn't", "don't", "cannot", "can't", "will"):
        following = re.match(r"\s+(?:not\s+|never\s+)?([a-z]+)", after)
        return english_stem(following[1]) if following else ""
    if verb in _ENGLISH_BEING:
        if verb in ("has", "have", "had"):
            return "hav" if re.match(r"\s+(?:an?|\d+|two|three|four|no)\b", after) else ""
        return "allergic" if re.match(r"\s+(?:\w+ )?allergic", after) else ""
    if verb in ("moved", "moves"):
        return "mov"
    if verb in (
        "stop",
        "stops",
        "stopped",
        "gives",
        "gave",
        "joined",
        "quit",
        "left",
        "got",
        "gets",
        "keeps",
        "kept",
        "turned",
        "started",
    ):
        return ""
    return {"paid": "pay", "bought": "buy", "ate": "eat", "drank": "drink", "came": "come"}.get(
        verb, english_stem(verb)
    )


def _in_russian(text: str) -> tuple[Subject, ...]:
    """Returns what the first clause begins with, before its verb."""
    if (found := _RUSSIAN_HAS.match(text)) is not None:
        verb = "есть" if found[2] else ""
        return (_subject([found[1]], [found[1]], [], verb, "ru"),)
    if (found := _RUSSIAN_OWNED.match(text)) is not None:
        owner = [each for each in (found[1] and "мой", found[3]) if each]
        return (_subject([*found[2].split(), *owner], [], owner, "", "ru"),) if owner else ()
    words = [each.strip(".") for each in re.split(r"[,;:—–]|\. ", text)[0].split()]
    said: list[str] = []
    for place, word in enumerate(words):
        folded = word.casefold().replace("ё", "е")
        if place == 0 and (folded in _RUSSIAN_NO_SUBJECT or _RUSSIAN_VERB.search(folded) or not word[:1].isupper()):
            return ()
        if folded in _RUSSIAN_BEFORE_VERB:
            continue
        if said and _RUSSIAN_VERB.search(folded):
            if _RUSSIAN_CASE.search(said[0].casefold()) or len(said) > _LONGEST:
                return ()
            names = [each for each in said[1:] if each[:1].isupper()]
            names = [said[0], *names] if len(said) == 1 or (names and len(names) == len(said) - 1) else names
            plain = _before_preposition(said)
            plain = [*plain, *(each for each in names if each not in plain)]
            return (_subject(plain, names, [], russian_stem(folded), "ru", said),)
        if folded.isalpha():
            said.append(word)
    return ()


def _before_preposition(said: list[str]) -> list[str]:
    return said[: next((place for place, each in enumerate(said) if each in _RUSSIAN_NO_SUBJECT), len(said))]


def _in_uzbek(text: str) -> tuple[Subject, ...]:
    """Returns what the fact begins with, before the first number or word with an ending of a case."""
    if (found := _UZBEK_OWNED.match(text)) is not None:
        return (_subject([found[1], found[2]], [found[1]], [found[1]], "", "uz"),)
    words = [each.strip(".") for each in re.split(r"[,;:—–]|\. ", text)[0].split()]
    while words and _folded(words[0], "uz") in ("endi", "hozir", "bitta", "bir"):
        words = words[1:]
    said: list[str] = []
    for place, word in enumerate(words):
        folded = _folded(word, "uz")
        is_number = not folded.isalpha() and not (place == 0 and re.fullmatch(r"\d+-[^\W\d_]+", folded))
        is_deed = place > 0 and words[0][:1].isupper() and _UZBEK_DEED.match(folded) is not None
        is_end = is_number or is_deed or folded in _UZBEK_ENDS or _UZBEK_CASE.search(folded) is not None
        if is_end and place:
            if not _UZBEK_VERB.search(_folded(words[-1], "uz")) or len(said) > _LONGEST:
                return ()
            names = [each for each in said if each[0].isupper()] if len(said) == 1 else []
            plain = [each for each in said if _folded(each, "uz") not in _UZBEK_TITLES]
            return (_subject(plain, names, [], _folded(words[-1], "uz"), "uz", said),) if plain else ()
        if is_end or folded in _UZBEK_NO_SUBJECT or folded.endswith("nchi"):
            return ()
        said.append(word)
    return ()


def _in_chinese(text: str) -> tuple[Subject, ...]:
    """Returns what the first clause begins with, before its verb or the time of which it speaks, and each name with
    which another one begins; of a task and who has it, both."""
    text = _CHINESE_LEADS.sub("", text)
    if (task := _CHINESE_TASK.match(text)) is not None:
        return tuple(
            Subject(frozenset((each,)), frozenset(), frozenset(), frozenset(each), "", "task")
            for each in (task[1], task[2])
        )
    found = []
    for place, clause in enumerate(re.split("[,，;；:：。]", text)):
        verb = _CHINESE_VERB.search(clause, 2)
        if verb is None or verb.start() > _CHINESE_LONGEST:
            continue
        if _CHINESE_NO_SUBJECT.match(clause) or _CHINESE_VERB.match(clause):
            continue
        said = re.sub("已经|全部|刚刚?", "", clause[: verb.start()])
        whose, _, head = said.partition("的")
        named = _CHINESE_PREFIX.sub("", whose)
        # 小王 and 老王 are two.
        name = frozenset((whose,)) if named != whose else frozenset(HAN_LETTER.findall(whose))
        characters = (name | frozenset(HAN_LETTER.findall(head))) - EMPTY_CHARACTERS
        if characters and (place == 0 or (len(said) == 2 and named != said)):
            deed = "" if _CHINESE_TIME.match(verb[0]) else verb[0]
            names = name if named != whose else frozenset()
            found.append(Subject(characters, names, frozenset(), frozenset(HAN_LETTER.findall(said)), deed, "han"))
    return tuple(found)

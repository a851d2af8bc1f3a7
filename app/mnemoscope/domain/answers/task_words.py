"""Recognises a summary in which nothing remains once the words of the task are taken away: the request's own sentences,
or talk of summarising, saving and memory with no word of what was spoken of. English, Russian, Chinese and Uzbek."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHE_OR_BACKTICK, SPACELESS_LETTER


def says_only_the_task(text: str, asked: Iterable[str], conversation: str) -> bool:
    """Returns whether each sentence of a summary is of the task alone.

    `asked` are the texts in which the writer was told what to do, `conversation` is what there was to summarise: a
    person who spoke of memory or of summaries there may be said to have done so.
    """
    wanted = [words for each in asked for words in _sentences(each)]
    spoken = conversation.casefold()
    has_task = False
    for words in _sentences(text):
        if any(_is_taken_from(words, sentence) for sentence in wanted):
            has_task = True
        elif not all(map(_BARE.fullmatch, words)):
            return False
        else:
            task = [found for word in words for found in _task_words(word)]
            if task and _tells_of_a_person(words) and all(_stem(each) in spoken for each in task):
                return False
            has_task = has_task or bool(task)
    return has_task


def _sentences(text: str) -> Iterator[list[str]]:
    """Yields the words of each sentence without its articles, in small letters but for names such as IT and US."""
    keeps_names = not text.isupper()
    for sentence in _SENTENCE_END.split(APOSTROPHE_OR_BACKTICK.sub("", text)):
        words = [each if keeps_names and _NAME.fullmatch(each) else each.casefold() for each in _WORD.findall(sentence)]
        if words := [word for word in words if word not in _ARTICLES]:
            yield words


def _is_taken_from(words: list[str], sentence: list[str]) -> bool:
    """Returns whether the words stand in the sentence in their order, with only a few others between them."""
    if len(words) < _LEAST_TAKEN:
        return False
    starts = (place for place, word in enumerate(sentence) if word == words[0])
    for start in starts:
        rest = iter(sentence[start : start + len(words) + _LEFT_OUT])
        if all(word in rest for word in words):
            return True
    return False


def _task_words(word: str) -> list[str]:
    if SPACELESS_LETTER.match(word):
        return _CHINESE_TASK.findall(word)
    return [word] if _TASK.fullmatch(word) else []


def _stem(word: str) -> str:
    return word[: max(2, min(4, len(word) - 1))]


def _tells_of_a_person(words: list[str]) -> bool:
    """Returns whether a sentence is about somebody's words or deeds, not about the writer's own."""
    return not any(map(_WRITER.match, words)) and any(map(_PERSON.match, words))


def _any_of(*lists: str) -> str:
    """Returns the regular expression of the words of lists, the longest first."""
    return "|".join(sorted({word for each in lists for word in each.split()}, key=lambda word: (-len(word), word)))


_LEAST_TAKEN: Final = 3
"""Words from which on a sentence is told by standing in the request."""
_LEFT_OUT: Final = 3
_ARTICLES: Final = frozenset({"a", "an", "the"})
_SENTENCE_END: Final = re.compile(r"[.!?;:\n。！？；：]+")
_WORD: Final = re.compile(r"[^\W_]+")
_NAME: Final = re.compile("(?!AI)[A-Z]{2,}")
_PERSON: Final = re.compile(
    r"(?:users?|person|people|we|discussed|discussion|talked|talking|mentioned|covered|пользовател\w*|мы|foydalanuvchi\w*"
    r"|biz)\Z|用户"
)
_WRITER: Final = re.compile(r"(?:i|im|ill|ive|id|lets|я|men)\Z|我")

# Words that say nothing by themselves.
_ENGLISH_FRAME: Final = """
    this that these those it its is are was were be been being am i im ill ive id we our you your my me will shall
    would can could should must has have had having do does did to of in on for from with by at as into and or
    between about all any here there below above following so far now please let lets just also new up out what
    which how every one user users assistant person people human ai agent model key main important brief short
    concise full complete completed whole entire current existing previous updated update updates updating long term
    lasting persistent storage result results successfully success done ok okay sure yes certainly discussed
    discussion talked talking mentioned covered recorded record noted note notes stored store storing kept keep
    written write writing added add adding made make making created create creating provided provide generated
    generate contains contain containing includes include including called call happened facts data text goes go
    heres thats theres
"""
_RUSSIAN_FRAME: Final = r"""
    это этот эта этого этой эту этом я мы вы ты мне мой моя моё мою ваш[аеиу]? вашего вашей наш[аеиу]? нашего нашей
    наша в во и или на о об с со за из от до для по к между был была было были будет буду есть все всё всех вот
    здесь ниже выше теперь успешно готово хорошо да нов(?:ый|ая|ое|ые|ого|ой|ую|ых|ым|ыми) текущ\w+
    полн(?:ый|ая|ое|ые|ого|ой|ую|ых|ым|ыми|остью) важн\w+ ключев\w+ основн\w+
    главн(?:ый|ая|ое|ые|ого|ой|ую|ых|ым|ыми) кратк\w+ данн\w+ долговременн\w+ долгосрочн\w+ пользовател\w*
    ассистент\w* агент(?:а|у|ом)? факт(?:ы|ов) информаци\w+ обновл\w+ обновить запис[ьи] записан\w* записать
    добавлен\w* которы\w+ что как
"""
_UZBEK_FRAME: Final = r"""
    bu buni bunda ushbu shu men biz siz va ham yoki bilan uchun haqida ortasida\w* bolgan boldi edi qilindi qildim
    qilaman muvaffaqiyatli tayyor muhim asosiy yangi yangila\w+ toliq qisqa qisqacha barcha foydalanuvchi\w*
    yordamchi\w* agenti? malumotlar\w* matni? qarorlar\w* yozildi yozaman
"""
_CHINESE_FRAME: Final = """
    我 我们 会 将 已 已经 把 这 这个 是 的 了 在 到 至 中 里 和 与 及 或 一 一个 本 此 次 段 以下 下面 上述 如下
    关于 对 进行 成功 被 您 你 用户 助手 之间 请 关键 主要 重要 完整 简要 简短 长期 新 现在 内容 信息 要点 全部 所有
    好的 为 份 条 存入 写入 存储 添加 决定 更新 代理 智能体 结果
"""
# Words that name the task or what it asks for.
_ENGLISH_TASK: Final = r"""
    summar(?:y|ies) summari[sz](?:e|es|ed|ing|ation) conversations? memor(?:y|ies) histor(?:y|ies) entry entries
    consolidat(?:e|ed|es|ing|ion) save saved saves saving remember remembered remembering memori[sz]ed? paragraphs?
    sentences? events decisions topics? points details information chat dialogu?e exchange session transcript
    placeholder
"""
_RUSSIAN_TASK: Final = r"""
    сводк\w+ саммари резюме итог итоги обобщ\w+ суммир\w+ содержание разговор\w* бесед[аыуе] беседой диалог\w*
    переписк\w+ памят(?:ь|и|ью) истори[яиюей] сохран\w+ запомн\w+ событи[яйе]\w* решени[яй] тем[аы] абзац\w*
"""
_UZBEK_TASK: Final = r"""
    (?:xulosa|suhbat|xotira|yozuv|tarix|voqea|mavzu)(?:lar)?(?:s?i)?(?:n?i|ning|n?ga|n?da|n?dan)? saqla\w+ eslab
    eslayman
"""
_CHINESE_TASK_WORDS: Final = (
    "总结 小结 摘要 概要 概括 归纳 对话 会话 谈话 聊天 记忆 历史 记录 条目 保存 记住 整合 事件 主题 话题 段落"
)
_TASK: Final = re.compile(_any_of(_ENGLISH_TASK, _RUSSIAN_TASK, _UZBEK_TASK))
_CHINESE_TASK: Final = re.compile(_any_of(_CHINESE_TASK_WORDS))
_BARE: Final = re.compile(
    "|".join(
        (
            _any_of(_ENGLISH_TASK, _RUSSIAN_TASK, _UZBEK_TASK, _ENGLISH_FRAME, _RUSSIAN_FRAME, _UZBEK_FRAME),
            f"(?:{_any_of(_CHINESE_TASK_WORDS, _CHINESE_FRAME)})++",
        )
    )
)

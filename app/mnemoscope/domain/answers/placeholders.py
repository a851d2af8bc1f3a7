"""Recognises what stands in the place of words: “rest unchanged”, “summary here”, the names of what was asked for, and
what answers the request itself: “I'm sorry, I can't”, “ok”."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from mnemoscope.domain.memory.facts import fact_text, heading_title
from mnemoscope.domain.text.characters import APOSTROPHE

_SHOWN: Final = 80


def _phrases(text: str) -> frozenset[str]:
    """Returns the phrases of a list with a stroke or the end of a line between them."""
    return frozenset(phrase for each in re.split(r"[|\n]", text) if (phrase := each.strip()))


def _words(text: str) -> list[str]:
    return text.split()


_PARTS = (
    r"(?:memory|memories|facts?|contents?|sections?|entries|notes?|information|items?|lines?|document|file|text"
    r"|details?|data)"
)
_SAME = (
    r"(?:unchanged|un-?modified|not (?:changed|modified|repeated|shown)|no changes?|unaltered|intact|omitted|elided"
    r"|truncated|(?:the )?same|as (?:before|above|is)|(?:is |are )?(?:kept|preserved|retained)|remains?|stays?"
    r"|continues?)"
)
_REST = r"(?:rest|remainder|remaining|everything else|others?|existing|previous|prior|earlier)"
_ITEM = r"^(?:[-*+]\s*)?"
_OPENS = r"(?:[\[(<{…]|\.\.|//|<!--)"
_LEAD = r"^(?:[-*+>#/]+\s*|<!--\s*|//\s*)*[\[(<{*_…\s]*(?:\.{2,}|…)?[\[(<{*_…\s]*"
_OF_WHAT = rf"(?:\s+of)?(?:\s+(?:the|this|your|existing|previous|current|long-?term|other|{_PARTS}))*"

_PLACEHOLDER_PATTERNS: Final = (
    # "… rest of memory unchanged …", "(everything else stays the same)", "all other sections remain"
    _LEAD + rf"(?:the |all |all the |and )*{_REST}\b{_OF_WHAT}\W+{_SAME}\b.{{0,40}}$",
    # "(unchanged)", "[same as before]", "<!-- omitted for brevity -->", "... no changes ..."
    _ITEM + _OPENS + rf"[\s.…\-!]*(?:{_PARTS}\s+)?{_SAME}\b.{{0,60}}$",
    # "... rest of memory ...", "(existing facts here)", "[previous content]"
    _ITEM + _OPENS + rf"[\s.…\-!]*(?:the |all )?{_REST}\b[\w\s,'’-]{{0,50}}[\s.…\-]*(?:[\])>}}…]|\.\.|-->).{{0,3}}$",
    # a line of nothing but dots
    _ITEM + r"[\[(<{]?\s*(?:\.{3,}|…+)\s*[\])>}]?$",
    r"^.{0,4}(?:其余|其他|剩余|剩下|原有|以上|以下).{0,12}(?:不变|保持|省略|同上|相同).{0,6}$",
    r"^.{0,4}(?:остальн|прочее).{0,30}(?:без изменений|не измен).{0,6}$",
)
_PLACEHOLDERS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PLACEHOLDER_PATTERNS)


def is_placeholder(text: str, asked: Collection[str] = ()) -> bool:
    """Returns whether a text stands for the words that should be there: the schema's own names or types, “summary
    here”, “TODO”, “Lorem ipsum …”. `asked`: further texts that do, as `plain_words` gives them."""
    plain = plain_words(PATTERN_STAMP.sub("", text))
    bare = _ARTICLES.sub("", plain)
    if not plain or {plain, bare} & _PLACEHOLDER_WORDS or plain in asked:
        return True
    if plain.startswith("lorem ipsum") or all(word in _TYPE_WORDS for word in plain.split()):
        return True
    return len(plain) <= _LONGEST_PLACEHOLDER and _STANDS_FOR.search(plain) is not None


def is_placeholder_line(line: str, asked: Collection[str] = ()) -> bool:
    """Returns whether a line of memory or of the journal stands for a fact: “- text”, “- {fact}”, “- Name: [your
    name]”. “None” does not: under a heading it may be what is so."""
    text = fact_text(line)
    fact = _FACT_MARK.sub("", text)
    if fact.rstrip("*_ ").endswith((":", "：")):
        # It names what stands below it.
        return False
    if fact != text and fact.strip("[](){}<> ") in ("…", "..."):
        return True
    if not plain_words(fact) or heading_title(line) is not None or plain_words(fact) in _MAY_BE_SO:
        return False
    return is_placeholder(fact, asked) or _is_blank_to_fill(fact)


def _is_blank_to_fill(fact: str) -> bool:
    """Returns whether a fact, or what stands behind its label, is a blank of a form: `{name}`, `[New fact here]`."""
    found = _BLANK_TO_FILL.match(fact)
    if found is None:
        return False
    words = found["words"].casefold().split()
    if found["mark"] == "{":
        return len(words) <= _LONGEST_BLANK
    return len(words) <= _LONGEST_BLANK and any(word.strip(".,:;!") in _BLANK_WORDS for word in words)


def has_open_blank(text: str, known: str) -> bool:
    """Returns whether somewhere in a text a blank of a form is left open, as in “about [insert the topic here]”, that
    does not stand in a `known` text."""
    return any(found.group() not in known for found in _OPEN_BLANK.finditer(text))


_OPEN_BLANK: Final = re.compile(r"\[(?:insert|add|put|write|enter|fill in)\b[^\[\]\n]{1,60}\]", re.IGNORECASE)
PATTERN_STAMP: Final = re.compile(r"\[?\bY{2,4}[-/]M{1,2}[-/]D{1,2}(?:[ T]H{1,2}:M{1,2})?\b\]?", re.IGNORECASE)
"""The form of a date, where a date was asked for."""
_LONGEST_PLACEHOLDER: Final = 70
_PLACEHOLDER_WORDS: Final = _phrases("""
    string | str | text | empty | blank | пусто | 空 | todo | tbd | n a | none | null | nil | undefined | placeholder
    example | lorem ipsum | lorem | history entry | memory update | memory | entry | summary | your summary
    paragraph | a paragraph | history | value | object | true | false | fill in | to be filled | to be done
    summary of the conversation | content | string value | fact text | new text | some text | new memory
    updated memory | memory content | history summary | 摘要 | 总结 | 记忆 | 字符串 | 文本 | 历史记录 | 记忆更新
    сводка | память | строка | xulosa | xotira | matn
""")
_STANDS_FOR: Final = re.compile(
    r"^(?:insert|add|put|write|enter|fill in|your|the)?\s*(?:a |the |your |new |updated |full )*"
    r"(?:summary|entry|memory|text|content|paragraph|facts?|update|details?)\b.{0,30}\b(?:here|goes here|below)$"
    r"|^(?:insert|put|write|enter|fill in)\b.{0,60}\bhere$"
    r"|^(?:在此|请在此|此处).{0,6}(?:填写|输入|插入).{0,20}$|^(?:здесь|тут|вставьте).{0,30}(?:сводк|памят|текст|запис)\w*.{0,10}$"
)
_FACT_MARK: Final = re.compile(r"^\[(?:permanent|durable|ephemeral|correction)\]\s*", re.IGNORECASE)
_BLANK_TO_FILL: Final = re.compile(
    r"^(?:[*_]{0,2}[^\s:：{\[<][^:：{\[<]{0,40}[:：][*_]{0,2}\s*)?(?P<mark>\{|<|\[(?!\[))[{<\s]*(?P<words>[^{}\[\]<>]{1,60}?)\s*"
    r"[}\]>]{1,2}\W{0,2}$"
)
_LONGEST_BLANK: Final = 6
"""Words of a blank."""
_BLANK_WORDS: Final = frozenset(
    _words("""
    new fact facts insert your here name details detail placeholder text date value information info item example
    additional relevant any other more add updated existing summary entry memory content user's 新 事实 姓名 内容
""")
)
_MAY_BE_SO: Final = frozenset(
    {
        "none",
        "n a",
        "empty",
        "blank",
        "пусто",
        "空",
        "history",
        "memory",
        "memories",
        "example",
        "true",
        "false",
        "content",
    }
)
_ARTICLES: Final = re.compile(r"^(?:(?:the|a|an|your|this|my|new|updated|full) )+")
_TYPE_WORDS: Final = frozenset(
    _words("""
    string str text null none undefined optional or any object number integer type
""")
)


def is_refusal(text: str, *, is_fact: bool = False) -> bool:
    """Returns whether a text speaks to the one who asked instead of doing it: a refusal, an apology, a question, or
    a bare “ok”. `is_fact`: it may be in the person's own words, who cannot do this and that either."""
    said = " ".join(APOSTROPHE.sub("'", text).split()).strip('*_"“”。.!！ ').casefold()
    if said in _ACKNOWLEDGED or _APOLOGY.match(said):
        return True
    return not is_fact and _UNABLE.match(said) is not None


_ACKNOWLEDGED: Final = _phrases("""
    ok | okay | ok, done | done | all done | saved | save | yes | no | sure | noted | understood | got it | hello | hi
    memory updated | memory saved | the memory has been updated | the memory was updated | the memory has been saved
    thank you | thanks | success | successful | complete | completed | alright | all right | acknowledged | 好的 | 好
    是的 | 完成 | 已保存 | 已更新 | 明白 | 明白了 | хорошо | ок | готово | сохранено | понял | понятно | да | ha
    xo'p | mayli | saqlandi | tayyor
""")
_CANNOT: Final = (
    r"(?:i )?(?:can'?t|cannot|could not|couldn'?t|won'?t|am (?:not able|unable)|'m (?:not able|unable)|unable to"
    r"|do(?:n'?t| not) (?:have|see|know|understand)|did(?:n'?t| not)|am not|'m not|need|there (?:is|was|are) no"
    r"|no conversation)\b"
)
_DOING: Final = (
    r"(?:help|assist|summari[sz]e|provide|do that|do this|fulfill?|comply|access|create|generate|answer|save|call"
    r"|process|continue|complete|see (?:any|the|a)|find (?:any|the)|share|discuss|engage|respond|produce|write|update"
    r"|consolidate|have access|determine|proceed)\b"
)
_APOLOGY: Final = re.compile(
    rf"(?:i'?m|i am)? ?(?:so |very |really |deeply )?sorry\b.{{0,40}}?{_CANNOT}.{{0,40}}?{_DOING}"
    rf"|(?:i )?apologi[sz]e\b.{{0,60}}?(?:{_CANNOT}|confusion|inconvenience)"
    r"|as an? (?:ai|large|artificial|language)\b.{0,30}(?:model|assistant|intelligence|ai)\b"
    r"|(?:i'?m|i am) (?:just |only )?an? (?:ai|large language|artificial|language model)\b"
    r"|作为(?:一个|一名)?(?:ai|人工智能|语言模型)|как (?:ии|языковая модель)\b"
    r"|(?:非常|十分|很)?(?:抱歉|对不起|不好意思).{0,12}?(?:无法|不能|没有办法|没办法)(?:提供|帮|协助|完成|总结|访问|回答|处理|生成|保存)"
)
_UNABLE: Final = re.compile(
    rf"(?:unfortunately|however|regrettably)[, ]+.{{0,20}}?{_CANNOT}.{{0,40}}?{_DOING}"
    rf"|(?:i'?m |i am )?sorry\b.{{0,40}}?{_CANNOT}"
    rf"|i(?: {_CANNOT}|{_CANNOT}).{{0,40}}?{_DOING}"
    r"|(?:sure|certainly|of course|okay|ok|great)[!,.]+ (?:i(?:'ve| have|'ll| will)|here|let me|this is)\b"
    r"|i(?:'ve| have) (?:saved|updated|added|noted|recorded|consolidated|stored) (?:the|your|this|that|it|all)\b"
    r"|please (?:provide|share|give me|send me|tell me|paste|specify|let me know)\b"
    r"|(?:how (?:can|may) i (?:help|assist)|what would you like|is there anything else)\b"
    r"|(?:很|非常|十分)?(?:抱歉|对不起|不好意思|遗憾).{0,12}?(?:无法|不能|没有|没办法|不可以)"
    r"|我(?:无法|不能|没办法)(?:提供|帮|协助|完成|总结|访问|回答|处理|生成|保存)"
    r"|请(?:提供|告诉我|输入|给我)|(?:извините|простите|к сожалению|сожалею).{0,20}?(?:не могу|не имею|нет)"
    r"|я не (?:могу|умею) (?:помочь|выполнить|ответить|создать|предоставить|сделать|обобщить)"
    r"|(?:kechirasiz|uzr|afsuski).{0,40}?(?:olmayman|yo'?q)"
    r"|(?:es )?tut mir leid.{0,30}?(?:kann|nicht|keine)|leider kann ich .{0,40}nicht|ich kann .{0,20}nicht helfen"
    r"|lo siento.{0,20}?(?:no puedo|no tengo)|(?:je suis )?désolée?.{0,20}?(?:ne peux|ne suis|n'ai)"
)


def stray_call(text: str, shown: str = "") -> str:
    """Returns a mark of a tool call, or of thinking, that stands in a text as words and was not spoken of: it is not
    in the text `shown`. "" where there is none."""
    found = (each[0] for each in _CALL_MARK.finditer(text))
    lowered = shown.casefold()
    return next((mark for mark in found if mark.casefold() not in lowered), "")


_CALL_MARK: Final = re.compile(
    r"</?(?:\w+:)?(?:tool_?calls?|function_?calls?|start_function_call|end_function_call|tool_response|tool_code|think(?:ing)?)\b"
    r"|<\|(?:tool|python|im_start|im_end|assistant|user|system|end|eot|start|channel|begin)[^|>]{0,30}\|>"
    r"|<?｜[^｜<>]{1,30}｜|\[/?TOOL_CALLS?\]|\[/?INST\]|<(?:\w+:)?(?:function=|invoke name=|parameter[= ])|<escape>",
    re.IGNORECASE,
)


def plain_words(text: str) -> str:
    """Returns the words of a text alone, in small letters and with one blank between them."""
    return " ".join(re.sub(r"[\W_]+", " ", text).split()).casefold()


def find_placeholder_line(update: str, before: str) -> str:
    """Returns the line of `update` that stands for what was left out, or "". A line that was in `before` is none."""
    fresh = _fresh_lines(update, before)
    return next((line[:_SHOWN] for line in fresh if any(pattern.match(line) for pattern in _PLACEHOLDERS)), "")


def find_unfilled_line(update: str, before: str, asked: Collection[str] = ()) -> str:
    """Returns the line of `update` that stands for a fact without saying one, or "". A line that was in `before` is
    none."""
    return next((line[:_SHOWN] for line in _fresh_lines(update, before) if is_placeholder_line(line, asked)), "")


def _fresh_lines(update: str, before: str) -> Iterator[str]:
    known = {line.strip() for line in before.split("\n")}
    return (line.strip() for line in update.split("\n") if line.strip() and line.strip() not in known)

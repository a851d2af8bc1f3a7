"""Finds lines that tell what was done to a piece of work, or was wanted of it: "rewrote the introduction".

A piece of work is what a task is about and a life is not: a part of a text, of a program, of a table. It is told by two
lists for each language, of what one does to it and of what it is, and not by how the two stand together.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.lazy_pattern import LazyPattern

_DEEDS_EN: Final = (
    "(?:re)?wrote|(?:re)?written|reworked|reworded|rephrased|(?:re)?drafted|shortened|lengthened|trimmed|translated"
    "|summari[sz]ed|proofread|edited|revised|polished|corrected|checked|fixed|came up with|brainstormed|made up"
    "|thought of"
    "|listed|compiled|put together|worked out|(?:re)?created|(?:re)?generated|suggested|proposed|collected"
    "|prepared|wanted"
    "|asked for|asked to have|requested|needed|formatted|reformatted|added|removed|renamed|merged|split|tidied"
    "|cleaned up"
    "|simplified|expanded|tested|debugged|refactored|picked|chose|updated|converted|sorted|counted|outlined|sketched"
)
_PIECES_EN: Final = (
    "paragraphs?|introductions?|intro|conclusions?|sentences?|headings?|subheadings?|sections?|abstracts?|captions?"
    "|bullet points?|footnotes?|drafts?|wording|slides?|columns?|spreadsheets?|functions?|scripts?|unit tests?"
    "|tests?|bugs?"
    "|commits?|quer(?:y|ies)|endpoints?|snippets?|slogans?|taglines?|headlines?|outlines?|summar(?:y|ies)|translations?"
    "|cover letters?|(?:names|titles|ideas|slogans|questions|options|alternatives|synonyms) for|subject lines?"
    "|pull requests?"
    "|typos?|formatting|layout|to-?do list|packing list|e-?mail (?:to|draft)|diagrams?|charts?|regex(?:es)?"
    "|error message"
)
_DEEDS_RU: Final = (
    r"(?:при|об|вы)думал\w*|сочинил\w*|(?:пере|на|до|вы)писал\w*|составил\w*|набросал\w*|сократил\w*|удлинил\w*"
    r"|пере[вв][её]л\w*"
    r"|исправил\w*|поправил\w*|проверил\w*|подобрал\w*|предложил\w*|собрал\w*|сделал\w*|подготовил\w*|доработал\w*"
    r"|переделал\w*|отредактировал\w*|вычитал\w*|переформулировал\w*|сгенерировал\w*|добавил\w*|убрал\w*|удалил\w*"
    r"|переименовал\w*|обновил\w*|отсортировал\w*|посчитал\w*|оформил\w*|разбил\w*|выбрал\w*|нашл[аи]|наш[её]л"
    r"|создал\w*"
    r"|(?:по)?просил\w* (?:\w+ )?(?:переписать|исправить|сократить|перевести|проверить|написать|составить"
    r"|придумать|сделать"
    r"|убрать|добавить|переделать|подобрать)|хотел\w* (?:\w+ )?(?:переписать|исправить|сократить|перевести)"
    r"|(?:нужно|надо|осталось) (?:\w+ )?(?:переписать|исправить|сократить|перевести|проверить|дописать|доделать"
    r"|запустить)"
)
_PIECES_RU: Final = (
    r"абзац\w*|введени\w+|вступлени\w+|заключени\w+|раздел\w*|заголов\w+|подзаголов\w+|названи\w+ (?:для|к)|вариант\w*"
    r"|черновик\w*|слоган\w*|иде[ийюя]\w* (?:для|подарк)|скрипт\w*|функци\w+|тест(?:ы|ов|а)?|баг\w*|ошибк\w+|опечат\w+"
    r"|слайд\w*|столб\w+|колонк\w+|таблиц\w+|списо?к\w* (?:из|для|покупок|литературы|дел)|план\w* (?:на|из|для)"
    r"|сводк\w+"
    r"|(?:текст|письм|перевод|резюме)\w*|формулировк\w+|сноск\w+|диаграмм\w+|график\w* (?:для|по)|миграци\w+"
    r"|логи?\b|запрос\w*"
)
_DEEDS_UZ: Final = (
    r"(?:oylab )?top(?:ildi|di[mk]?)|yoz(?:ildi|di[mk]?)|tuz(?:ildi|di[mk]?)|tayyorla(?:ndi|di[mk]?)|tuzat(?:ildi"
    r"|di[mk]?)"
    r"|qisqart(?:irildi|irdi[mk]?)|tarjima qil(?:indi|di[mk]?)|tekshir(?:ildi|di[mk]?)|taklif qil(?:indi|di[mk]?)"
    r"|ozgartir(?:ildi|di[mk]?)|qosh(?:ildi|di[mk]?)|ochir(?:ildi|di[mk]?)|saqla(?:ndi|di[mk]?)|yangila(?:ndi|di[mk]?)"
    r"|sanab ber(?:ildi|di[mk]?)|chiqar(?:ildi|di[mk]?)|yarat(?:ildi|di[mk]?)|tahrirla(?:ndi|di[mk]?)|tanla(?:ndi"
    r"|di[mk]?)"
    r"|(?:ishga tushirish|tekshirish|yuborish|yozish|tuzatish|yangilash|qoshish|ochirish|tayyorlash|korib chiqish"
    r"|qisqartirish) (?:kerak|lozim|qoldi)|bolsin dedi|soradi"
)
_PIECES_UZ: Final = (
    r"nom(?:lar)?i?(?= |\Z)|sarlavha\w*|xat(?:i|ni|lar)?(?= )|jadval\w*|royxat\w*|matn\w*|band(?:i|ni|lar)?(?= )"
    r"|gap(?:ni|lar)\w*"
    r"|paragraf\w*|xatboshi\w*|abza[ct]s\w*|variant\w*|reja\w*|kod(?:i|ni|da|lar)?\w*|test\w*|skript\w*|xato\w*"
    r"|hujjat\w*"
    r"|tarjima\w*|qoralama\w*|slayd\w*|parol\w*|fayl\w*|hisobot\w*|kirish qism\w*|xulosa\w*|shior\w*|goya\w*"
    r"|funksiya\w*"
)
_DEEDS_ZH: Final = (
    "(?:想|写|改|列|做|起|拟|翻译|润色|总结|整理|生成|修改|检查|删|加|编|画|查|选|重写|缩短|补充|校对|调整|提供"
    "|准备)(?:出|好|完|掉)?了"
    "|(?:让|请|要求|希望|想让?)(?:把|我|助手)?.{0,6}(?:改|写|译|缩短|润色|调整)"
)
_PIECES_ZH: Final = (
    "名字|标题|[段句]|清单|列表|方案|邮件|初稿|草稿|大纲|摘要|文案|口号|标语|代码|函数|脚本|测试|版本|选项|建议"
    "|点子|表格|[开支]+表|错别字"
    "|开头|结尾|引言|注释|幻灯片|报告|简历|回复"
)
_APART: Final = r"[^.;!?。；！？]{0,48}?"
_PATTERNS: Final = (
    LazyPattern(rf"\b(?:{_DEEDS_EN})\b{_APART}\b(?:{_PIECES_EN})(?!\w)", re.IGNORECASE),
    LazyPattern(
        rf"\b(?:{_DEEDS_RU}){_APART}\b(?:{_PIECES_RU})(?!\w)|\b(?:{_PIECES_RU}){_APART} (?:{_DEEDS_RU})(?!\w)",
        re.IGNORECASE,
    ),
    LazyPattern(
        rf"(?:{_DEEDS_ZH})[^，。；]{{0,12}}(?:{_PIECES_ZH})|把.{{0,10}}(?:{_PIECES_ZH}).{{0,6}}(?:改|缩短|删|写"
        rf"|译|润色|调整).{{0,2}}了"
    ),
    LazyPattern(
        r"\b(?:fails?|crash\w*|breaks?|throws?)\b.{0,20}\b(?:line|row|step|test) \d"
        r"|\bпада[ею]т\w*\b.{0,20}\b(?:строк|шаг|тест)\w*"
        r"|(?:还是|又|一直)?报错",
        re.IGNORECASE,
    ),
)
_UZBEK: Final = LazyPattern(rf"\b(?:{_PIECES_UZ}){_APART} ?(?:{_DEEDS_UZ})\b")
_DAY_OF_LIFE: Final = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|\b(?:every|for a living|profession|his own|her own|book|novel|poem|song|mother|father"
    r"|кажд\w+|книг\w+|роман\w*|стих\w*|песн\w+|har|kitob\w*|roman\w*|sher\w*)\b|每|小说|书|诗|歌",
    re.IGNORECASE,
)
"""Words and years that show that a line is about somebody's life, though it names a deed and a piece of work."""


def deed_in(line: str, in_latin: str) -> str:
    """Returns the words for what was done to a piece of work or was wanted of it, "" where there are none. `in_latin`:
    the same line in lower case, in the letters of Uzbek Latin and without apostrophes."""
    if _DAY_OF_LIFE.search(line):
        return ""
    tried = (*((pattern, line) for pattern in _PATTERNS), (_UZBEK, in_latin))
    found = next(filter(None, (pattern.search(said) for pattern, said in tried)), None)
    return found[0] if found else ""

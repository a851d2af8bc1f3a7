"""Finds lines that a task left behind: its steps, its requests, its output, what it waited for.

Such a line says what somebody was doing at a moment, and nothing that is worth keeping once that is done.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.search.stems import in_latin
from mnemoscope.domain.text.characters import APOSTROPHES

_TICKS: Final = re.compile(f"[{APOSTROPHES}]")
_MARK: Final = r"^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?"
_ANY: Final = re.compile(
    rf"{_MARK}\[ \]|{_MARK}(?:TODO|FIXME|XXX|WIP)\s*(?:[:：\-–—(]|$)|{_MARK}(?:FIXME|XXX|WIP)\b|"
    rf"{_MARK}TODO\s+(?:[^\W\x00-\x7f]|(?:add|check|fix|rename|remove|write|update|replace|test|move|delete|ask|"
    rf"send|find|make|use|"
    rf"clean|bump|move|merge|review|document|convert)\b)|(?:^|[\s:：在到])/tmp/\S+|\b[A-Z]:\\Temp\\",
)
_FILE: Final = r"\S+\.(?:txt|csv|tsv|odt|ods|tex|pptx?|svg|docx?|xlsx?|png|jpe?g|pdf|md|log|json|html|zip)(?![a-z])"
_DRAFT: Final = re.compile(
    rf"(?:\b(?:draft|output|result|черновик|результат|вывод|qoralama|natija)\w*|草稿|结果|输出)\s?.{{0,40}}?{_FILE}",
    re.IGNORECASE,
)
_DOING: Final = (
    "compar|fix|debug|refactor|translat|summari|check|writ|edit|convert|investigat|runn|test|review|look|process|"
    "generat|upload|download|rename|renam|read|draft|search|install|updat|implement|analy|prepar|format|clean|add|"
    "remov|extract|pars|tr|wait|correct|rewrit|shorten|migrat|deploy|build|creat"
)
_ENGLISH: Final = re.compile(
    rf"\b(?:step|stage|phase|part|item|task|chapter|page) \d+ (?:of|out of|/) ?\d+\b|"
    r"\b(?:step|stage|phase|task) \d+ (?:is )?(?:done|finished|complete\w*)|"
    r"\b(?:currently|right now|now|still|just) "
    rf"(?:{_DOING})\w*ing\b|"
    r"\b(?:wait(?:ing|s)? (?:for|on)|await(?:ing|s)?) (?:the |a |an )?"
    r"(?:user|confirmation|answer|reply|response|approval|feedback|input|test|build|ci|review)|"
    r"\b(?:the )?user (?:has )?(?:just )?"
    r"(?:asked|requested|wants me|wanted me|asks|told me|is asking)(?: me)?"
    r"(?: to| for| that| if| whether| about| a summary of| a translation of)(?! (?:be|learn|become|always|never|"
    r"call|address|avoid|keep answers))|"
    r"\b(?:output|results?|draft|file|report|screenshot|log|table|chart|summary|backup)\b.{0,40}"
    r"\b(?:saved|written|stored|exported|attached|uploaded|generated)\b|\b(?:saved|written|exported) (?:to|as|"
    r"in) \S+\.\w{2,4}\b|"
    rf"{_MARK}(?:just |already |so far )?(?:finished|completed|fixed|converted|uploaded|checked|tested|applied|"
    rf"renamed|sent|"
    r"generated|asked|answered|tried|ran|started|translated|summari[sz]ed|drafted|compared|reviewed) "
    r"(?:the|all|both|up|with|to|\d|chapter|file|page|section|part)|\b(?:the )?(?:attached|uploaded|pasted|"
    r"above|following)"
    r" (?:file|pdf|image|picture|text|table|document|code|list)s?\b|\b(?:this|current) (?:chat|conversation|"
    r"task|session)\b|"
    r"\b(?:half|most|rest|remaining|last|first) (?:of )?(?:the )?\w+ (?:is|are|were|was) (?:done|finished|left|"
    r"translated)\b|"
    r"\bleft off at\b|\b(?:left|remains|remaining) to\b|\bready for review\b|\b(?:ask|remind|tell) the user\b|"
    r"\bneeds review\b|"
    r"\b(?:was|been|were) asked to\b(?! (?:be|always|never))|\bhalf-?way through\b|\btests? (?:now )?pass\b|"
    r"\bawaiting\b|\b\d+ (?:tests? )?(?:failed|failing|passed|passing)\b|\bremain(?:s|ing)?$|"
    r"\bwill (?:continue|resume|finish|pick up|carry on)\b|[,;:] (?:then|next)(?::| (?:step|up)\b)|"
    rf"{_MARK}(?:(?:was |were )?(?:working on|looking into|digging into|in the middle of|busy with|half-?way)|"
    r"(?:finished|done|completed) (?:\w+ing|with))\b|"
    r"\b(?:asked|told) me (?:to|for)\b(?! (?:be|learn|become|always|never|call|address|avoid|keep|remember|answer|"
    r"reply|respond|speak|use|explain))|"
    r"\bto be (?:continued|finished|done|fixed|checked) (?:next|later|tomorrow)\b|"
    r"\b\d+ (?:files?|tests?|pages?|lines?|items?) (?:left|remain\w*|to go)\b|\bfixed(?: now)?(?:,|$)|\b(?:step|"
    r"stage) \d+:|"
    r"\b(?:continue|resume|proceed) (?:with|from|at)\b|\bin progress\b|"
    rf"{_MARK}(?:next steps?|next|done|remaining|pending|status|to do)\s*:|\bstill (?:need|needs|have|has|left) to\b|"
    rf"{_MARK}(?:need to|let me|i(?:'ll| will| am| have|'m|'ve))\b|\b\d+ (?:of|out of) \d+ (?:tests?|files?|done)\b",
    re.IGNORECASE,
)
_RUSSIAN: Final = re.compile(
    r"\b(?:шаг|этап|часть|пункт)\s+\d+\s+(?:из\s+\d+|готов\w*|сделан\w*|выполнен\w*|законч\w+|заверш\w+|пройден\w*)|"
    r"\b(?:перв|втор|трет|четв[её]рт|пят)\w+\s+(?:шаг|этап)\s+(?:готов|сделан|выполнен|законч|заверш|пройден)\w*|"
    r"\bпользовател\w+\s+(?:попросил\w*|просил\w*|просит|прислал\w*|загрузил\w*|уточнил\w*|спросил\w*|"
    r"спрашива\w+|хочет, чтобы я|поручил\w*|ждёт|ждет|велел\w*)(?!\s+(?:всегда|никогда|обращаться))|"
    r"\b(?:жд[уеё]м?|ожида[юе]м?|ждать|ожидается|ожидание)\s+.{0,20}?(?:ответ|подтвержд|пользовател|правк|"
    r"решени|отзыв|"
    r"провер|сборк)\w*|"
    r"\bсейчас\s+(?:\w+\s+)?\w{3,}(?:аю|яю|ую|юю|ею|ню|лю|шу|жу|чу|щу|аем|яем|уем|им)\b|"
    r"\b(?:дош[её]л|дошла|остановил(?:ся|ась))\s+(?:до|на)\s+(?:строк|пункт|шаг|глав|страниц|файл)\w*|"
    r"\b(?:продолжить|продолжаю|дальше|осталось)\s+(?:с|со|сделать|исправить|проверить|дописать|перевести|"
    r"поправить)\b|"
    r"\b(?:осталось|нужно|надо|не забыть|потом|затем)\s+(?:ещё |еще )?(?:дописать|доделать|исправить|проверить|"
    r"поправить|"
    r"перевести|переименовать|добавить|удалить|обновить|запустить|отправить|ответить|спросить|сделать)\b|"
    r"\b(?:закончил|исправил|проверил|перевёл|перевел|обновил|добавил|отправил|запустил|начал)[аи]?\s+(?:\w+\s+)?"
    r"(?:файл|тест|раздел|глав|абзац|таблиц|страниц|скрипт|пункт|част|перв|втор|треть)\w*|"
    rf"{_MARK}(?:попросил|просил|просит|поручил)\w*\s(?!.{{0,12}}?(?:отвеча|обраща|назыв|говорить|всегда|никогда|"
    rf"не\s))|"
    r"\b(?:меня|нас) (?:по)?просил\w*|\b(?:мне|нам) поручил\w*|\bжд[уеё]м?,? (?:когда|пока|от)\b|"
    rf"{_MARK}(?:сейчас )?(?:исправляю|проверяю|перевожу|дописываю|сравниваю|разбираю|обновляю|отлаживаю|переделываю|"
    r"сокращаю|переименовываю|заканчиваю|доделываю)\b|\b(?:перейти|переходим|перехожу) к (?:шаг|этап|пункт|част)\w*|"
    r"\bготов\w*,\s+(?:дальше|далее|теперь|пиши|осталось|потом|затем|остальн)\w*|"
    r"\b(?:дальше|далее|следующий шаг)\s*[:—–-]|\b(?:исправлен|перевед[её]н|проверен|загружен)\w*(?:,|$)|"
    r"\bтесты (?:теперь )?проходят\b|\b(?:шаг|этап) \d+:|\bостал(?:ось|ся|ась|ись)\s.{0,20}(?:тест|файл|страниц|"
    r"раздел|глав)\w*|"
    r"\b(?:в процессе|на проверке|в работе)\b|\b(?:текущ|эт)\w+\s+(?:задач|бесед|чат)\w*|\b(?:приложенн|"
    r"загруженн)\w+\s+файл\w*|"
    r"\b(?:файл|черновик|результат|таблиц|график|скриншот|вывод|отчёт|отчет)\w*\s.{0,30}\bсохран[её]н\w*\s+(?:в|"
    r"как)\b",
    re.IGNORECASE,
)
_UZBEK: Final = re.compile(
    r"\b\d+\s*-\s*(?:bosqich|qadam|qism|vazifa)\w*\s+(?:tugadi|tugallandi|bajarildi|tayyor|yakunlandi|qilindi)|"
    r"\b(?:birinchi|ikkinchi|uchinchi|tortinchi)\s+(?:bosqich|qadam)\w*\s+(?:tugadi|bajarildi|tayyor|yakunlandi)|"
    r"\bfoydalanuvchi\w*\s.{0,60}?(?:soradi|soragan|iltimos qildi|buyurdi|topshirdi|sorayapti|yubordi|"
    r"yukladi|talab qildi|kutilmoqda)\b|"
    r"\b(?:keyingi|navbatdagi) (?:qadam|bosqich|vazifa)\w*\s*:|\b(?:qadam|bosqich)ga (?:otamiz|otaman|otiladi)\b|"
    r"\b(?:tekshir|tuzat|yoz|tayyorla|hisobla|taqqosla|tarjima qil|ozgartir|qisqartir)(?:a|i)?yap(?:man|miz)\b|"
    r"\b(?:bajarildi|tugadi|tayyor|saqlandi), (?:endi|keyin|song)\b|\bmen(?:ga|dan) .{0,40}(?:topshir|sora|buyur)\w+|"
    r"\b(?:kutyapman|kutyapmiz|kutilmoqda|kutmoqdaman|kutilyapti)\b|"
    r"\bhozir\s.{0,60}?\w{2,}(?:yapman|yapmiz|moqdaman|moqdamiz|ayapman)\b|"
    r"\b(?:natija|fayl|qoralama|chiqish|hisobot)\w*\s.{0,40}?(?:saqlandi|yozildi|saqlangan: )|"
    r"(?:ni|ga|ib berishni) soradi$|\b(?:yana|hali) .{0,30}qoldi$|\bendi .{0,40}kerak$|\b\d+-(?:bosqich|qadam):|"
    r"\b(?:jarayonda|davom etmoqda|korib chiqilmoqda|tekshirilmoqda|tarjima qilinmoqda)\b|"
    r"\b(?:tekshirish|tuzatish|yozish|tarjima qilish|qoshish|ochirish|yangilash|yuborish|tugatish)\s+(?:kerak|"
    r"lozim|qoldi)\b|"
    r"\bqolgan (?:qism|bolim|sahifa|fayl)\w*|\bxatosi tuzatildi\b|\b(?:joriy|ushbu) (?:vazifa|suhbat)\w*|"
    r"\b(?:davom ettirish|davom etish|otish) (?:kerak|lozim)\b|\bkeyin\s.{0,30}?(?:otiladi|davom etiladi)\b"
)
_CHINESE: Final = re.compile(
    r"第[一二三四五六七八九十\d]+步|步骤\s*\d|用户(?:刚才|刚刚)?(?:让我|要求我?|请我|想让我|要我|叫我|"
    r"请求)(?!以后|总是|一直|称呼|不要)|"
    r"等待?.{0,4}(?:用户|对方|客户).{0,6}(?:确认|回复|答复|反馈)|等待(?:确认|回复|审批|结果)|刚才|刚刚(?!好)|"
    r"(?:正在|目前在|现在在?)(?:处理|修改|修复|调试|翻译|整理|检查|生成|运行|比较|对比|编写|转换|压缩|下载|上传|"
    r"分析|排查|查看|改|写代码|"
    r"测试|核对|校对|重构)|^\s*(?:[-*]\s*)?(?:让|要求|叫|请)我|等(?:合并|审核|确认|回复|批准|结果)|(?:写|做|改|"
    r"翻译)到一半|测试.{0,4}通过|"
    r"等(?:客户|对方|老板).{0,4}(?:回复|确认|答复)|(?:填|写|改|做|画)好了，|还剩.{0,12}没|接着(?:做|处理|写|改)|"
    r"接下来|下一步|还(?:差|剩|缺)[一二三四五六七八九十两几\d]|先暂停|再继续|(?:继续|接着)第|未完成|进行中|"
    r"(?:还|尚)(?:没|未)(?:改|写|做|翻译|弄|检查|处理|修)(?:完|好)|等(?:待)?用户|用户(?:刚)?说先|待办[:：]|(?:输出|"
    r"结果|文件|草稿|图片|报告).{0,12}(?:保存|存放?|导出)(?:到|在|为)|"
    r"还(?:差|剩)\S{0,8}(?:没|未)|已完成.{0,8}(?:继续|接着)"
)


def residue_words(line: str) -> str:
    """Returns the words that show that a line belongs to a task; "" where it states something of its own."""
    for pattern in (_ANY, _DRAFT, _ENGLISH, _RUSSIAN, _CHINESE):
        if found := pattern.search(line):
            return found[0].strip(" \t-*+•")
    found = _UZBEK.search(_TICKS.sub("", in_latin(line.lower())))
    return found[0] if found else ""

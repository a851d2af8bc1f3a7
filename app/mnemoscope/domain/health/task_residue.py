"""Finds lines that a task left behind: its steps, its requests, its output, what it waited for.

Such a line says what somebody was doing at a moment, and nothing that is worth keeping once that is done.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.health.piece_of_work import deed_in
from mnemoscope.domain.search.stems import in_latin
from mnemoscope.domain.text.characters import APOSTROPHE
from mnemoscope.domain.text.lazy_pattern import LazyPattern

_MARK: Final = r"^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?"
_ANY: Final = LazyPattern(
    rf"{_MARK}\[ \]|{_MARK}[A-Z]\w*(?:Error|Exception): |"
    rf"{_MARK}(?:TODO|FIXME|XXX|WIP)\s*(?:[:：\-–—(]|$)|{_MARK}(?:FIXME|XXX|WIP)\b|"
    rf"{_MARK}TODO\s+(?:[^\W\x00-\x7f]|(?:add|check|fix|rename|remove|write|update|replace|test|move|delete|ask|"
    rf"send|find|make|use|"
    rf"clean|bump|move|merge|review|document|convert)\b)|(?:^|[\s:：在到])/tmp/\S+|\b[A-Z]:\\Temp\\",
)
_FILE: Final = r"\S+\.(?:txt|csv|tsv|odt|ods|tex|pptx?|svg|docx?|xlsx?|png|jpe?g|pdf|md|log|json|html|zip)(?![a-z])"
_DRAFT: Final = LazyPattern(
    rf"(?:\b(?:draft|output|result|черновик|результат|вывод|qoralama|natija)\w*|草稿|结果|输出)\s?.{{0,40}}?{_FILE}",
    re.IGNORECASE,
)
_DOING: Final = (
    "compar|fix|debug|refactor|translat|summari|check|writ|edit|convert|investigat|runn|test|review|look|process|"
    "generat|upload|download|rename|renam|read|draft|search|install|updat|implement|analy|prepar|format|clean|add|"
    "remov|extract|pars|tr|wait|correct|rewrit|shorten|migrat|deploy|build|creat"
)
_DID_EN: Final = (
    "fixed|renamed|converted|uploaded|downloaded|refactored|debugged|updated|edited|extracted|exported|merged|moved|"
    "formatted|reformatted|rewrote|added|removed|deleted|cleaned up|replaced|committed|pushed|patched|corrected|"
    "shortened|split|sorted|copied|pasted|attached|resized|compressed"
)
_OBJECT_EN: Final = (
    "files?|tests?|functions?|bugs?|errors?|typos?|scripts?|columns?|rows?|lines?|tables?|pages?|paragraphs?|"
    "sections?|images?|pictures?|screenshots?|charts?|imports?|links?|headers?|headings?|commits?|branch(?:es)?|"
    "drafts?|slides?|warnings?|duplicates?|folders?|captions?|footnotes?"
)
"""The verbs for work on something, as stems (`_DOING`) and in the past (`_DID_EN`), and the objects of such work."""
_WORK_EN: Final = (
    rf"(?:{_OBJECT_EN}|versions?|variants?|outlines?|lists?|summar(?:y|ies)|recipes?|examples?|overviews?|templates?|"
    r"snippets?|code|regex(?:es)?|quer(?:y|ies)|translations?|comparisons?|titles?|explanations?|answers?|repl(?:y|"
    r"ies)|"
    r"e-?mails?|letters?|essays?|reports?|articles?|posts?|layouts?|endpoints?|modules?|class(?:es)?|methods?|loops?|"
    r"exercises?|questions?|chapters?|verses?|stanzas?|logos?|documents?|spreadsheets?|formulas?|stack traces?|logs?|"
    r"methods?|options?|ideas?|suggestions?|alternatives?|steps?|instructions?|cover letters?|cvs?|resumes?|quotes?)"
)
_STATE_EN: Final = (
    r"(?:passed|pass|passes|failed|fails?|failing|green|red|broken|crash\w*|complete\w*|done|finished|ready|merged|"
    r"open|"
    r"sent|delivered|submitted|uploaded|approved|rejected|reviewed|written|translated|fixed|deployed|generated|"
    r"published|printed|half[- ]done|half[- ]finished|unfinished|pending|blocked|on hold|attached)"
)
_PLACE: Final = (
    r"(?:line|question|page|step|exercise|chapter|part|section|row|item|slide|paragraph|point|task|level) \d"
)
_ENGLISH: Final = LazyPattern(
    r"\b(?:the )?user (?:wants?|wanted|would like) to (?:know|see|understand|check)\b|\btests? (?:failed|fail|"
    r"are failing|passed)\b|"
    rf"{_MARK}(?:deployed|shipped|rolled out|released) (?:v|version )?\d|{_MARK}(?:part|step|chapter|"
    rf"section) \d+ (?:of .{{1,30}} )?"
    r"(?:is|was) (?:done|finished|complete\w*|ready|translated)|"
    r"\b(?:\d+|one|two|three|four|five|six) of (?:the )?(?:\d+|two|three|four|five|six|seven|eight|nine|"
    r"ten) \w+ (?:are|is|were) \w+|"
    rf"{_MARK}wants the .{{1,40}} (?:rewritten|fixed|translated|shortened|removed|renamed|sorted)$|"
    rf"\b(?:step|stage|phase|part|item|task|chapter|page) \d+ (?:of|out of|/) ?\d+\b|"
    r"\b(?:step|stage|phase|task) \d+ (?:(?:of|in) (?:\w+ ){1,3})?(?:is )?(?:done|finished|complete\w*)|"
    r"\b(?:currently|right now|now|still|just) "
    rf"(?!looking for an?\b)(?:{_DOING})\w*ing\b|"
    r"\b(?:wait(?:ing|s)? (?:for|on)|await(?:ing|s)?) (?:the |a |an )?"
    r"(?:user|confirmation|answer|reply|response|approval|feedback|input|test|build|ci|review)|"
    r"\b(?:the )?user (?:has )?(?:just )?"
    r"(?:asked|requested|wants me|wanted me|asks|told me|is asking)(?: me)?"
    r"(?: to| for| that| if| whether| about| how| why| what| where|"
    r" a summary of| a translation of)(?! (?:be|learn|become|always|never|"
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
    rf"{_MARK}(?:next|then|now|after (?:that|this)|afterwards),? (?:i|we)(?:['’]ll| will|['’]m going to| am going to|"
    r" are going to| need to| have to| should)\b|"
    rf"{_MARK}(?:the )?(?:task|job|subtask|step|request|ticket|to-?do)s? (?:is |was |has been )?(?:now )?"
    r"(?:complete|completed|done|finished|closed|resolved|solved|cancelled)\b(?! (?:by|in) hand)|"
    rf"{_MARK}(?:just |already |i |we )?(?:{_DID_EN}) (?:an?|some|another|one|two|three|several|the|all|\d+) "
    rf".{{0,40}}?\b(?:{_OBJECT_EN})\b|"
    rf"{_MARK}asked for an? (?:\w+ )?(?:version|summary|translation|example|list|table|draft|explanation|copy)\b|"
    rf"{_MARK}(?:next steps?|next|done|remaining|pending|status|to do)\s*:|\bstill (?:need|needs|have|has|left) to\b|"
    rf"{_MARK}(?:need to|let me|i(?:['’]ll| will))\b|"
    rf"{_MARK}i(?:['’]m| am) (?:now |still |currently |about to )?(?:{_DOING})\w*ing\b|"
    rf"{_MARK}i(?:['’]ve| have) (?:now |already |just )?(?:{_DID_EN}|finished|completed|done|sent|checked|tested|"
    r"written|started|tried|run|prepared|drafted|compared|reviewed|translated|summari[sz]ed|saved|created|stored|"
    r"generated|rewritten|attached)\b|"
    r"\b\d+ (?:of|out of) \d+ (?:tests?|files?|done)\b|"
    # What the user did in a conversation.
    r"\b(?:the )?user (?:has |had |just |then |also )*(?:pasted|uploaded|attached|sent|shared|provided|posted|"
    r"submitted|requested|"
    r"thanked|confirmed|approved|rejected|accepted|replied|answered|clarified|clicked|chose|picked|selected|"
    r"is (?:still )?(?:waiting|happy|satisfied|unhappy|testing|reading|reviewing)|is now \w+ing|"
    r"(?:has not|hasn['’]?t|did not|didn['’]?t) (?:yet )?(?:answer|repl|respon|confirm|decid|send|sent)\w*)|"
    r"\b(?:the )?user (?:is trying|tries|tried|needs?|needed|wants?|wanted|would like|looks|is looking)(?: help|"
    r" (?:me )?to"
    r"| for| with| an?| the| some| his| her| their| this| that| my)* (?:(?:\w+ )?(?:shorter|longer|better|new|quick|"
    rf"formal|different|second|first|third|next|short) (?:\w+ )?{_WORK_EN}|(?:fix|debug|translate|rewrite|summari[sz]e|"
    rf"convert|compare|install|center|centre|shorten|format|parse|extract|finish)\b|(?:\w+ ){{0,2}}{_WORK_EN}\b)|"
    rf"\b(?:the )?user (?:said|says|found|thinks?|thought|liked|likes|prefers?|complained)(?: that)? (?:about )?(?:the|"
    rf"this|"
    rf"that|my) (?:\w+ )?{_WORK_EN}\b|"
    rf"{_MARK}(?:wants|wanted|needs|asks for|would like) (?:the|this|that|a) (?:\w+ )?{_WORK_EN} (?:to be |"
    rf"to )?(?:shorter|"
    r"longer|rewritten|fixed|simpler|shortened|more|less|in|reworded|checked|proofread|translated)\b|"
    # What the assistant did for the user.
    r"\b(?:helped|showed|gave|sent|told|offered|walked) the user\b|\bfor the user$|"
    rf"{_MARK}(?:just |already |i |we )?(?:answered|addressed) (?:the|a|an|his|her|their|two|three|some|all|several) "
    rf"(?:\w+ )?(?:questions?|follow-?ups?)\b|"
    rf"{_MARK}(?:i |we )?(?:explained|described|discussed|talked about|looked up|looked at|looked into|brainstormed|"
    rf"clarified|outlined|covered|went (?:over|through)) (?:how|why|what|when|where|whether|the|a|an|some|several|two|"
    rf"three|options|ideas|\d+|possible|different)\b|"
    rf"{_MARK}(?:i |we )?(?:provided|generated|suggested|proposed|listed|drafted|created|wrote|prepared|produced|made|"
    rf"sketched|gave|offered|recommended|opened|closed|reviewed|built|designed|tested|sent|ran|set up) (?:an?|the|some|"
    rf"several|\d+|one|two|three|four|five|six|ten|another|more|both|all) (?:[\w-]+ ){{0,2}}?{_WORK_EN}\b|"
    # Where a piece of work stands.
    rf"{_MARK}(?:the |all |both |my )?(?:\w+ )?(?:tests?|build|ci|pipeline|script|code|migration|deployment|upload|"
    rf"download|"
    rf"conversion|import|export|job|server|linter|compiler|compilation) (?:is |are |was |were |has |have |been |now |"
    rf"again |still |all |just )*(?:{_STATE_EN}|runs? (?:now|again|without|fine|clean)\w*|now runs?|works? (?:now|"
    rf"again)|"
    rf"now works?|took \d|exited|hangs?|timed out)\b|"
    rf"{_MARK}(?:the |a |first |second |third |final |\d+(?:st|nd|rd|th) |version \d+ of the )*(?:draft|translation|"
    rf"summary|"
    rf"report|outline|letter|essay|presentation|slides|patch|fix|spreadsheet|table|document)(?: \d+)?(?: of .{{1,30}}?|"
    rf" for "
    rf".{{1,30}}?)? (?:is|are|was|were|has been|have been) (?:now |all |already |just |still |not yet )*{_STATE_EN}\b|"
    rf"\b(?:half|most|none|all|some|part|rest|two thirds|a third|a quarter|\d+ ?%) of (?:the |"
    rf"my )?(?:\w+ )?{_WORK_EN} (?:is|"
    rf"are|was|were|has been|have been) (?:now |already |still |not )*(?:yet )?{_STATE_EN}\b|"
    rf"\b(?:chapters?|pages?|sections?|parts?|tests?|slides?|exercises?|questions?) [\d, and–-]+ (?:is|are|was|were|"
    rf"have|has|"
    rf"still|not)\b.{{0,20}}(?:{_STATE_EN}|missing|left|to do|open)\b|"
    r"\b(?:pull request|merge request|pr|mr|issue|ticket)s? #?\d+\b|\bmerged (?:pr|mr|branch)\b|"
    rf"\b(?:stopped|paused|stuck|interrupted|got|left|resum\w+|continu\w+|go(?:ing)? on|carry(?:ing)? on|"
    rf"pick(?:ing)? up|start"
    rf"(?:ing)?|currently|we are|now)(?: it| off| here| again| next time| tomorrow)* (?:at|with|on|from|in|"
    rf"to) (?:the )?{_PLACE}|"
    r"\b(?:agreed|decided|plan\w*|will|going|let['’]?s|want) (?:to )?(?:continue|go on|carry on|resume|pick (?:it )?up|"
    r"stop)"
    r" (?:here|tomorrow|later|next|with|from|at|there)\b|"
    rf"{_MARK}(?:(?:current |open |new |next |main |remaining |sub)?-?tasks?|(?:current |next |immediate )?(?:step|"
    rf"action)"
    r"(?: items?)?|still (?:to do|open|missing|todo)|left(?: to do)?|results?|output|errors?|exception|traceback|"
    r"summary so far|"
    r"so far|progress|in work|blocked(?: by| on)?|question|request|context|working on|current state|update|outcome|"
    r"action items?|conclusion)(?: of .{1,20}?)?\s*(?::| is to\b| was to\b)|"
    rf"{_MARK}(?:next|following) (?:step|task|thing|item)s? (?:is|are|will be|would be)\b",
    re.IGNORECASE,
)
_DID_RU: Final = (
    "исправил|проверил|переименовал|загрузил|выгрузил|скачал|установил|запустил|сравнил|перев[её]л|дописал|переписал|"
    "удалил|добавил|обновил|сохранил|записал|конвертировал|преобразовал|отформатировал|отредактировал|сократил|"
    "разбил|отсортировал|скопировал|заменил|поправил|починил|закоммитил|отправил|приложил|убрал|прогнал"
)
_OBJECT_RU: Final = (
    "ошибк|файл|тест|раздел|глав[уаы]|абзац|таблиц|страниц|скрипт|пункт|строк|функци|опечатк|картин|изображени|"
    "скриншот|ссылк|заголов|столб|колонк|черновик|сводк|ветк|коммит|слайд|импорт|предупрежден|дубл|папк|баг"
)
_WILL_RU: Final = (
    "запущ|провер|исправл|напиш|перевед|сдела|отправл|загруж|добавл|обновл|продолж|дополн|допиш|перепиш|сравн|удал|"
    "собер|посмотр|покаж|сообщ|отчита|подготовл|переимену|законч|додела|верн"
)
"""The Russian verbs for work that was done (`_DID_RU`), the objects of such work (`_OBJECT_RU`), and the verbs for work
that is announced (`_WILL_RU`), as stems."""
_WORK_RU: Final = (
    rf"(?:{_OBJECT_RU}|верси|вариант|список|списк|план|письм|отч[её]т|перевод|пример|шаблон|код|запрос|вопрос|ответ|"
    r"текст|стать|рецепт|объяснени|формул|регуляр|логотип|названи|презентаци|речь|речи|эссе|реферат|документ|модул|"
    r"класс|"
    r"метод|задани|упражнени|тр[ае]ссиров|лог[аиу]?\b|стих|куплет|резюме|сопроводительн|скрипт|вывод|сравнени|замечани)"
)
_DONE_RU: Final = (
    r"(?:готов|написан|перевед[её]н|исправлен|провер|законч|заверш|сделан|отправлен|загружен|сохран[её]н|собран|"
    r"утвержд[её]н|"
    r"принят|отклон[её]н|слит|закрыт|открыт|опубликован|дописан|оформлен|созда[нё]|составлен|удал[её]н|обновл[её]н|"
    r"подготовлен)"
)
_RUSSIAN: Final = LazyPattern(
    r"\bпользовател\w+ (?:хочет|хотел\w*) (?:узнать|понять|увидеть|знать)|\bтесты (?:упали|падают|прошли|не проходят)|"
    rf"{_MARK}(?:выкатил|задеплоил|выпустил|развернул)\w* (?:верси\w+ )?v?\d|"
    r"\b(?:\d+|один|одна|два|две|три|четыре|пять) \w+ из (?:\d+|двух|тр[её]х|четыр[её]х|пяти|шести|семи|восьми|"
    r"девяти|десяти) \w+н[аыо]\b|"
    rf"{_MARK}(?:теперь|дальше|сейчас|потом) \w{{3,}}(?<![аяеуи]ю)(?<!жив)[ую] |"
    r"\b(?:шаг|этап|часть|пункт)\s+\d+\s+(?:\w+\s+){0,2}?(?:из\s+\d+|готов\w*|сделан\w*|выполнен\w*|законч\w+|"
    r"заверш\w+|пройден\w*)|"
    r"\b(?:перв|втор|трет|четв[её]рт|пят)\w+\s+(?:шаг|этап)\s+(?:готов|сделан|выполнен|законч|заверш|пройден)\w*|"
    r"\bпользовател\w+\s+(?:попросил\w*|просил\w*|просит|прислал\w*|загрузил\w*|уточнил\w*|спросил\w*|"
    r"спрашива\w+|хочет, чтобы я|поручил\w*|ждёт|ждет|велел\w*)(?!\s+(?:всегда|никогда|обращаться))|"
    r"\b(?:жд[уеё]м?|ожида[юе]м?|ждать|ожидается|ожидание)\s+.{0,20}?(?:ответ|подтвержд|пользовател|правк|"
    r"решени|отзыв|"
    r"провер|сборк)\w*|"
    r"\bсейчас\s+(?!ищ)(?:\w+\s+)?\w{3,}(?:аю|яю|ую|юю|ею|ню|лю|шу|жу|чу|щу|аем|яем|уем|им)\b|"
    r"\b(?:дош[её]л|дошла|остановил(?:ся|ась))\s+(?:до|на)\s+(?:строк|пункт|шаг|глав|страниц|файл)\w*|"
    r"\b(?:продолжить|продолжаю|дальше|осталось)\s+(?:с|со|сделать|исправить|проверить|дописать|перевести|"
    r"поправить)\b|"
    r"\b(?:осталось|нужно|надо|не забыть|потом|затем)\s+(?:ещё |еще )?(?:дописать|доделать|исправить|проверить|"
    r"поправить|"
    r"перевести|переименовать|добавить|удалить|обновить|запустить|отправить|ответить|спросить|сделать)\b|"
    rf"{_MARK}(?:уже |только что |я )?(?:{_DID_RU})[аи]?\s.{{0,40}}?\b(?:{_OBJECT_RU})\w*|"
    rf"{_MARK}(?:дальше|далее|затем|потом|теперь|после этого|следом)\s+(?:я |мы )?(?:{_WILL_RU})(?:у|ю|им|ем|усь|юсь|"
    r"имся|емся)\b|"
    r"\b(?:осталось|остаётся|остается)\s+(?:ещё |еще |только )*\w{3,}(?:ть|ти|чь)(?:ся)?\b|"
    rf"{_MARK}(?:вся |все )?(?:задач|задани|подзадач|поручени|запрос|тикет|шаг|этап)\w*\s+(?:уже )?(?:выполнен|"
    r"завершен|завершён|закончен|сделан|готов|закрыт|решен|решён|отменен|отменён)\w*|"
    r"\b(?:закончил|исправил|проверил|перевёл|перевел|обновил|добавил|отправил|запустил|начал)[аи]?\s+(?:\w+\s+)?"
    r"(?:файл|тест|раздел|глав|абзац|таблиц|страниц|скрипт|пункт|част|перв|втор|треть)\w*|"
    rf"{_MARK}(?:попросил|просил|просит|поручил)\w*\s(?!.{{0,12}}?(?:отвеча|обраща|назыв|говорить|писать|ставить|"
    r"использовать|указыва|дава|присыла|оформля|начина|добавля|всегда|никогда|"
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
    r"как)\b|"
    r"\bпользовател\w+ (?:уже |ещё |еще |пока |только что |снова |также )*(?:не )?(?:вставил|загрузил|прикрепил|"
    r"отправил|"
    r"поделил|присылал|поблагодарил|подтвердил|одобрил|отклонил|принял|ответил|уточнил|выбрал|скинул|показал|дал|"
    r"пожаловал|доволен|недоволен|жд[её]т|проверяет|читает|тестирует|пытается|попытал|прервал)\w*|"
    rf"\bпользовател\w+ (?:хочет|хотел\w*|нужн\w+|нужен|сказал\w*|считает|думает|ищет)\b.{{0,40}}?\b{_WORK_RU}|"
    rf"{_MARK}(?:хочет|просит|нужно|надо),? чтобы .{{0,30}}?{_WORK_RU}\w* (?:был\w* |стал\w* )(?:короче|длиннее|проще|"
    r"лучше|строже|подробнее|мягче|официальнее)|"
    rf"{_MARK}(?:надо|нужно|необходимо|требуется|предстоит|хорошо бы)(?: бы)?(?: ещ[её]| снова| потом|"
    rf" теперь)* \w+(?:ть|ти|чь)"
    rf" .{{0,25}}?{_WORK_RU}|"
    rf"{_MARK}(?:я |мы |уже |только что )?(?:кратко |подробно |ещё раз )?(?:написал|сгенерировал|составил|создал|"
    rf"предложил|"
    rf"подготовил|сделал|дал|привёл|привел|показал|набросал|пересказал|ответил|объяснил|описал|обсудил|разобрал|"
    rf"рассмотрел|"
    rf"просмотрел|нашёл|нашел|помог|перечислил|прислал|выслал|слил|закрыл|открыл|собрал|протестировал)(?:а|и)? "
    rf"(?:на |с |про |о |об |в |со |(?:\w+ ){{1,2}}?)?{_WORK_RU}|"
    rf"{_MARK}(?:объяснил|рассказал|показал|описал)[аи]?(?: пользовател\w+)?,? (?:как|почему|зачем|что такое|чем|"
    rf"разницу|"
    r"принцип)\b|"
    rf"{_MARK}(?:помог|подсказал|показал|прислал|дал)\w{{0,2}} (?:пользовател\w+|отладить|настроить|исправить|"
    rf"найти ошиб\w+|"
    r"собрать|решить|установить|перевести)|"
    rf"{_MARK}(?:сборк\w+|скрипт|код|тест\w*|деплой|сервер|конвертаци\w+|миграци\w+|загрузк\w+|пайплайн|"
    rf"линтер)(?: \w+)? "
    rf"(?:теперь |снова |опять |уже |всё ещё |все |ещё )*(?:пада\w+|упал\w*|сломан\w*|работает|работают|проходит|"
    rf"проходят|"
    rf"прош\w+|заняла?|зависа\w+|завис\w*|зел[её]н\w+|красн\w+|{_DONE_RU})(?: без| снова| теперь| из-за|\w*$|\b)|"
    rf"{_MARK}(?:не |уже |почти |ещё не |пока не )*{_DONE_RU}\w* (?:ещ[её] )?(?:глав|част|раздел|страниц|пункт|тест|"
    rf"черновик|"
    r"перевод|отч[её]т|вариант|первы|втор|треть|\d)|"
    rf"{_MARK}(?:\w+й )?(?:черновик|перевод|отч[её]т|письмо|презентаци\w|сводка|план|таблица|патч|стать\w|вариант|файл|"
    rf"документ|текст)(?: \w+){{0,2}}? (?:уже |ещё не |почти |пока не |не )*{_DONE_RU}\w*|"
    rf"\b(?:половина|часть|большинство|треть|четверть|остальные|все) \w*{_WORK_RU}\w* (?:уже |ещё не )?{_DONE_RU}\w*|"
    r"\b(?:остановил|прервал|дош)\w+ (?:на|до|в) (?:\w+ )?(?:строк|вопрос|страниц|шаг|глав|упражнени|пункт|част|"
    r"слайд)\w*|"
    r"\b(?:договорил\w+|решили|будем|планируем) (?:\w+ )?(?:продолжить|продолжать|закончить|вернуться)|"
    rf"{_MARK}(?:перевод|прав|провер|пиш|исправля|дописыва|разбира|редактиру)(?:им|яем|аем|ем|ю|яю|аю|у|им|уем|ую) "
    rf".{{0,15}}?{_WORK_RU}|"
    rf"{_MARK}(?:(?:текущая |новая |следующая |под)?задач[аи]|результат\w*|ошибк[аи]|вывод|"
    r"(?:ещё |осталось )?(?:сделать|доделать)|осталось сделать|прогресс|запрос|контекст|итог|не сделано|"
    r"(?:следующ\w+|ближайш\w+|очередн\w+) (?:шаг|задач|пункт)\w*)\s*(?::|[—–-] )|"
    rf"\bжд[уеё]м?т? (?:\w+ )?(?:ревью|ответа|правок|фидбек\w*|аппрув\w*|проверки|подтверждени\w+)",
    re.IGNORECASE,
)
_OBJECT_UZ: Final = (
    "xato|kamchilik|imlo|fayl|test|bolim|bob|jadval|sahifa|skript|qator|funksiya|rasm|skrinshot|havola|sarlavha|"
    "ustun|qoralama|papka|slayd"
)
_DONE_UZ: Final = (
    "tuzat|tekshir|ozgartir|yukla|yuklab ol|yangila|ochir|qosh|saqla|yoz|tarjima qil|qisqartir|taqqosla|nusxala|"
    "almashtir|yubor|ogir|ajrat|birlashtir"
)
_WORK_UZ: Final = (
    rf"(?:{_OBJECT_UZ}|ozgaruvchi|variant|versiya|royxat|reja|xulosa|maqola|hisobot|xat(?!o)|tarjima|misol|shablon|kod|"
    rf"sorov|"
    r"savol|javob|matn|retsept|formula|logotip|nom|taqdimot|nutq|insho|hujjat|modul|klass|metod|mashq|topshiriq|logi|"
    r"sher|"
    r"rezyume|tarmoq|commit|kommit|tushuntirish|dastur|yigish|xatboshi|abzats|band)"
)
_END_UZ: Final = r"(?:il|in|n|l|til|tiril|ttiril)?(?:di|dik|dim)"
_UZBEK: Final = LazyPattern(
    r"\bfoydalanuvchi\w* .{0,60}(?:bilmoqchi|kormoqchi|tushunmoqchi)\b|\btest\w* .{0,20}(?:yiqildi|otdi|otmadi)\b|"
    r"^\W*endi \w+larni \w+man$|\bversiya\w* .{0,40}(?:qoyildi|chiqarildi)$|"
    r"\b\d+\s*-\s*(?:bosqich|qadam|qism|vazifa)\w*\s+(?:tugadi|tugallandi|bajarildi|tayyor|yakunlandi|qilindi)|"
    r"\b(?:birinchi|ikkinchi|uchinchi|tortinchi)\s+(?:bosqich|qadam)\w*\s+(?:tugadi|bajarildi|tayyor|yakunlandi)|"
    r"\bfoydalanuvchi\w*\s.{0,60}?(?:soradi|soragan|iltimos qildi|buyurdi|topshirdi|sorayapti|yubordi|"
    r"yukladi|talab qildi|kutilmoqda)\b|"
    r"\b(?:keyingi|navbatdagi) (?:qadam|bosqich|vazifa)\w*\s*:|\b(?:qadam|bosqich)ga (?:otamiz|otaman|otiladi)\b|"
    r"\b(?:tekshir|tuzat|yoz|tayyorla|hisobla|taqqosla|tarjima qil|ozgartir|qisqartir)(?:a|i)?yap(?:man|miz)\b|"
    r"\b(?:bajarildi|tugadi|tayyor|saqlandi), (?:endi|keyin|song)\b|\bmen(?:ga|dan) .{0,40}(?:topshir|sora|buyur)\w+|"
    r"\b(?:kutyapman|kutyapmiz|kutilmoqda|kutmoqdaman|kutilyapti)\b|"
    r"\bhozir\s.{0,60}?\w{2,}(?:yapman|yapmiz|moqdaman|moqdamiz|ayapman)\b|"
    r"\b(?:natija|fayl|qoralama|chiqish|hisobot|rasm|grafik|jadval)\w*\s.{0,40}?(?:saqlandi|yozildi|saqlangan: )|"
    r"(?:ni|ga|ib berishni) soradi$|\b(?:yana|hali) .{0,30}qoldi$|\bendi .{0,40}kerak$|\b\d+-(?:bosqich|qadam):|"
    r"\b(?:jarayonda|davom etmoqda|korib chiqilmoqda|tekshirilmoqda|tarjima qilinmoqda)\b|"
    r"\b(?:tekshirish|tuzatish|yozish|tarjima qilish|qoshish|ochirish|yangilash|yuborish|tugatish)\s+(?:kerak|"
    r"lozim|qoldi)\b|"
    rf"\b(?:{_OBJECT_UZ})\w* (?:nomi )?(?:{_DONE_UZ})(?:il|n|in|til)?(?:di|dim|dik)\b|"
    r"\b\w{2,}ish(?:im|imiz)ni\s.{0,20}?(?:xohla|hohla|ista|sora|buyur|iltimos|talab|topshir)\w*|"
    r"^\W*(?:endi|keyin|song|shundan (?:keyin|song)|navbatda)\s.{0,80}?\b(?:ishga tushir|tekshir|tuzat|tayyorla|"
    r"taqqosla|tarjima qil|ozgartir|qisqartir|yangila|yubor|qosh|ochir|yukla|korib chiq|xabar ber|natijani ayt|"
    r"davom et|qayta yoz|nomla|saqla)\w{0,2}(?:man|miz)\b|"
    r"\bqolgan\w* .{0,60}(?:kerak|lozim|zarur|qoldi)\b|"
    r"\b(?:vazifa|topshiriq|sorov|bosqich|qadam|tiket)\w* (?:bajarildi|tugadi|tugallandi|yakunlandi|yopildi|"
    r"hal qilindi|hal boldi|bekor qilindi)\b|"
    r"\bqolgan (?:qism|bolim|sahifa|fayl)\w*|\bxatosi tuzatildi\b|\b(?:joriy|ushbu) (?:vazifa|suhbat)\w*|"
    r"\b(?:davom ettirish|davom etish|otish) (?:kerak|lozim)\b|\bkeyin\s.{0,30}?(?:otiladi|davom etiladi)\b|"
    r"\bfoydalanuvchi\w* .{0,50}?(?:tashladi|joyladi|yukladi|yubordi|biriktirdi|rahmat ayt\w+|tasdiqladi|rad etdi|"
    r"qabul qildi|"
    r"tanladi|javob ber(?:di|madi|gani yoq)|aniqlashtirdi|kutmoqda|kutyapti|tekshiryapti|urinyapti|urinmoqda|"
    r"tekshirmoqda|"
    r"aytdi|dedi|maqtadi|korsatdi)$|"
    rf"\bfoydalanuvchi\w* .{{0,40}}?{_WORK_UZ}\w* .{{0,30}}?(?:kerak|istaydi|xohlaydi|hohlaydi|sorayapti|dedi)$|"
    rf"\b{_WORK_UZ}\w* .{{0,25}}?bolsin dedi$|"
    rf"\b{_WORK_UZ}\w*(?: \w+){{0,3}} (?:ozgartir|tuzat|tekshir|yoz|tayyorla|tuz|yarat|ber|ochir|yubor|yangila|ber|och|"
    rf"taklif qil|"
    rf"topshir|korib chiq|aytib ber|tushuntir|qisqartir|tarjima qil|kochir|jonat|chiqar|sana|korsat|yopil|"
    rf"birlashtir){_END_UZ}$|"
    r"\bsavol\w* javob (?:berildi|berdi|berdik|berdim)|\b\w+ (?:tushuntirildi|tushuntirib berildi|muhokama qilindi|"
    r"korib chiqildi|solishtirildi|tahlil qilindi)$|"
    rf"\b(?:qoralama|tarjima|hisobot|xat|taqdimot|xulosa|reja|jadval|maqola|hujjat|matn)\w*(?: \w+){{0,2}} (?:tayyor|"
    rf"tayyor boldi|"
    rf"yuborildi|topshirildi|tugadi|bitdi|tasdiqlandi)$|"
    rf"\b(?:bob|betlar|sahifa|qism|bolim|test)\w*(?: \w+)? (?:hali|hozircha) \w*(?:magan|madi)\b|"
    rf"\b\d+-?\w* .{{0,20}}hali (?:yozilmagan|"
    r"tugamagan|tekshirilmagan|tarjima qilinmagan)|"
    r"\b(?:yigish|skript|test|kod|server|dastur|build)\w*(?: \w+)? (?:endi |yana |hamon |hali )*(?:xato berdi|"
    r"xato beryapti|xatosiz \w+|"
    r"ishlayapti|ishlamayapti|otdi|otmadi|otyapti|yiqildi|qulayapti|tushib qoldi|osilib qoldi)|"
    r"\b\d+ ?-? ?(?:qator|savol|bet|sahifa|qadam|mashq|bob|qism|slayd|betni)\w* .{0,15}?(?:toxta\w+|davom et\w+|"
    r"keld(?:ik|im)|qoldik|"
    r"qilyapmiz|qilyapman|yetdik)|\bkeyingi safar .{0,30}davom et\w+|"
    r"^\W*(?:(?:joriy |yangi |keyingi )?vazifa|(?:qilish|bajarish) kerak|natija|xato(?:lik)?|topshiriq"
    r"|qolgan ish\w*|holat|keyingisi|sorov|"
    r"jarayon|"
    r"(?:keyingi|navbatdagi) (?:ish|qadam|bosqich|vazifa))\s*(?::|[—–-] )|"
    rf"\b{_WORK_UZ}\w* .{{0,20}}?(?:qayta|yana) \w+(?:ish|lash) (?:kerak|lozim)|"
    r"\b\w+ (?:tekshir|tuzat|yoz|tarjima qil|tahrirla|ozgartir|taqqosla|tayyorla)(?:a|i)?(?:yap|moqda)(?:man|miz)\b"
)
_DO_ZH: Final = (
    "修复|修正|修改|更正|改正|调试|重构|重命名|翻译|整理|转换|生成|上传|下载|检查|导出|更新|删除|添加|合并|运行|测试|"
    "写入|保存|压缩|排序|复制|替换|提交|校对|改写|缩短"
)
_OBJECT_ZH: Final = (
    "错误|漏洞|bug|文件|代码|测试|段落|第.{1,3}[段章页行节]|页面|表格|图片|截图|函数|脚本|链接|标题|列|分支|草稿|"
    "幻灯片|警告|注释|错字"
)
_WORK_ZH: Final = (
    rf"(?:{_OBJECT_ZH}|版本|版|初稿|草案|大纲|清单|列表|摘要|总结|变量|文章|报告|邮件|信|译文|例子|模板|正则|公式"
    rf"|查询|标志|logo|"
    "方案|思路|建议|教程|步骤|食谱|做法|诗|歌词|简历|求职信|演讲|稿|接口|模块|类|方法|问题|题|表|笔记本|日志|报错|段)"
)
_CHINESE: Final = LazyPattern(
    r"第[一二三四五六七八九十\d]+(?:部分|章|节|步).{0,6}(?:完成|做完|译完|好了)|测试(?:失败|没过|未通过)|"
    r"已(?:经|把|将)?.{0,12}(?:部署|发布|上线)到|[一二三四五六七八九十\d]+[章节页个].{0,4}(?:校对|翻译|检查|完成"
    r"|改)了[一二三四五六七八九十两\d]|"
    r"第[一二三四五六七八九十\d]+步|步骤\s*\d|用户(?:刚才|刚刚)?(?:问|想知道)|^\s*(?:[-*]\s*)?(?:要求|让|请)把|"
    r"用户(?:刚才|刚刚)?(?:让我|要求我?|请我|想让我|要我|叫我|"
    r"请求)(?!以后|总是|一直|称呼|不要)|"
    rf"^\s*(?:[-*]\s*)?(?:已经?|我|刚){{0,2}}(?:{_DO_ZH})(?:完|好)?了.{{0,24}}?(?:{_OBJECT_ZH})|"
    rf"已(?:经|将|把)?.{{0,24}}(?:{_DO_ZH})(?:完成|完毕|到|至|为)|"
    r"(?:任务|子任务|工单|请求|步骤)(?:已经?|都)?(?:完成|结束|做完|处理完|取消|关闭)(?:了|[:：，。]|$)|"
    r"等待?.{0,4}(?:用户|对方|客户).{0,6}(?:确认|回复|答复|反馈)|等待(?:确认|回复|审批|结果)|刚才|刚刚(?!好)|"
    r"(?:正在|目前在|现在在?)(?:处理|修改|修复|调试|翻译|整理|检查|生成|运行|比较|对比|编写|转换|压缩|下载|上传|"
    r"分析|排查|查看|改|写代码|"
    r"测试|核对|校对|重构)|^\s*(?:[-*]\s*)?(?:让|要求|叫|请)我|等(?:合并|审核|确认|回复|批准|结果)|(?:写|做|改|"
    r"翻译)到一半|测试.{0,4}通过|"
    r"等(?:客户|对方|老板).{0,4}(?:回复|确认|答复)|(?:填|写|改|做|画)好了，|还剩.{0,12}没|接着(?:做|处理|写|改)|"
    r"接下来|下一步|还(?:差|剩|缺)[一二三四五六七八九十两几\d]|先暂停|再继续|(?:继续|接着)第|未完成|进行中|"
    r"(?:还|尚)(?:没|未)(?:改|写|做|翻译|弄|检查|处理|修)(?:完|好)|等(?:待)?用户|用户(?:刚)?说先|待办[:：]|(?:输出|"
    r"结果|文件|草稿|图片|报告).{0,12}(?:保存|存放?|导出)(?:到|在|为)|"
    r"还(?:差|剩)\S{0,8}(?:没|未)|已完成.{0,8}(?:继续|接着)|"
    r"用户(?:刚|已|已经|刚才|又|还|也|正)?(?:贴|粘贴|上传|发来|发了|提供|分享|附上|感谢|谢|确认|同意|拒绝|选择"
    r"|选了|回复|答复|补充|"
    r"在等|在看|在测|正在|还没|没有回|没回|不满意|很满意|满意|抱怨|说(?:这|那|第|前|后|新|旧|上|翻译|标题|代码|文))|"
    rf"用户(?:想|想要|需要|希望|打算).{{0,14}}?(?:比较|对比|修|改|翻译|总结|调试|{_WORK_ZH}$)|"
    rf"^\s*(?:[-*]\s*)?(?:按|根据)(?:要求|用户)|^\s*(?:[-*]\s*)?(?:帮|给|替|为)用户|"
    rf"^\s*(?:[-*]\s*)?(?:已|已经|我|刚|又)?(?:删|改|写|做|画|列|建|查|跑|译|编|修|调|发|传|合并|新建|创建|生成"
    rf"|总结|概括|回答|解释|讨论|"
    rf"分析|推荐|提供|给|整理|介绍|说明|对比|比较|起草|润色|优化)(?:掉|好|完|出|到)?了.{{0,14}}?(?:{_WORK_ZH}"
    rf"|原理|区别|用法|含义|关于)|"
    rf"^\s*(?:[-*]\s*)?(?:为|给)(?:修复|测试|新功能|重构).{{0,6}}了|"
    rf"^\s*(?:[-*]\s*)?(?:第.{{1,3}}[段页章节行]|标题|代码|译文|文章|邮件|开头|结尾|表格).{{0,4}}(?:要|需要|得"
    rf"|应该)(?:再)?(?:改|写|缩|加|删|润|调|换)|"
    r"^\s*(?:[-*]\s*)?(?:还?需要?|还要|得)(?:再|先)?(?:改|检查|翻译|修|补|加|重写|润色|测试)|"
    r"(?:编译|构建|部署|脚本|程序|代码|测试|流水线|迁移|转换|上传|下载)(?:现在|又|都|还|已|已经|终于)*(?:失败"
    r"|报错|出错|通过|成功|能.{0,4}[跑行]了|"
    r"跑通|没问题了|全绿|好了|完成|卡住|超时|花了)|"
    rf"(?:第.{{1,4}}[章节页段步部分]+|初稿|草稿|报告|译文|翻译|摘要|演讲.{{0,3}}稿|文章|表格|幻灯片)(?:还没|尚未"
    rf"|没|已经?|都|全)*(?:写|改|译|做|翻|发|交|"
    rf"完成|送|通过)(?:完|好|给|到|了|成)*(?:客户|老板|对方|了|$)|"
    r"(?:停|卡|做|写|看|读|翻译|改|进行|讲|学)(?:在|到)(?:了)?第.{1,4}[行题页步章节段部]|"
    r"(?:下次|下回|明天|之后|稍后|回头)(?:再|接着|继续|从).{0,10}(?:第|继续|部分|开始|改|写|做)|"
    r"^\s*(?:[-*]\s*)?(?:当前|新|本次|下个?|剩余|子)?(?:任务|进度|结果|输出|报错|错误|还没做|没做|未做|剩下|剩余"
    r"|未完|问题|请求|结论|状态)"
    r"\s*[:：]|"
    r"(?:PR|MR|工单|拉取请求) ?#?\d+",
    re.IGNORECASE,
)
_NAME: Final = (
    r"[\w/.-]+\.(?:py|js|tsx?|css|html?|md|csv|tsv|json|toml|ya?ml|txt|log|sql|java|go|rs|cpp?|png|"
    r"jpe?g|svg|pdf|xlsx?|docx?)\b"
)
_IN_A_FILE: Final = LazyPattern(
    rf"{_MARK}(?:\w+(?:ed|wrote|built)|\w{{3,}}[иаяе]л[аи]?)\b.{{0,60}}{_NAME}|{_MARK}(?:已|"
    rf"我)?[在把将]?.{{0,6}}{_NAME}.{{0,10}}[改写加删存换]了|"
    rf"{_MARK}.{{0,60}}{_NAME}.{{0,40}}\w+(?:di|ди)$",
    re.IGNORECASE,
)
"""Something was done to a file that has a name."""
_LASTS: Final = re.compile(
    r"\b(?:every|each|always|never|usually|regularly|per|weekly|monthly|daily|before|whenever|by default|"
    r"for (?:years|a living|ten|many)|years|(?:prefers?|likes?|loves?) (?!(?:the|this|that|it)\b)\w+|"
    r"кажд\w+|всегда|никогда|обычно|раз в|перед|лет|по \w+(?:ам|ям)|har|doim|odatda|hech|oldin|yillar\w*)\b|"
    r"每|总[是会]|一直|通常|定期|从不|之?前[要先]|多年|以后|默认|^\W*(?:喜欢|偏好|希望)",
    re.IGNORECASE,
)
"""Words for something that is done again and again, or lasts: no line of a task has them."""
_DATED: Final = re.compile(r"\b(?:in|since|в|с) (?:19|20)\d\d\b|\b(?:19|20)\d\d(?:[- ]?(?:yil|йил)|年| год)")
"""The year in which something was done: a task has none."""


def residue_words(line: str) -> str:
    """Returns the words that show that a line belongs to a task; "" where it states something of its own."""
    latin = APOSTROPHE.sub("", in_latin(line.lower()))
    tried = [(_ANY, line), (_DRAFT, line)]
    if not _DATED.search(line):
        tried.append((_IN_A_FILE, line))
        if not (_LASTS.search(line) or _LASTS.search(latin)):
            tried += ((_ENGLISH, line), (_RUSSIAN, line), (_CHINESE, line), (_UZBEK, latin))
    found = next(filter(None, (pattern.search(said) for pattern, said in tried)), None)
    if found is None and not _DATED.search(line) and not (_LASTS.search(line) or _LASTS.search(latin)):
        return deed_in(line, latin)
    return found[0].strip(" \t-*+•") if found else ""

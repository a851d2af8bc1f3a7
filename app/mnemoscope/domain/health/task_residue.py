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
"""What one does to a piece of work, and the pieces of it."""
_NAME: Final = (
    r"[\w/.-]+\.(?:py|js|tsx?|css|html?|md|csv|tsv|json|toml|ya?ml|txt|log|sql|java|go|rs|cpp?|png|"
    r"jpe?g|svg|pdf|xlsx?|docx?)\b"
)
_IN_A_FILE: Final = re.compile(
    rf"{_MARK}(?:\w+(?:ed|wrote|built)|\w{{3,}}[иаяе]л[аи]?)\b.{{0,60}}{_NAME}|{_MARK}(?:已|"
    rf"我)?[在把将]?.{{0,6}}{_NAME}.{{0,10}}[改写加删存换]了|"
    rf"{_MARK}.{{0,60}}{_NAME}.{{0,40}}\w+(?:di|ди)$",
    re.IGNORECASE,
)
"""Something was done to a file that has a name."""
_ENGLISH: Final = re.compile(
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
    rf"(?:{_DOING})\w*ing\b|"
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
    r"\b\d+ (?:of|out of) \d+ (?:tests?|files?|done)\b",
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
"""What one did to a piece of work, the pieces of it, and what one is about to do."""
_RUSSIAN: Final = re.compile(
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
    r"\bсейчас\s+(?:\w+\s+)?\w{3,}(?:аю|яю|ую|юю|ею|ню|лю|шу|жу|чу|щу|аем|яем|уем|им)\b|"
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
    r"как)\b",
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
_UZBEK: Final = re.compile(
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
    r"\b(?:davom ettirish|davom etish|otish) (?:kerak|lozim)\b|\bkeyin\s.{0,30}?(?:otiladi|davom etiladi)\b"
)
_DO_ZH: Final = (
    "修复|修正|修改|更正|改正|调试|重构|重命名|翻译|整理|转换|生成|上传|下载|检查|导出|更新|删除|添加|合并|运行|测试|"
    "写入|保存|压缩|排序|复制|替换|提交|校对|改写|缩短"
)
_OBJECT_ZH: Final = (
    "错误|漏洞|bug|文件|代码|测试|段落|第.{1,3}[段章页行节]|页面|表格|图片|截图|函数|脚本|链接|标题|列|分支|草稿|"
    "幻灯片|警告|注释|错字"
)
_CHINESE: Final = re.compile(
    r"第[一二三四五六七八九十\d]+(?:部分|章|节|步).{0,6}(?:完成|做完|译完|好了)|测试(?:失败|没过|未通过)|"
    r"已(?:经|把|将)?.{0,12}(?:部署|发布|上线)到|[一二三四五六七八九十\d]+[章节页个].{0,4}(?:校对|翻译|检查|完成|改)了[一二三四五六七八九十两\d]|"
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
    r"还(?:差|剩)\S{0,8}(?:没|未)|已完成.{0,8}(?:继续|接着)"
)


_DATED: Final = re.compile(r"\b(?:in|since|в|с) (?:19|20)\d\d\b|\b(?:19|20)\d\d(?:[- ]?(?:yil|йил)|年| год)")
"""The year in which something was done: a task has none."""


def residue_words(line: str) -> str:
    """Returns the words that show that a line belongs to a task; "" where it states something of its own."""
    for pattern in (_ANY, _DRAFT) if _DATED.search(line) else (_ANY, _DRAFT, _IN_A_FILE, _ENGLISH, _RUSSIAN, _CHINESE):
        if found := pattern.search(line):
            return found[0].strip(" \t-*+•")
    found = _UZBEK.search(_TICKS.sub("", in_latin(line.lower())))
    return found[0] if found else ""

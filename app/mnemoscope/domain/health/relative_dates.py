"""Finds what in a line was true only near the day it was written: "tomorrow", "next week", a plan whose day is past.

It knows English, Russian, Uzbek in both alphabets, and Chinese. What returns ("every Friday"), what belongs to any
day ("today's special") and what is a title does not rot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from mnemoscope.domain.search.stems import in_latin
from mnemoscope.domain.text.characters import APOSTROPHE, APOSTROPHES
from mnemoscope.domain.text.lazy_pattern import LazyPattern

_TITLE: Final = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"|「[^」]*」|《[^》]*》|`[^`]*`|\*[^*]+\*")
_RETURNS: Final = re.compile(
    r"\b(?:every|each|always|usually|daily|weekly|monthly|yearly|annual\w*|once an?|"
    r"кажд\w+|ежедневн\w*|еженедельн\w*|ежемесячн\w*|ежегодн\w*|обычно|всегда|раз в|"
    r"har|doim|odatda)\b|每|通常|总是|"
    # Wages, rent and bills come at the end of each month.
    r"\b(?:pays?|paid|payday|salary|wages|rent|invoices?)\b.{0,40}\bend of the (?:week|month)\b|"
    r"\b(?:плат[ия]т|платит\w*|зарплат\w+|аренд\w+|получает|счета)\b.{0,40}\bв конце (?:недели|месяца)\b|"
    r"月底(?:之?前)?(?:发工资|交房租|付房租|结账|还款)",
    re.IGNORECASE,
)
_RETURNS_UZ: Final = re.compile(
    r"\bhar\b|(?<!shu dam )(?<!bu dam )\b\w+ kunlari\b|\boy oxiri\w*.{0,30}\b(?:oylik|maosh|ijara|tola\w+)"
)
_CAPITAL: Final = re.compile(
    r"(?<=\w )(?:Today|Tomorrow|Yesterday|Tonight|Soon|(?:Next|This|Last) [A-Z]|The (?:Day|Week|End)"
    r"|Завтра|Послезавтра|Сегодня|Вчера)"
)
"""Words for a time with a capital letter within a sentence: there, only the name of a film, a song or a newspaper has
one."""
_MONTH_EN: Final = "(?:january|february|march|april|june|july|august|september|october|november|december)"
_THIS_OR_NEXT: Final = LazyPattern(
    # What is this one or the next one now is another one then, whatever it is of.
    r"\b(?:this|next|last|coming|past|the coming|the following|the past) "
    rf"(?:spring|summer|autumn|fall|winter|term|semester|season|fortnight|school year|academic year|{_MONTH_EN}"
    rf"|holidays?"
    r"|easter|christmas|sprint|few (?:days|weeks|months))\b|\b(?:week|month|year) after next\b|\bfor a fortnight\b"
    r"|\b(?:has|have) been \w+ing\b.{0,20}\bsince (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\bjust (?:started|began|begun|switched|bought|moved|joined|finished|lost|quit|sold|had|signed|changed"
    r"|passed|became)\b"
    r"|\b(?:is |are |still )?waiting (?:for|to hear)\b"
    r"|\b(?:эт|следующ|прошл|будущ|предстоящ|минувш|ближайш|нынешн)\w+ (?:весн|лет[оуа]|осен|зим|семестр|четверт"
    r"|сезон|полугоди"
    r"|учебн|январ|феврал|март|апрел|ма[йея]|июн|июл|август|сентябр|октябр|ноябр|декабр|каникул|праздник)\w*"
    r"|\b(?:втор|трет|четв[её]рт|пят|шест)\w+ (?:день|неделю|сутки|месяц|ночь)\b(?! (?:недел|месяц|год))"
    r"|\b(?:ждёт|ждет|ждут|ожидает|дожидается) (?:звонк|ответ|письм|посылк|результат|курьер|решени|визу|визы"
    r"|документ|выплат)\w*"
    r"|\b(?:вечером|утром|днём|днем|ночью|после обеда) (?:прид[уеё]т|приед[уе]т|прилет\w+т|зайд[уеё]т"
    r"|привез[уеё]т|начн[уеё]т\w*)\b"
    r"|\bтолько что\b|\bна днях\b"
    r"|等.{0,8}(?:电话|回复|消息|结果|通知|快递|审批)|(?:本|这|下|上)(?:个)?(?:学期|季度|赛季|寒假|暑假)|(?:今|明"
    r"|去)年?[春夏秋冬]天?"
    r"|(?<!每)(?:周|星期|礼拜)[一二三四五六日天]之?前",
    re.IGNORECASE,
)
_THIS_OR_NEXT_UZ: Final = LazyPattern(
    r"\b(?:kelasi|keyingi|kelgusi|otgan|shu|bu) (?:bahor|yoz|kuz|qish|semestr|chorak|mavsum|oquv yili"
    r"|dam olish kun|tatil)\w*"
    r"|\bjavob kut\w+|\bhozirgina\b"
)
_NAMED: Final = re.compile(
    rf"(?:\b(?:favou?rite|любим\w+|sevimli|севимли)\s[\w{APOSTROPHES}-]+(?:\sis)?\s?[:：—–-]?\s?(?:the )?"
    r"|(?:最喜欢|最爱)的\w{1,3}?[是:：])\Z|"
    r"(?:\b(?:called|named|titled|entitled|name is|называ\w+|названи\w+(?: —| -|:)?|по имени|под названием|nomi"
    r"|ismi)|叫做?|名为|叫作)"
    r"\s*\Z",
    re.IGNORECASE,
)
"""Words right before a name, which announce it."""
_AS_NAME: Final = re.compile(
    r"\s*(?:(?:kuni?|kun|haftasi|хафтаси|кун)? ?(?:degan|nomli|deb ataladi|деган|номли|deb atalgan)\b"
    r"|(?:is|was) (?:an?|the) (?:[\w’']+ ){0,3}(?:name|title|song|film|movie|book|novel|album|track|play|poem"
    r"|band|game)s?\b)",
    re.IGNORECASE,
)
"""Words right behind a name, which say that it is one."""
_HELD_BY: Final = re.compile(
    r"\b(?:believes?|habit|principle|motto|proverb|procrastinat\w*|(?:puts?|putting|leaves?|leaving) \w* ?(?:off"
    r"|until|for|till)\b"
    r"|откладыва\w+|привычк\w+|принцип\w*|девиз\w*|верит|поговорк\w+"
    r"|(?:\w+ni )?(?:ertaga|эртага) (?:qoymaydi|qoldirmaydi|қўймайди|қолдирмайди)|odati?\b|одати?\b|maqol\w*)"
    r"|习惯|座右铭|相信|原则|拖到|留到",
    re.IGNORECASE,
)
"""Words for a habit, a belief or a principle, which holds whatever day it is."""
_NUMBER_EN: Final = r"(?:\d{1,3}|an?|a few|a couple of|some|several|one|two|three|four|five|six|seven|eight|nine|ten)"
_NOW_EN: Final = r"(?:currently|now|still|at present)"
_STATE_EN: Final = (
    r"(?:broken|out of order|closed|ill|sick|on sick leave|on leave|on holiday|on vacation|unavailable|"
    r"in hospital|being repaired|under repair|under construction|out of stock|without power|without water)"
)
_DAY_EN: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_VISITOR_EN: Final = (
    r"(?:results?|guests?|visitors?|delivery|parcel|package|plumber|electrician|handyman|repairman|technician|movers?|"
    r"inspector|in-laws|landlord|answer|decision|verdict|surgery|operation|viewing|check-?up|presentation|defen[cs]e)"
)
_ENGLISH: Final = LazyPattern(
    rf"\b(?:(?:the day (?:after|before) )?(?:tomorrow|yesterday)|today|tonight|this (?:morning|afternoon|evening)|"
    rf"(?:this|next|last|coming|the coming) (?:weekend|week|month|year|quarter|{_DAY_EN})|(?:by|until|till|before) "
    rf"{_DAY_EN}|(?<!with)in {_NUMBER_EN} (?:hour|day|week|month)s?(?:['’] time)?|"
    rf"{_NUMBER_EN} (?:hour|day|week|month)s? (?:ago|from now)|the other day|later this \w+|right now|"
    rf"at the moment|at present|for now|as of now|these days|temporarily|last night|earlier today|over the weekend|"
    rf"(?:in|for|over) the (?:next|coming) (?:few |couple of )?(?:days|weeks|months)|until further notice|"
    rf"(?:by|until|till|before) (?:tomorrow|tonight|the weekend)|{_NOW_EN}.{{0,40}}\b{_STATE_EN}|"
    rf"just (?:woke|got|came|arrived|left|returned|ate)|(?:the )?end of (?:the|this|next) (?:week|month|year)|"
    rf"soon(?! after)|for the time being|"
    rf"(?:exam|interview|appointment|flight|meeting|party|test|visit|deadline|"
    rf"wedding)\b.{{0,40}}\bon {_DAY_EN})\b(?!['’]s)|"
    rf"\b(?:tmrw|tmr|(?!tomorrow)tomm?or+ow|2mor+o?w?|2day|2nite|tonite|yday|(?!yesterday)yesterd[ae]y|"
    rf"{_VISITOR_EN}\b.{{0,40}}\b(?:on |this |next )?{_DAY_EN}(?!s)|"
    rf"new (?:\w+ )?(?:job|flat|apartment|school|boss|course|project|role|post|term|semester|"
    rf"tenant)s?\b.{{0,20}}\b(?:on|from) "
    rf"{_DAY_EN}(?!s)|"
    rf"back (?:at|in|from|to|home|on)\b.{{0,25}}\b(?:on |from |by )?{_DAY_EN}(?!s)|"
    rf"(?:out of (?:the )?office|out of town|away|abroad|off work|off sick|grounded|on (?:leave|a diet|antibiotics|"
    rf"crutches|"
    rf"holiday|vacation|call|night shift)) (?:until|till|through|for (?:a few|the next|another|two|three|some)|next|"
    rf"this)\b|"
    rf"still (?:in (?:a cast|hospital|bed|labour|labor)|waiting|recovering|jet-?lagged|hung ?over|on crutches|"
    rf"looking for|"
    rf"not (?:back|here|ready|arrived|well|home))|"
    rf"(?:has not|hasn['’]?t|have not|haven['’]?t|did not|didn['’]?t) \w+.{{0,30}}\b(?:for {_NUMBER_EN} (?:hour|day|"
    rf"night|week)s?|"
    rf"all (?:day|night|week)|since {_DAY_EN})|"
    rf"(?:expect\w*|decision|answer|hear|hears|reply|result\w*|will|arriv\w+|due|ready|be back|"
    rf"back)\b.{{0,30}}\bwithin "
    rf"{_NUMBER_EN} (?:hour|day|week|month)s?|"
    rf"any (?:day|minute|moment|time|hour) now|stuck (?:in (?:traffic|a queue|a lift|an? elevator|a meeting)|"
    rf"at the airport)|"
    rf"(?:is|are|am|staying|stays)\b.{{0,40}}\bfor (?:a few|a couple of|the next|some|two|three|another) (?:hour|day|"
    rf"night|week)s|"
    rf"(?:has|have|having|got|down with|in bed with|ill with) (?:the flu|a (?:bad |slight |terrible )?(?:cold|fever|"
    rf"headache|hangover|"
    rf"temperature|sore throat|stomach ?ache|cough|toothache))|"
    rf"(?:finished|ran|won|lost|sold|bought|passed|failed|arrived|left|moved|signed|broke|fell|got|came|met|saw|"
    rf"called)\b"
    rf"(?!.*\b(?:in|since) (?:19|20)\d\d).{{0,30}}\bon {_DAY_EN}$|"
    rf"{_NOW_EN} (?:looking for|searching for|waiting|on (?:a train|the train|the bus|the way|holiday|vacation|leave|"
    rf"a trip|"
    rf"crutches)|travell?ing|visiting|staying|recovering|sleeping|cooking|eating|driving|packing|house-?hunting|"
    rf"job-?hunting|"
    rf"between jobs|unemployed|out of work)|"
    rf"(?:is|are|was|were|has been|have been) (?:down|late|delayed|cancelled|off|out|closed|blocked)\b.{{0,20}}\bsince "
    rf"(?:this|last|yesterday|{_DAY_EN})|on (?:his|her|my|the|their) way (?:home|to|back)|"
    rf"(?:closed|staying|living|working|travelling) (?:\w+ ){{0,4}}(?:until|till) (?:christmas|easter|new year|"
    rf"the holidays)|"
    rf"(?:a|one|two|three|a few|some) (?:hour|day|night|week|month)s? ago|recently (?:started|began|moved|bought|broke|"
    rf"lost|got)|"
    rf"(?:a few|some|two|several) (?:days|weeks|nights) (?:back|left|to go)|\d+ (?:days|weeks) (?:left|to go)|"
    rf"this time next (?:week|month|year)|as we speak|in the (?:middle of (?:moving|packing|a)|process of (?:moving|"
    rf"buying|selling)))\b",
    re.IGNORECASE,
)
_NUMBER_RU: Final = (
    r"(?:\d{1,3}|пару|несколько|один|одну|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|полтор\w+)"
)
_UNIT_RU: Final = r"(?:час\w*|день|дня|дней|недел\w+|месяц\w*|год|года|лет|полгода)"
_DAY_RU: Final = r"(?:понедельник|вторник|сред[уе]|четверг|пятницу|субботу|воскресенье)"
_OF_DAY_RU: Final = r"(?:понедельника|вторника|среды|четверга|пятницы|субботы|воскресенья)"
_WILL_RU: Final = (
    r"(?:буд(?:ет|ут|у)|при(?:дёт|дет|дут|едет|едут|летит|летят|езжает|езжают|летает|летают|везут|ходит мастер|мет|"
    r"мут)|"
    r"у(?:езжает|летает|едет|летит|езжаю|летаю)|выезжа\w+|вылета\w+|переезжа\w+|выход(?:ит|ят|у) (?:на|из)|начина(?:ет|"
    r"ю) нов\w+|"
    r"сда(?:ёт|ет|ст|м) |защища\w+|опериру\w+|выписыва\w+|встреча(?:ет|ю) |покаж\w+|пойд\w+|поед\w+|получит|узна(?:ет|"
    r"ю)|"
    r"экзамен|собеседование|операция|при[её]м у|свадьба у|гости|суд\b|защита)"
)
_RUSSIAN: Final = LazyPattern(
    r"\b(?:сейчас\s+(?!жив|работ|уч|занима|препода|служ|снима|изуча|пиш|вед|руковод|встреча|использ|"
    r"пользу)\w+(?:[её]т|ит|ут|ют|ится)|"
    rf"только что|завтра|послезавтра|сегодня|вчера|позавчера|на днях|"
    r"(?:следующ|будущ|ближайш|прошл|эт)(?:ей|ем|ую|ий|ие|ом|ой|их|у|от|и|им|ими)\s+"
    r"(?:недел\w+|месяц\w*|году|год|выходны\w+|понедельник|вторник|сред[уы]|четверг|пятниц[уы]|суббот[уы]|"
    r"воскресенье)|"
    rf"(?<!раз )через\s+(?:{_NUMBER_RU}\s+)?{_UNIT_RU}|{_NUMBER_RU}\s+{_UNIT_RU}\s+назад|(?:неделю|месяц|"
    rf"день)\s+назад|"
    r"(?:до|к)\s+(?:понедельника|вторника|среды|четверга|пятницы|субботы|воскресенья|понедельнику|вторнику|среде|"
    r"четвергу|пятнице|субботе|воскресенью)|временно|скоро|в ближайшее время|(?:до|в|к) конц[ае] (?:недели|"
    r"месяца|года)|"
    r"в (?:этот|эту|это|следующий|следующую) \w+|(?:завтрашн|вчерашн)\w+|пока что|в (?:данный|настоящий) момент|"
    r"на данный момент|до завтра|прошлой ночью|этой ночью|со дня на день|вот-вот|"
    r"(?:сейчас|пока|до сих пор)\s.{0,40}?(?:сломан\w*|не работает|закрыт\w*|боле(?:ет|ю)|в отпуске|на больничном|"
    r"в больнице|в отъезде|в командировке|ремонт\w*|отключен\w*|нет (?:воды|света|газа|связи|интернета)))\b|"
    rf"\b(?:сейчас (?:\w+ )?(?:простужен\w*|занят\w*|приболел\w*|в (?:пробке|дороге|пути|очереди|гостях|отъезде|"
    rf"самол[её]те|поезде|"
    rf"роддоме|гипсе)|без (?:работы|света|воды|денег)|на (?:диете|море|даче|совещании|при[её]ме|костылях)|ищ\w+|"
    rf"жд[её]т|ждут|едет|спит|"
    rf"готовит(?:ся)? к|болеет|идет|ид[её]т)|"
    rf"ищет сейчас|(?:только|только-только|едва|недавно) (?:верну|прише|приеха|прилете|просну|встал|въеха|переех|устро|"
    rf"родил|купил|"
    rf"начал)\w*|(?:со )?вчерашнего дня|со вчера\b|"
    rf"(?:с|до|после) (?:прошл|этой|этого|следующ|будущ)\w+ (?:недел|месяц|год|понедельник|вторник|сред|четверг|пятниц|"
    rf"суббот|воскресен)\w*|"
    rf"с {_OF_DAY_RU}(?! (?:по|до)\b)|(?:снова|опять|уже) (?:в|на) \w+ с {_OF_DAY_RU}|"
    rf"(?:нога|рука|палец|плечо|кисть)\b.{{0,15}}\bв гипсе|(?:ещё|еще|пока|всё ещё|до сих пор) (?:в (?:гипсе|больнице|"
    rf"пути|отпуске|отъезде|"
    rf"постели)|боле\w+|не (?:вернул|приш|приех|поправил|готов|ответил|решил)\w*|жд[её]т)|"
    rf"в {_DAY_RU}(?: утром| вечером| дн[её]м| в \d\S*)? .{{0,25}}?\b{_WILL_RU}|"
    rf"{_WILL_RU}\w* .{{0,25}}?\bв {_DAY_RU}(?!, | и )|"
    rf"(?:результат|ответ|решени|анализ)\w*\b.{{0,30}}\b(?:в|к|до|после) (?:{_DAY_RU}|{_OF_DAY_RU})|"
    rf"(?:жд\w+|ответ\w*|обеща\w*|реш\w+|привез\w+)\b.{{0,30}}\b(?:в течение|за|в ближайши\w+) (?:{_NUMBER_RU}|двух|"
    rf"тр[её]х|пары|"
    rf"нескольких) (?:час|дн|недел|месяц)\w*|"
    rf"не работает (?:с|со) (?:утра|ночи|вечера|вчера\w*)|(?:с|со) (?:утра|ночи|вчера) (?:не работает|болит|нет|"
    rf"отключ\w+)|"
    rf"(?:неделю|сутки|вторые сутки|два дня|три дня|весь день|всю ночь|вторую ночь) (?:уже )?не \w+|"
    rf"(?:сидит|лежит|лежу|сижу) .{{0,15}}?с (?:температурой|простудой|гриппом|ангиной|отравлением)|"
    rf"лежит в (?:больнице|роддоме)|"
    rf"пока (?:жив[её]т|живу|сидит|без|у|на|жд\w+)\b|(?:застрял\w*|стоит) в пробке|к (?:вечеру|утру|обеду|"
    rf"ночи)\b.{{0,15}}(?:обещ|буд|при)\w*|"
    rf"(?:обещал\w*|дадут|придут|привезут|позвонят|перезвон\w+|закончит|будет|верн[её]тся)\b.{{0,20}}\bк (?:вечеру|"
    rf"утру|обеду|выходным|праздникам)|"
    rf"пар[уы] (?:дней|часов|недель) (?:назад|спустя)|(?:недавно|на прошлых выходных|на выходных(?! обычно))|"
    rf"через (?:час|минуту|полчаса|неделю|месяц|год|денёк|пару|несколько)\b|на той неделе|на этой неделе|"
    rf"температур\w+ (?:3[789]|сороков?)|гриппует|завтро|седня|сёдня|щас|ща)\b",
    re.IGNORECASE,
)
_DAY_UZ: Final = r"(?:dushanba|seshanba|chorshanba|payshanba|juma|shanba|yakshanba)"
_UNIT_UZ: Final = r"(?:soat|kun|hafta|oy|yil)"
_UZBEK: Final = LazyPattern(
    rf"\b(?:ertaga|ertangi|indin|indinga|bugun|bugungi|kechagi|kecha(?! yurish)|"
    rf"vaqtincha|hozircha|hozirgina|ayni (?:paytda|damda)|tez orada|yaqin orada|(?:shu|bu) kunlar\w*|ertadan keyin|"
    rf"hozir\b.{{0,40}}?\b(?!yasha|ishla|oqi|organ|yoz)\w+yapti|"
    rf"hozir\b.{{0,40}}?\b(?:buzilgan|ishlamayapti|yopiq|yoq|kasal|tatilda|kasalxonada|tamirda)|yaqinda|(?:hafta|oy|"
    rf"(?<!\d[ -])yil) oxiri\w*|(?:bir|ikki|uch|tort|besh|olti|yetti|sakkiz|toqqiz|on|\d{{1,3}}) {_UNIT_UZ}dan"
    rf"(?! beri| buyon| kop| oz| kam| ortiq)|"
    rf"(?:kelasi|keyingi|kelgusi|shu|bu|otgan) "
    rf"(?:{_UNIT_UZ}|{_DAY_UZ})(?:da|ga|dan|ning|gacha)?|{_UNIT_UZ}dan (?:keyin|song)|{_UNIT_UZ} (?:oldin|avval)|"
    rf"yaqin kunlarda|(?<!dan ){_DAY_UZ}gacha)\b|"
    rf"\b(?:hozir\b.{{0,40}}?\b(?:shamolla\w*|band|betob|kasal\w*|yolda|safarda|mehmonda|isitma\w*|tamirda|navbatda|"
    rf"dam olyapti|"
    rf"qidir\w+|kutyapti|kutmoqda|uxlayapti|tirband\w*|ishsiz|gipsda)|"
    rf"kechadan(?: beri| buyon)?|(?:bugun|ertalab|kecha)dan (?:beri|buyon)|{_DAY_UZ}dan\b(?!.{{0,12}}gacha)(?! keyin|"
    rf" song)|"
    rf"(?:hali|hanuz|haligacha|hamon)\b.{{0,25}}\b(?:gipsda|kasal|kasalxonada|kelmadi|kelmagan|kutmoqda|kutyapti|"
    rf"tuzalmadi|tuzalmagan|"
    rf"qaytmadi|qaytmagan|yolda|tayyor emas|javob yoq)|endigina|hozirgina|yaqindagina|boyagina|"
    rf"(?<!har ){_DAY_UZ}(?: kuni)?\b.{{0,40}}\b(?:soat \d|natija\w*|javob\w*|mehmon\w*|yangi|imtihon\w*|operatsiya\w*|"
    rf"suhbat\w*|qabul\w*|"
    rf"uchadi|kochadi|qaytadi|jonaydi|keladi|topshiradi|boshlaydi).{{0,30}}?(?:keladi|chiqadi|boladi|boradi|boshlaydi|"
    rf"uchadi|bor|da|kochadi|"
    rf"qaytadi|jonaydi|topshiradi|aniq boladi)$|"
    rf"(?:bir|ikki|uch|tort|besh|\d{{1,3}}) {_UNIT_UZ} ichida\b.{{0,30}}(?:javob|beradi|keladi|boladi|chiqadi)|"
    rf"ertalabdan (?:beri|buyon)|bir necha (?:kun|hafta|oy|soat)dan|(?:bir necha|bir-ikki|ikki-uch) (?:kun|hafta)|"
    rf"(?:{_UNIT_UZ}) (?:oldin|avval|ilgari)|(?:shu|bu) (?:hafta|oy|yil|kecha|kuz|yoz|qish|bahor)\w*|otgan kuni|"
    rf"yaqinda|"
    rf"(?:kelasi|keyingi|kelgusi) (?:hafta|oy|yil|safar)\w*|isitmasi (?:bor|baland|chiq\w+)|gripp bolib|ertga|ertta)\b"
)
_CHINESE: Final = LazyPattern(
    r"(?:大?后天|明[天早晚]|今[天早晚]|今日|明日|昨[天晚日]|前天|(?:[下上本这這])(?:个|個)?(?:周末?|週|星期|礼拜|"
    r"月)|[明去]年|"
    r"(?:目前|当前|现在|眼下|还在).{0,12}(?:坏|停电|停水|停用|停工|不能用|用不了|无法|生病|感冒|住院|出差|休假|请假|"
    r"装修|维修|关门|缺货)|"
    r"过几天|过两天|(?:[一二两三四五六七八九十\d]+|几)(?:天|周|个星期|个月|小时)(?:以?后|之后|前|以前)(?!端)|"
    r"最近几天|眼下|刚(?:睡|起|到|回|吃|从|下班)|正在(?!学|读|写|做|准备|攒|找|开发|负责)|(?:今天|快递"
    r"|包裹)?[上下]午[到来送]|再过.{1,4}[周天月]|这会儿|此刻|"
    r"(?<![一二三四五六日天])到(?:周|星期|礼拜)[一二三四五六日天]$|正(?:在路上|堵)|暂时|临时|马上|月底前?|周末前"
    r"|这几天|这两天|"
    r"(?<!每)(?<!每个)(?:周|星期)[一二三四五六日天](?:要|得|将|去|有)|[本这]学期|放假前)|"
    r"(?<!每)(?<!每个)(?:周|星期|礼拜)[一二三四五六日天](?:[早晚上下中][上午晚]?)?[\d一二三四五六七八九十]+点.{0,6}来|"
    r"(?<!每)(?<!每个)(?:周|星期|礼拜)[一二三四五六日天].{0,6}(?:来客|上门|到货|手术|出院|出结果|搬家|开学|体检"
    r"|出发|面试|考试|交稿|答辩|报到|入职)|"
    r"还(?:打着石膏|在住院|在发烧|没好|没到|没回来|没消息|躺着|在路上|在等|在修)|"
    r"[一二两三四五六七八九十几\d]+(?:天|周|个星期|个月|小时|日)之?内(?:给|答|出|到|通知|回|会|完成)|"
    r"(?:周|星期|礼拜)[一二三四五六日天]之?前(?:都)?(?:在|不在|要|得|得交|回)|(?:早上|今早|昨晚|昨天|前天"
    r"|上周)(?:就|起|开始)|"
    r"(?:最近|近来|近期)(?:在|正|刚|一直|总)?(?:找|看房|忙|办|准备|搬|失眠|感冒|生病|加班|咳)|前(?:几|两|些)天"
    r"|前阵子|这阵子|"
    r"(?:待|等|过)(?:一)?会儿?|等一下|堵(?:车|在)|在路上|发(?:着)?烧|拉肚子|得了流感|刚刚?(?:搬|买|换|生|出|下"
    r"|开始|毕业|离)|"
    r"再[过等][一二两三四五六七八九十几\d]+(?:天|周|个)|下回|下星期|这星期|今儿|明儿|昨儿|周末(?:要|去|有|会"
    r"|来)(?!.{0,6}[一]般)|"
    r"(?:住|待|出差|旅游)(?:[一二两三四五六七八九十几\d]+)天(?!.{0,3}[一]次)"
)
_PLAN: Final = re.compile(
    r"\b(?:schedul\w*|plan\w*|due|deadline|appointment|must|needs? to|has to|have to|going to|will|booked|by|before|"
    r"expects?|expected|moves?|moving|flies|flying|"
    r"заплан\w+|планир\w+|намеч\w+|ожидается|предполагается|"
    r"должн\w+|должен|нужно|надо|срок|дедлайн|назначен\w*|состоится|предстоит|до|"
    r"rejala\w+|kerak|lozim|muddat\w*|belgilan\w+|gacha|boladi|otkaziladi|tickets?|leaves|departs?|билет\w*|уезжает|"
    r"улетает|вылетает|летит|приезжает|прилетает|переезжает|заброниров\w+|bilet\w*|chipta\w*|jonaydi|uchadi|kochadi|"
    r"ochiladi|boshlanadi)\b|"
    r"\w+(?:gacha)\b|计划|预计|预期|准备|争取|预定|预约|打算|截止|之前|定于|将于|要在|安排在|要去|要交|票|日去"
    r"|飞往|出发|举行|开幕|截至",
    re.IGNORECASE,
)
_APPOINTED: Final = re.compile(
    r"\b(?:[01]?\d|2[0-3])[:.][0-5]\d\b|\b\d{1,2} ?(?:am|pm|oclock|o['’]clock|час\w*)\b|\b(?:в|soat) \d{1,2}\b|"
    r"\b(?:dentist|doctor|appointment|interview|exam|check-?up|hearing|audition|flight|train leaves|meeting with|"
    r"при[её]м|запись (?:к|на)|собеседовани\w+|экзамен\w*|осмотр|заседани\w+|вылет\w*|рейс|встреч\w+ с|"
    r"qabul\w*|suhbat\w*|imtihon\w*|korik\w*|uchrashuv\w*|parvoz\w*|reys\w*)\b|"
    r"(?:看|约)(?:了)?(?:牙医|医生|大夫|房)|面试|考试|体检|复查|开庭|起飞|出发|开会|会议|[上下]午|[晚早]上|\d点"
    r"|[一二三四五六七八九十]点",
    re.IGNORECASE,
)
"""An hour of a day, or something that one goes to once: said with a day, it is a plan."""
_EXAMPLE: Final = re.compile(r"\b(?:like|as|как|вроде|kabi|shaklida|from|since)\b|这样|格式|写成|起", re.IGNORECASE)
"""Words that make a day an example, or the beginning of something that lasts."""
_LATELY: Final = timedelta(400)
"""A day with its year that is over for no longer than this, and of which nothing says that it was, was planned; one
that is older is of a birth or of a beginning."""
_HAPPENED: Final = re.compile(
    r"\b(?:was|were|had|went|did|got|came|took|gave|met|saw|had been|\w{3,}ed|since|from|born|"
    r"(?!йил)\w{2,}(?:л|ла|ло|ли|лся|лась|лось|лись)|с тех пор|родил\w+|"
    r"\w{2,}(?:gan|gandi|ganman|dim|dik)|\w*[^\W\daeiouy]di)\b|[了过]|[曾生]|(?:毕业|成立|创立|结婚|离婚|去世"
    r"|入职)于|以来",
    re.IGNORECASE,
)
"""Past tenses, and other words for something that is over or for the beginning of something that lasts."""
_MONTHS: Final = tuple(
    tuple(each.split("|"))
    for each in (
        "jan|янв|yanv", "feb|фев|fev", "mar|мар|mart", "apr|апр", "may|мая|май", "jun|июн|iyun", "jul|июл|iyul",
        "aug|авг|avg", "sep|сен|sen", "oct|окт|okt", "nov|ноя|noy", "dec|дек|dek",
    )
)  # fmt: skip
_YEAR: Final = re.compile(r"20\d\d")
_ISO: Final = re.compile(
    r"\b(?P<y>20\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b|\b(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>20\d\d)\b"
)
_DAY_MONTH: Final = re.compile(
    r"(?:(?P<y0>20\d\d)[- ]?yil(?:ning)? )?\b(?P<d>\d{1,2})(?:st|nd|rd|th)?[- ](?:of )?(?P<m>[^\W\d_]{3,10})"
    r"(?:,? (?P<y>20\d\d))?|\b(?P<m2>[A-Z][a-z]{2,8}) (?P<d2>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<y2>20\d\d))?\b"
)
_CHINESE_DATE: Final = re.compile(r"(?:(?P<y>20\d\d)年)?(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})[日号]|(?P<end>底|末))")


def outdated_words(text: str, today: date) -> str:
    """Returns the words of a line that hold no more after a while, or not on this day any more; "" if it has none."""
    plain = _TITLE.sub(" ", text)
    latin = _uzbek(plain)
    if _RETURNS.search(plain) or _RETURNS_UZ.search(latin):
        return ""
    if _HELD_BY.search(plain) or _HELD_BY.search(latin):
        return ""
    for pattern in (_ENGLISH, _RUSSIAN, _CHINESE, _THIS_OR_NEXT):
        for match in pattern.finditer(plain):
            if not _is_title(plain, match):
                return match[0]
    found = _UZBEK.search(latin) or _THIS_OR_NEXT_UZ.search(latin)
    if found and not _is_title(latin, found):
        return found[0]
    is_over = any(each.search(said) for each in (_HAPPENED, _EXAMPLE) for said in (plain, latin))
    return _past_plan(plain, today, is_over) or _past_plan(latin, today, is_over)


def _is_title(text: str, match: re.Match[str]) -> bool:
    """Returns whether a day is a name or begins one of several words, such as Tomorrow Never Dies."""
    before, after = text[: match.start()], text[match.end() :]
    if _NAMED.search(before) or _AS_NAME.match(after) or _CAPITAL.match(text, match.start()):
        return True
    return match[0][:1].isupper() and re.match(r"(?: [A-Z][\w'’]+){2}", after) is not None


def _uzbek(text: str) -> str:
    """Returns a text in Latin letters without apostrophes, as the Uzbek words stand: none of another language is one of
    them."""
    return APOSTROPHE.sub("", in_latin(text.lower()))


def _past_plan(text: str, today: date, is_over: bool) -> str:
    days = [(day, words) for day, words in _dates(text, today) if day < today]
    if not _PLAN.search(text):
        if is_over:
            return ""
        if not _APPOINTED.search(text):
            days = [(day, words) for day, words in days if _YEAR.search(words) and day > today - _LATELY]
    return days[0][1] if days else ""


def _dates(text: str, today: date) -> Iterator[tuple[date, str]]:
    """Yields the days of a text with their words; one without a year is of this year."""
    for match in _ISO.finditer(text):
        yield from _day(match, match["y"] or match["y2"], match["m"] or match["m2"], match["d"] or match["d2"])
    for match in _DAY_MONTH.finditer(text):
        name = (match["m"] or match["m2"]).lower()
        month = next((place for place, forms in enumerate(_MONTHS, 1) if name.startswith(forms)), 0)
        year = match["y0"] or match["y"] or match["y2"] or str(today.year)
        yield from _day(match, year, str(month), match["d"] or match["d2"])
    for match in _CHINESE_DATE.finditer(text):
        yield from _day(match, match["y"] or str(today.year), match["m"], match["d"] or "28")


def _day(match: re.Match[str], year: str, month: str, day: str) -> Iterator[tuple[date, str]]:
    try:
        yield date(int(year), int(month), int(day)), match[0]
    except ValueError:
        return

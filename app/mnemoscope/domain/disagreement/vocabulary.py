"""The words by which facts are compared: attributes of which a person has one, states that exclude each other, denials,
scopes, and words that say nothing by themselves.

Each is a regular expression over a folded line: without case and apostrophes, ё as е, Uzbek in Latin letters. The lines
of a table are English, Russian, Uzbek and Chinese.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from mnemoscope.domain.text.characters import HAN_LETTER
from mnemoscope.domain.text.lazy_pattern import LazyPattern


def _any(*patterns: str) -> LazyPattern:
    """Returns a pattern that finds any of these as whole words; Chinese has no word boundaries."""
    found = []
    for pattern in patterns:
        is_chinese = HAN_LETTER.search(pattern) is not None
        found.append(f"(?:{pattern})" if is_chinese else rf"(?<!\w)(?:{pattern})(?!\w)")
    return LazyPattern("|".join(found))


def separate(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLOSED_FOR_GOOD: Final = r"(?<!\dda )(?<!\d da )(?<!:\d\d )(?<! pm )yopil\w+"
"""Uzbek for what closed: what closes at an hour did not."""

ATTRIBUTES: Final = {
    "residence": _any(
        r"lives?|living|live|resid(?:es?|ing)|moved(?= (?:back )?(?:to|in)\b)|relocated|settled in"
        r"|based in|home ?town is|has settled|(?:flat|apartment|house|home) is(?= in\b)",
        r"(?:квартира|дом)(?: у \w+)?(?= в\b)",
        r"жив(?:ет|у|ут|ем)|прожива\w+|переехал\w*|перебра(?:лся|лась|лись)|поселил\w+|обоснова\w+",
        r"yasha(?:ydi|yman|moqda|yapti|b turibdi)|kochib\w*|kochgan|kochdi|istiqomat\w*"
        r"|\Auyi(?= \w+(?:da|ta)\Z)|(?<=[a-z]da )(?<!ijarada )(?<!navbatda )(?<!hisobda )(?<!uyda )turadi",
        r"(?:现在|目前|已经?)?(?:家在|住在|定居在?|搬到了?|搬去了?|搬回了?|搬家到?|居住在?|落户|移居)",
    ),
    "job": _any(
        r"joined|teaches(?= .*\b(?:at|in a)\b)|works?(?= (?:as|at|for|in|with)\b)|working(?= (?:as|at|for)\b)"
        r"|job|employed|employer|occupation|profession"
        r"|(?:is|became|becoming|was made) (?:now )?an? (?:\w+ ){0,2}?(?!m?other|father|brother|sister|daughter|member"
        r"|smoker|drinker|lover|runner|swimmer|player|owner|speaker|number|beginner|sufferer|winner|climber|starter|riser"
        r"|sleeper|reader|eater|believer|follower|supporter|volunteer|twin|minor|senior|junior|vegetarian|christian)"
        r"\w{2,}(?:er|or|ist|ian|wife|smith|man|woman)"
        r"|(?:is|became|becoming|was made) (?:now )?an? (?:\w+ ){0,2}(?:teacher|chef|cook|nurse|engineer|programmer"
        r"|developer|accountant|doctor|driver|lawyer|paralegal|designer|tester|analyst|baker|barista|writer|editor"
        r"|journalist|architect|electrician|plumber|carpenter|mechanic|pilot|translator|librarian"
        r"|dentist|pharmacist"
        r"|vet|scientist|researcher|professor|lecturer|cashier|waiter|waitress|secretary|consultant|photographer"
        r"|musician|farmer|gardener|firefighter|police officer|student|freelancer|manager|bookkeeper|clerk|guide)",
        r"работа(?:ет|ю)|преподает(?= .*\bв\b)|перешел в|перешла в|устроил(?:ся|ась)|трудится|по профессии|профессия"
        r"|должность|место работы|сменила? работу"
        r"|уш(?:ел|ла) (?:из|с) \w+|(?:стала?|теперь) (?:учител\w+|врач\w*|программист\w*|инженер\w*|бухгалтер\w*"
        r"|водител\w+|повар\w*|юрист\w*|дизайнер\w*|тестировщик\w*|медсестр\w+|продав\w+|переводчик\w*"
        r"|менеджер\w*)",
        r"\w+(?:da|dan) dars beradi|\A\w+da \w+(?<!n)chi\Z|(?:endi|hozir) (?:\w+ )?\w+(?<!n)chi"
        r"|ishla(?:ydi|yman|yapti|moqda|y boshladi)|kasbi?|ish joyi|lavozim\w*|ishga (?:kirdi|kirgan|otdi|otgan)"
        r"|ishini (?:almashtir|ozgartir)\w+|(?:endi|hozir) (?:\w+ )?(?:oqituvchi|muhandis|buxgalter"
        r"|shifokor|hamshira"
        r"|dasturchi|haydovchi|sotuvchi|oshpaz|tikuvchi|tarjimon|jurnalist|dizayner|menejer|rahbar|elektrik)",
        r"工作|上班|职业|是一?[名位](?=\w{1,8}(?:师|员|医生|手|家|经理))|任职|就职|跳槽|入职|转行|当(?=护士|老师|医生|厨师|司机|律师|会计|编辑|程序员|工程师|教师|经理|翻译"
        r"|记者|设计师|导游|店长|保安|销售|摄影师)|辞了?职?|开(?:花|书|饭|咖啡|小|网|面包)?店|创业",
    ),
    "location": _any(
        r"is located|is situated|(?:is|are)(?= (?:on|in|at|under|behind) the\b)|moved(?= to\b)"
        r"|(?:is|are) (?:kept|stored|hidden)(?= (?:on|in|at|under|behind)\b)",
        r"находится|располож\w+|переехал\w*|леж(?:ит|ат)|хран(?:ит|ят)ся",
        r"joylashgan|kochdi|saqlanadi|yotibdi",
        r"位于|放在|(?<!住)在(?=[^找看做想用等学])|搬到了?|搬去了?|搬至",
    ),
    "boss": _any(
        r"manager|boss|reports? to|reporting to|supervisor|line manager|team lead|works under",
        r"начальни\w+|руководител\w+|босс\w*|подчиняется|шеф\w*",
        r"boshlig\w*|rahbar\w*|boshliq\w*",
        r"老板|上司|领导|主管|经理|汇报",
    ),
    "mentor": _any(
        r"teacher|tutor|mentor|(?:thesis )?adviso?r|instructor|coach|trainer",
        r"учител\w+|репетитор\w*|наставни\w+|тренер\w*|преподавател\w+|научн\w+ руководител\w+",
        r"ustoz\w*|murabbiy\w*|repetitor\w*|oqituvchisi",
        r"导师|老师|教练|班主任|师傅",
    ),
    "doctor": _any(
        r"doctor|gp|therapist|dentist|physician|psychologist|vet",
        r"врач\w*|терапевт\w*|стоматолог\w*|психолог\w*",
        r"shifokori|doktori|tish doktori|psixologi",
        r"医生|牙医|心理医生",
    ),
    "landlord": _any(
        r"landlord|landlady", r"хозяйк\w+ квартиры|арендодател\w+|хозяин\w* квартиры", r"uy egasi", r"房东"
    ),
    "name": _any(
        r"(?:is |was |are )?(?:named|called)|names? (?:is|are)|goes by|name",
        r"зовут|назвал\w*|имя|кличка|фамилия|называется",
        r"ism\w*|laqab\w*|nomi|familiya\w*",
        r"名字(?:叫|是)?|叫做?|取名|姓|改名",
    ),
    "car": _any(
        r"drives?(?= (?:an? |her |his |the )?[\w ]+)|car is",
        r"(?:ездит|ездила?|катается) на|машина|водит",
        r"hayda(?:ydi|yman|y boshladi)|mashina(?:si|m)|minadi",
        r"开(?:的是|着|一辆)?(?=[\w]*(?:车|特斯拉|丰田|本田|大众|宝马|奔驰|奥迪|比亚迪))|的车是|车子?是",
    ),
    "school": _any(
        r"studies(?= (?:at|in)\b)|is studying|majors? in|goes to school|attends|student at|enrolled",
        r"учится (?:в|на)|студент\w*|поступил\w*",
        r"oqi(?:ydi|moqda|yapti)(?! kitob)|talaba\w*|oqishga kirdi",
        r"读(?=大学|研究生|博士|高中|初中|小学|\w*专业)|上(?=大学|高中|初中|小学)|专业|就读|考入|考上|转到",
    ),
    "favourite": _any(r"favou?rites?", r"любим\w+", r"sevimli\w*|eng (?:yoqtirgan|yaxshi korgan)", r"最喜欢|最爱"),
    "phone": _any(
        r"phone number|(?:mobile|cell)(?: phone)? number|phone|e-?mail(?: address)?",
        r"(?:номер )?телефон\w*|почта|e-?mail",
        r"telefon(?: raqami)?|raqami|pochtasi|elektron pochta",
        r"电话|手机号?|号码|邮箱",
    ),
    "health": _any(
        r"blood type|blood group|shoe size", r"групп\w+ крови|размер обуви", r"qon guruhi|oyoq olchami", r"血型|鞋码"
    ),
    "time_zone": _any(r"time ?zone", r"часов\w+ пояс\w*", r"vaqt mintaqasi\w*|soat mintaqasi\w*", r"时区"),
    "language": _any(r"native language|mother tongue", r"родной язык", r"ona tili", r"母语"),
}
"""Attributes of which a person, or one who is named, has one at a time."""
SEVERAL: Final = frozenset({"name", "favourite", "phone", "doctor", "mentor", "health"})
"""Attributes that are the same only where something else of the line is: the cat's name, the favourite colour."""

KEPT: Final = _any(
    r"keys?|passwords?|passports?|documents?|papers|wallet|glasses|charger|remote|medicines?|pills|certificates?|cards?"
    r"|toolbox|torch|umbrella",
    r"ключ\w*|парол\w+|паспорт\w*|документ\w*|кошел\w+|очки|зарядк\w+|пульт|лекарств\w*|аптечк\w+|карт\w+|зонт\w*",
    r"kalit\w*|parol\w*|pasport\w*|hujjat\w*|hamyon\w*|kozoynak\w*|dori\w*",
    r"钥匙|密码|护照|文件|钱包|眼镜|充电器|遥控器|药|雨伞",
)
"""Things that are kept in one place."""

STATES: Final[dict[str, dict[str, LazyPattern]]] = {
    "marriage": {
        "single": _any(
            r"(?:is |still |currently )?single(?! \w)|unmarried|not married|bachelor",
            r"холост\w*|не (?:замужем|женат\w*)|незамужем|не в браке",
            r"boydoq|turmushga chiqmagan|uylanmagan",
            r"单身|未婚|没结婚|还没结婚",
        ),
        "coupled": _any(
            r"in a relationship|dating|has a (?:boyfriend|girlfriend)|seeing someone",
            r"встречается с|в отношениях|есть (?:парень|девушка)",
            r"sevgilisi bor|uchrashib yur\w+",
            r"谈恋爱|有(?:了)?(?:男|女)朋友|有对象",
        ),
        "engaged": _any(r"engaged(?: to)?", r"помолвлен\w*", r"unashtirilgan", r"订婚了?"),
        "married": _any(
            r"married|wed|has a (?:wife|husband)|got married",
            r"замужем|женат\w*|в браке|вышла замуж|женился|поженились",
            r"uylangan|uylandi|turmushga chiqqan|turmushga chiqdi|oilali|turmush qurgan",
            r"已婚|结了?婚了?|领证了?",
        ),
        "divorced": _any(
            r"divorced|(?:has )?separated(?: from)?|split up|broke up|(?:broke|called|cancelled) (?:off )?"
            r"(?:the|her|his|their) (?:engagement|wedding)",
            r"разве(?:лась|лся|лись|дена|ден)|в разводе|расста\w+|(?:разорвал|расторг)\w* (?:помолвк|брак)\w*",
            r"ajrash\w+",
            r"离了?婚了?|离异|分手了?",
        ),
        "widowed": _any(r"widow(?:ed|er)?", r"вдов\w+|овдове\w+", r"beva\w*", r"丧偶|守寡"),
    },
    "text_language": {
        name: _any(
            rf"(?:in|into) {english}|{english}(?= (?:only|language))",
            rf"на {russian}(?: язык\w*)?",
            rf"{uzbek} tilida",
            rf"(?:用|以|写)(?:成)?(?:简体|繁体)?{chinese}(?:[语文]|语言)",
        )
        for name, english, russian, uzbek, chinese in (
            ("english", "english", "английском", "ingliz", "英"),
            ("russian", "russian", "русском", "rus", "俄"),
            ("chinese", "(?:chinese|mandarin)", "китайском", "xitoy", "(?:中|汉)"),
            ("uzbek", "uzbek", "узбекском", "ozbek", "乌兹别克"),
            ("german", "german", "немецком", "nemis", "德"),
            ("french", "french", "французском", "fransuz", "法"),
            ("spanish", "spanish", "испанском", "ispan", "西班牙"),
            ("turkish", "turkish", "турецком", "turk", "土耳其"),
            ("japanese", "japanese", "японском", "yapon", "日"),
        )
    },
    "format": {
        name: _any(
            rf"(?:as|in|to) (?:an? )?{form}",
            rf"(?:в|как) (?:формате )?{form}",
            rf"{form} (?:formatida|shaklida|qilib)",
            rf"(?:用|以){form}|{form}格式",
        )
        for name, form in (
            ("pdf", "pdf"),
            ("sheet", "(?:excel|xlsx|spreadsheets?)"),
            ("word", "(?:word|docx)"),
            ("markdown", "markdown"),
            ("csv", "csv"),
            ("text", "(?:plain text|txt)"),
        )
    },
    "household": {
        "alone": _any(
            r"lives? (?:alone|by (?:herself|himself))",
            r"жив[её]т од(?:ин|на)",
            r"(?:yolgiz|yakka) (?:ozi )?yasha\w+|bir ozi yasha\w+",
            r"一个人住|独居|独自居住",
        ),
        "together": _any(
            r"lives? with", r"жив[её]т (?:с|со|вместе с)", r"bilan (?:birga )?yasha\w+", r"[和跟与].{1,8}(?:一起|同)?住"
        ),
    },
    "progress": {
        "planned": _any(
            r"(?:is |are |was )?(?:planned|scheduled|upcoming|not started|has not started)",
            r"заплан\w+|предстоит|еще не нача\w+",
            r"rejalashtirilgan|hali boshlanmagan",
            r"计划中|还没开始|尚未开始",
        ),
        "pending": _any(
            r"looking for|searching for|for sale|in progress|under way|underway|ongoing|pending|awaiting"
            r"|waiting for|not finished|unfinished|unpaid|unsigned|unsold"
            r"|is still (?:being )?\w+|still (?:being|waiting|working|open|building|writing|reading"
            r"|negotiating)|is open",
            r"на оформлении|в ремонте|ищет|продается|сдается|идет|идут|в процессе|продолжается|ждет"
            r"|еще не (?:готов\w*|закончен\w*|получ\w+)|на рассмотрении|рассматрива\w+"
            r"|ведутся|делается|открыт\w*|строится",
            r"qidirmoqda|qidiryapti|sotuvda|sotilmoqda|davom (?:etmoqda|etyapti|etadi)|kutilmoqda"
            r"|kutyapti|jarayonda|hali (?:tugamagan|tayyor emas)|korib chiqilmoqda"
            r"|qurilmoqda|ochiq",
            r"在找|想找|在售|待售|还在\w{0,6}|正在|进行中|审批中|等待|待定|尚未|还没\w{0,4}",
        ),
        "confirmed": _any(
            r"booked|confirmed|reserved"
            r"|is on(?! \d| (?:\w+ )*(?:street|road|lane|avenue|square|hill|floor|side|left|right))",
            r"забронирован\w*|подтвержден\w*|куплен\w*|утвержден\w*",
            r"tasdiqla(?:ngan|ndi)|band qilin\w+|bron qilin\w+",
            r"已?(?:订好|预订|确认|确定)了?",
        ),
        "cancelled": _any(
            r"cancell?ed|called off|rejected|refused|declined|postponed|on hold|abandoned|was dropped"
            r"|fell through|frozen",
            r"отмен\w+|отказали|отклон\w+|не состо\w+|отложен\w*|сорвал\w+|заморож\w+|приостанов\w+",
            r"bekor (?:qilin\w+|boldi)|rad etil\w+|qoldiril\w+|toxtatil\w+|toxtadi",
            r"取消了?|被拒了?|拒签|泡汤|推迟了?|延期|搁置|暂停|黄了",
        ),
        "done": _any(
            r"(?:is |was |has been |are )?(?:found|sold|accepted|paid|renewed|settled|finished|done"
            r"|completed?|over|approved|granted|delivered|shipped|released|closed"
            r"|submitted|signed|passed|graduated|ready|resolved|merged"
            r"|launched)|has arrived|came through|paid(?= the\b)",
            r"наш(?:ел|ла|ли)|найден\w*|продан\w*|оплачен\w*|принят\w*|закон\w+|завершен\w*|завершил\w*"
            r"|готов\w*|одобрен\w*|одобрили|получен\w*|получил\w*|сдан\w*|сдала?|закрыт\w*"
            r"|подписан\w*|окончен\w*|окончил\w*|достро\w+",
            r"topdi|topildi|sotildi|tolandi|tolangan|tuga(?:di|gan|tdi|tgan|tildi)|tugallan\w+"
            r"|yakunlan\w+|bitdi|bitgan|bitir\w+|tayyor|olindi|qabul qilindi"
            r"|topshir(?:di|gan|ildi)|" + _CLOSED_FOR_GOOD + r"|qurib bitkaz\w+",
            r"找到了?|卖出|(?<!没)卖掉了|已售|付清|完成了?|结束了?|批(?:下来|准)了?|通过了?|办好了?|做完了?|写完了?|毕业了?|装修好了?|交了|签了|已?到货|上线了?"
            r"|下来了",
        ),
    },
    "condition": {
        "broken": _any(
            r"broken|drips?|cracked|out of order|does not work|doesnt work|leaks?|is down|faulty",
            r"слома\w+|не работает|течет|разбит\w*|неисправ\w+",
            r"buzil\w+|buzuq|ishlamaydi|singan|sindi|oqyapti",
            r"坏了?|故障|漏水|碎了?|不能用",
        ),
        "working": _any(
            r"works (?:again|fine|well|now)|repaired|fixed|replaced",
            r"(?:снова|хорошо|теперь|опять) работает|почин\w+|отремонтирован\w*|исправ(?:лен\w*|ен|но)",
            r"tuzat\w+|yaxshi ishlaydi|yana ishla\w+|almashtirildi|tamirlan\w+|remont qilindi",
            r"修好了?|能用|正常|换了新的",
        ),
    },
    "mode": {
        "dark": _any(r"dark(?= (?:mode|theme))", r"темн\w+(?= \w*тем)", r"qorongi(?= \w+)", r"深色|暗色|夜间模式"),
        "light": _any(r"light(?= (?:mode|theme))", r"светл\w+(?= \w*тем)", r"yorug(?= \w+)", r"浅色|亮色|日间模式"),
    },
    "part_of_day": {
        "morning": _any(
            r"mornings?|in the morning|early bird|early riser",
            r"утр\w+|жаворонок",
            r"ertalab\w*|tong\w*",
            r"早上|上午|清晨|早晨",
        ),
        "afternoon": _any(r"afternoons?", r"днем|после обеда", r"tushdan keyin|kunduzi", r"下午|中午"),
        "evening": _any(
            r"evenings?|nights?|at night|night owl",
            r"вечер\w*|ноч\w+|сова",
            r"kechqurun\w*|kechasi|oqshom\w*",
            r"晚上|夜里|傍晚|晚间",
        ),
    },
    "liking": {
        "liked": _any(
            r"(?:likes|loves|adores|enjoys|is fond of)(?= \w)",
            r"обожает|любит|в восторге от",
            r"(?:juda )?yaxshi koradi|yoqtiradi|sevadi",
            r"(?:特别|很|最)?(?:热爱|喜爱|爱(?=坐|吃|喝|看|听|玩)|喜欢)",
        ),
        "feared": _any(
            r"(?:is )?(?:afraid|scared|terrified|frightened) of|fears|dreads|has a fear of",
            r"бо(?:ится|юсь)|опасается|страшится",
            r"qorqadi|qorqaman|chochiydi",
            r"害怕|恐惧|怕",
        ),
    },
    "tenure": {
        "owned": _any(
            r"(?:owns|bought|has bought) (?:an? |the |her |his )?(?:own )?(?:flat|house|apartment|home)",
            r"(?:сво[яй]|собственн\w+) (?:квартира|дом|жилье)|купил\w* (?:квартиру|дом)",
            r"(?:ozining|shaxsiy) (?:uyi|kvartirasi) bor|(?:uy|kvartira) sotib ol\w+",
            r"自己有房|有自己的房子?|买了房子?",
        ),
        "rented": _any(
            r"(?:rents|is renting|renting) (?:an? |the |her |his )?(?:flat|house|apartment|home|room)|tenant",
            r"(?:снимает|арендует) (?:квартиру|дом|жилье|комнату)|на съемной",
            r"ijarada (?:turadi|yashaydi)|(?:uy|kvartira)\w* ijara\w*",
            r"租房(?:子|住)?|租住|租的房",
        ),
    },
    "address": {
        "formal": _any(r"на вы", r"sizlab|siz deb", r"用您|称呼?您"),
        "familiar": _any(r"на ты", r"senlab|sen deb", r"用你(?!们)"),
    },
    "spelling": {
        "british": _any(r"(?:in )?british (?:english|spelling)"),
        "american": _any(r"(?:in )?(?:american|us) (?:english|spelling)"),
    },
    "hand": {
        "left": _any(
            r"left[- ]?hand(?:ed|er)?",
            r"левша|лев(?:ой|ая) рук\w+",
            r"chapaqay\w*|chap qol\w*",
            r"左撇子|左利手|惯用左手",
        ),
        "right": _any(
            r"right[- ]?hand(?:ed|er)?", r"правша|прав(?:ой|ая) рук\w+", r"ong qol\w*|onaqay", r"右撇子|右利手|惯用右手"
        ),
    },
    "hours": {
        "late": _any(r"night owl|late riser", r"сова", r"kech (?:yotadi|uxlaydi)", r"夜猫子|熬夜党"),
        "early": _any(
            r"early (?:riser|bird)|morning person", r"жаворонок|ранняя пташка", r"erta turadi", r"早起的人|早鸟"
        ),
    },
    "shift": {
        "night": _any(
            r"night ?shifts?|works (?:at )?nights?",
            r"ночн\w+ смен\w+|работает (?:по ночам|ночью)",
            r"tungi smena\w*",
            r"夜班|晚班",
        ),
        "day": _any(
            r"day ?shifts?|works days",
            r"дневн\w+ смен\w+|работает дн[её]м",
            r"kunduzgi smena\w*|kunduzi ishla\w+",
            r"白班|日班",
        ),
    },
    "payment": {
        "cash": _any(r"(?:in )?cash(?: only)?", r"наличны\w+", r"naqd\w*", r"现金"),
        "card": _any(
            r"(?:by|with) (?:credit |debit |bank )?card|contactless",
            r"карт(?:ой|очкой)|безнал\w*",
            r"karta (?:bilan|orqali)",
            r"刷卡|银行卡",
        ),
    },
    "sugar": {
        "sweet": _any(
            r"with sugar|takes sugar|sweetened|\d+ sugars?|(?:with )?\d+ (?:tea)?(?:spoons?|lumps?|cubes?) of sugar",
            r"с сахаром|(?:с )?\d+ (?:ложк\w+|кусочк\w+|кусками?) сахара",
            r"shakar (?:bilan|qoshib|solib)|shakarli|(?:qoshiq )?shakar (?:soladi|qoshadi)",
            r"(?<!不)加糖|(?<!不)放糖|[加放]\d?[勺块]?糖",
        ),
        "plain": _any(
            r"without sugar|no sugar|unsweetened|sugar-?free", r"без сахара", r"shakarsiz\w*", r"不加糖|无糖|不放糖"
        ),
    },
    "smoking": {
        "none": _any(
            r"does ?nt smoke|non-?smoker|never smoked?|(?:quit|stopped|gave up) smoking",
            r"не кур(?:ит|ю)|бросил\w* курить|некурящ\w+",
            r"chekmaydi|chekishni tashla\w+",
            r"不(?:抽|吸)烟|戒了?烟",
        ),
        "some": _any(
            r"smokes|smoker|chain-smok\w+|\w+ cigarettes? a day|packs? (?:of cigarettes )?a day|(?:started|took up)"
            r" smoking",
            r"(?<!не )кур(?:ит|ю)|выкурива\w+|закурил\w*|курящ\w+|сигарет\w* в день",
            r"(?:sigaret\w* )?chekadi|cheka boshla\w+",
            r"(?<![不戒了])(?:抽|吸)烟|[包根支]烟",
        ),
    },
    "alcohol": {
        "none": _any(
            (
                r"(?:doesnt|does not|does nt) drink(?: alcohol)?\Z|teetotal\w*|no alcohol|never drinks(?: alcohol)?\Z"
                r"|(?:doesnt|does not|does nt) drink alcohol"
            ),
            r"не пьет(?: алкоголь| спиртн\w+)?\Z|трезвенни\w+|не употребляет алкогол\w+",
            r"spirtli ichimlik\w* ichmaydi|aroq ichmaydi|spirtli ichimlik istemol qilmaydi",
            r"不喝酒|滴酒不沾|不饮酒",
        ),
        "some": _any(
            r"(?:drinks|has|enjoys) (?:an? |some |red |white |glass of )*(?:wine|beer|whisky|whiskey|vodka|cocktails?)",
            r"пьет (?:красное |белое |немного )?(?:вино|пиво|водку|виски|коньяк)",
            r"(?:vino|pivo|aroq|konyak|viski) ichadi",
            r"喝(?:点)?(?:红酒|白酒|啤酒|葡萄酒|威士忌)",
        ),
    },
    "opening": {
        "open": _any(r"open(?:s)?", r"работает|открыт\w*|открывается", r"ishlaydi|ochiq", r"(?<!不)营业|开门"),
        "shut": _any(r"closed|shut", r"закрыт\w*|не работает", r"yopiq|ishlamaydi", r"不营业|关门|休息"),
    },
    "detail": {
        "short": _any(
            r"short|brief|concise|terse|(?:in )?(?:an?|1) (?:line|sentence|word)|in few words",
            r"кратк\w+|коротк\w+|коротко|одним (?:предложени\w+|слов\w+|фраз\w+)|в двух словах",
            r"qisqa\w*|londa|1 (?:gap|jumla|soz) bilan",
            r"简短|简洁|简明|精简|1句话|三言两语",
        ),
        "long": _any(
            r"detailed|long|thorough|in[- ]depth|in detail",
            r"подробн\w+|развернут\w+|длинн\w+",
            r"batafsil|uzun|toliq",
            r"详细|详尽|长篇|具体",
        ),
    },
    "colour": {
        name: _any(
            rf"(?:is|are|painted) (?:\w+ )?{english}(?= ?(?:\Z|[,.;(]| now\b))",
            rf"{russian}(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ого цвета)(?= ?(?:\Z|[,.;(]))",
            rf"{uzbek}(?: rangda| rangli)?(?= ?(?:\Z|[,.;(]))",
            rf"(?<=是)[深浅]?{chinese}色?的?(?=\Z|[，。,.])",
        )
        for name, english, russian, uzbek, chinese in (
            ("red", "red", "красн", "qizil", "红"),
            ("blue", "blue", "(?:син|голуб)", "kok", "蓝"),
            ("green", "green", "зел[её]н", "yashil", "绿"),
            ("black", "black", "черн", "qora", "黑"),
            ("white", "white", "бел", "oq", "白"),
            ("grey", "gr[ea]y", "сер", "kulrang", "灰"),
            ("yellow", "yellow", "желт", "sariq", "黄"),
            ("brown", "brown", "(?:коричнев|кар)", "jigarrang", "(?:棕|褐)"),
            ("orange", "orange", "оранжев", "toqsariq", "橙"),
            ("purple", "purple", "фиолетов", "binafsharang", "紫"),
            ("pink", "pink", "розов", "pushti", "粉"),
            ("silver", "silver", "серебрист", "kumushrang", "银"),
        )
    },
    "units": {
        "metric": _any(r"metric|celsius|°c", r"метрическ\w+|цельси\w+", r"metrik\w*|selsiy\w*", r"公制|摄氏"),
        "imperial": _any(r"imperial|fahrenheit|°f", r"имперск\w+|фаренгейт\w*", r"farengeyt\w*", r"英制|华氏"),
    },
    "emoji": {
        "none": _any(
            r"without (?:any )?emojis?|no emojis?|emoji-free",
            r"без эмодзи",
            r"e?mojisiz\w*",
            r"不[要用加带](?:用)?表情",
        ),
        "some": _any(r"with (?:some )?emojis?", r"с эмодзи", r"emoji (?:bilan|qoshib)", r"(?<!不)[要用加带]表情"),
    },
    "blood": {
        group: _any(rf"(?:blood (?:type|group)|группа крови|qon guruhi) {group}", rf"血型是?{group}(?![a-z])")
        for group in ("o", "a", "b", "ab")
    },
    "beard": {
        "grown": _any(
            r"has a (?:\w+ )?(?:beard|moustache|mustache)",
            r"(?:носит|есть) (?:бород|усы)\w*",
            r"(?:soqol|moylov)\w* (?:qoygan|bor)",
            r"[留蓄]着?(?:胡子|胡须)",
        ),
        "shaven": _any(
            r"(?:shaved|shaves) (?:off )?(?:his |the )?(?:beard|moustache|mustache)|clean[- ]shaven",
            r"сбрил\w* (?:бород|усы)\w*",
            r"(?:soqol|moylov)\w* (?:oldir|ol)(?:di|gan)",
            r"(?:胡子|胡须)(?:都)?(?:刮|剃)",
        ),
    },
    "way": {
        "bus": _any(
            r"(?:takes|rides|by) (?:the )?(?:bus|train|tram|metro|subway)(?= to work)|to work by (?:bus|train|tram|"
            r"metro|subway)",
            r"на (?:автобусе|метро|трамвае|поезде|маршрутке)",
            r"(?:avtobus|metro|tramvay|poyezd)da boradi",
            r"坐(?:公交|地铁|火车|电车)",
        ),
        "car": _any(
            r"drives to work|to work by car",
            r"на (?:машине|авто\w*)(?! времени)",
            r"(?:mashina|avtomobil)da boradi",
            r"开车",
        ),
        "foot": _any(r"walks to work|to work on foot", r"пешком", r"piyoda boradi", r"走路上班|步行"),
        "bicycle": _any(
            r"(?:cycles|bikes) to work|to work by (?:bike|bicycle)",
            r"на велосипеде",
            r"velosipedda boradi",
            r"骑车|骑自行车",
        ),
    },
    "milk": {
        "white": _any(r"with milk|with cream|latte", r"с молоком|со сливками", r"sut(?:li| bilan)", r"加奶|加牛奶"),
        "black": _any(
            r"black|without milk|no milk", r"черн(?:ый|ым|ого)|без молока", r"sutsiz", r"黑(?:的|咖啡)|不加奶"
        ),
    },
    "diet": {
        "no_meat": _any(
            r"vegetarian|vegan", r"вегетариан\w+|веган\w*", r"vegetarian\w*|vegan\w*", r"素食者?|吃素|纯素"
        ),
        "meat": _any(
            r"eats? (?:meat|fish|chicken|steak) again|eats meat|eats (?:chicken|beef|steak|pork)",
            r"(?<!не )ест (?:мясо|курицу|рыбу)",
            r"gosht yeydi|goshtni yaxshi koradi",
            r"(?<![不没])吃肉",
        ),
    },
    "work_life": {
        "employed": _any(
            r"employed|full[- ]time|head of|works (?:as|at|for)", r"работает", r"ishlaydi", r"上班|在职|工作"
        ),
        "retired": _any(
            r"retired|unemployed|out of work|laid off|jobless|between jobs",
            r"на пенсии|безработ\w+|уволен\w*|вышла? на пенсию",
            r"nafaqa\w*|pensiya\w*|ishsiz\w*",
            r"退休了?|失业了?|待业|被裁",
        ),
    },
}
"""States that exclude each other, by what they are states of."""
STANDALONE: Final = frozenset(
    {"marriage", "diet", "work_life", "household", "tenure", "hand", "hours", "alcohol", "smoking", "beard"}
)
"""States of the person: no other word has to be shared."""

_DENIED: Final = (
    (
        r"not|never|no|none|dont|doesnt|didnt|cant|cannot|isnt|arent|wont|without|hates?|dislikes?|avoids?"
        r"|detests?|loathes?|refuses?|abstains?|against|(?:ruled|rules) out"
    ),
    r"не|нет|никогда|нельзя|без|ненавидит|терпеть|избегает|против",
    (
        r"\w{2,}ma(?:ydi|yman|gan|di|sdan|slik\w*|yapti|y qoldi|y qoygan|ymiz)|emas|yoq|yomon koradi|yoqmaydi|tiyadi"
        r"|nafratlan\w+"
    ),
    r"不|没|无|未|别|讨厌|拒绝|避免|忌",
)
_DENIED_ANYWHERE: Final = _any(*_DENIED)
_DENIED_IN_UZBEK: Final = _any(*_DENIED, r"\w{2,}mas")


def denied(language: str) -> LazyPattern:
    """Returns what denies in a language. An Uzbek verb that denies may end as Christmas and Thomas do, so that ending
    counts in Uzbek alone."""
    return _DENIED_IN_UZBEK if language == "uz" else _DENIED_ANYWHERE


ALLERGY: Final = _any(r"allerg\w+|intoleran\w+", r"аллерг\w+|непереносимость", r"allergiya\w*", r"过敏|不耐受")
"""Words for something that a person cannot have: said of it, it is as if it were denied, and "no allergy" as if it were
not."""
VALID: Final = _any(
    r"valid|expires?|expiry|runs out|good until|due|deadline",
    r"действ\w+|истека\w+|срок\w*|год(?:ен|на)",
    r"tugaydi|muddat\w*|amal qil\w+",
    r"有效期?|到期|截止",
)
"""Words for something that holds until a day, or is due on it: that day may be still to come."""
ALSO: Final = _any(r"also|too|as well|besides|another", r"тоже|также|еще|кроме", r"ham|yana", r"也|还|另外|又")
"""Words for something that comes beside something else, and not in its place."""
RECURS: Final = _any(
    r"visited|has been to|travell?ed to|attended|saw|paid(?! by\b)|spent|ran|walked|swam|cycled|ate|cooked|watched",
    r"был\w* (?:в|на)|бывал\w*|ездил\w* в|посетил\w*|(?:за)?платил\w*|потратил\w*|пробежал\w*|прош[её]л\w*|съел\w*",
    r"borgan|bolgan|korgan|toladi|tolagan|yugurdi|yugurgan|sarfladi|sarflagan",
    r"去过|到过|参加过|付了|花了|跑了|走了|吃了",
)
"""Words for events that may happen in one year and again in another."""
RETURN: Final = _any(
    r"back(?= from)|return(?= (?:flight|train|trip|ticket|journey|leg|bus))|way back|inbound",
    r"обратно|обратн\w+|назад",
    r"qaytish\w*|qaytadigan|orqaga",
    r"返程|回程|返航|返回",
)
"""The way back is another way than the way there."""
OLD_THING: Final = _any(r"old", r"стар\w+", r"eski\w*", r"旧")
NEW_THING: Final = _any(r"new", r"нов(?:ый|ая|ое|ые|ого|ой)", r"yangi\w*", r"新")
"""The old telephone and the new one are two."""
LACKING: Final = _any(r"without", r"без")
"""Words for what there is none of beside something else."""
ENDED: Final = _any(
    r"no longer|not any ?more|any ?more|stopped|quit|gave up|given up|sold|ended|dropped|unsubscribed"
    r"|got rid of|(?<!the )(?<!on )left(?![- ]?hand)"
    r"|(?:was |got |been )?(?:made redundant|laid off|fired(?! (?:to|at|in)\b)|sacked|let go)"
    r"|(?:was|were) (?:a mistake|wrong)"
    r"|(?:turned|turns) out to be (?:a mistake|wrong|false)|misdiagnos\w+|dropped out(?: of)?|expired|cancelled|"
    r"canceled"
    r"|resigned|is gone|died|passed away|lost|deleted|closed down|cut out|kicked"
    r"|traded|gave (?:\w+ ){1,3}away|gave away|given away|returned|threw|moved out|shut down|scrapped|broke down"
    r"|disbanded|put down|fell apart|wrote off|written off|no more|not on speaking terms|fell out|in years"
    r"|finished with|broke up|shaved off|cut (?:\w+ ){1,2}short",
    r"больше не|больше нет|больше никак\w+|перестал\w*|бросил\w*|продал\w*|отказал(?:ся|ась)"
    r"|прекратил\w*|завязал\w*|ушел|ушла|уволил\w*|умер\w*"
    r"|сократил\w*|уволил\w*|не подтвердил\w*|оказал\w* ошибк\w+|вычеркнул\w*|расторг\w*|избавил\w*"
    r"|потерял\w*|закрыл\w*|выбросил\w*|отписал\w*|отчислил\w*"
    r"|отдал\w*|подарил\w*|обменял\w*|вернул\w*|съехал\w*|разбил\w*|не стало|удалил\w*|снес(?:ли|ла)?"
    r"|распал\w+"
    r"|выкинул\w*|списал\w*|ликвидир\w+|отмен\w+|никак(?:их|ого|ой)|хватит|закончил\w*|рассорил\w*|порвал\w*"
    r"|отключил\w*|остриг\w*|забрал\w*",
    r"tashla(?:di|gan|b|b ketdi|b yubor\w+)|bosha(?:di|b)|sotib(?=,)|toxtat(?:di|gan)"
    r"|sot(?:di|gan|ib yubor\w+|vordi)|voz kech\w+|olib ket\w+"
    r"|boshatil\w+|haydal\w+|xato ekan|olgan emas|yoqot\w+|qoydi|chiqib ket\w+|\w+dan ket(?:di|gan|ib)"
    r"|berib yubor\w+|berib qoy\w+|vafot\w*|ol(?:di|gan)(?<=it oldi)|yoqol\w+|"
    + _CLOSED_FOR_GOOD
    + r"|voz kech\w*|hadya qil\w+"
    r"|sovga qil\w+|qaytar(?:di|gan|ib)\w*|tark et\w+|olib qol\w+|oldi?rib\b"
    r"|\w+may qoydi|kerak emas|bekor qil\w+|uzdi|urishib qol\w+|kestir\w+",
    r"裁员|被裁|误诊|退学|辞退|开除|搞错|不再|辞了|辞掉|辞职|离职|戒了?|放弃了?|卖了|卖掉了?|停了|停止了?|退出了?|退订了?|离开了?|去世了?|丢了|不\w{1,6}了|没有?\w{0,4}了"
    r"|退了|剪[成了短]|闹翻|不来往|取消|关掉|拆了|不用\w{0,6}了|送人|送给|扔了|走了|死了|过世|换掉|停用|注销|删了|倒闭|解散|散伙|搬走",
)
CHANGED: Final = _any(
    r"now|these days|nowadays|switched|moved|changed|instead|since(?! (?:\w+day\b|\d))|recently|new|replaced|became"
    r"|from now on|only"
    r"|rather than|went back|migrated|postponed|corrected|correction|actually|pushed|rescheduled|raised|lowered"
    r"|retired|settled|by mistake|mistaken(?:ly)?"
    r"|traded|swapped|upgraded|downgraded|grew|grown|rose|risen|increased|decreased|dropped to|fell to|goes up|went up"
    r"|went down|gone up|gone down|up to|down to|up from|down from|bumped|cut to|shrank|shrunk|doubled|halved|extended"
    r"|brought forward|put back|delayed|shifted|transferred|converted|ported|rewrote|rewritten|renamed|promoted"
    r"|turned into|already|by now|meanwhile|as of|starting|reached|gained|put on",
    r"теперь|сейчас|перешел|перешла|сменил\w*|поменял\w*|перенес\w*|вместо|отныне|только|стал\w*|новы\w+|нова\w+"
    r"|переве\w+|исправ\w+|неверно|по ошибке|на самом деле|переехал\w*|перенос\w+|сдвину\w+|поднял\w*"
    r"|повысил\w*|снизил\w*"
    r"|подорожал\w*|подешевел\w*|перейти|отчислил\w*|уволил\w*"
    r"|вырос\w*|увелич\w+|уменьш\w+|упал\w*|обменял\w*|замен\w+|уже|больше не|продлил\w*|продлен\w*|переименова\w+"
    r"|дорос\w+|довел\w*|недавно|в итоге|похудел\w*|поправил\w*|набрал\w*|прибавил\w*|доб(?:авил|рал)\w*"
    r"|перевел\w*|отложил\w*|отложен\w*|пош(?:ел|ла)(?= (?:в|на)\b)|переписал\w*|пересел\w*|переучил\w*",
    r"endi|hozir\w*|ozgartir\w+|almashtir\w+|otdi|otgan|kochiril\w*|ornida|orniga|faqat|yangi|boldi"
    r"|aslida|xato|adashib|boshqasi yoq|kochdi|kochib|surildi|kotarildi|oshdi|tushdi|tashlab|boshab|sotib(?=,)"
    r"|ozgardi|kopaydi|kamaydi|oshiril\w+|tushiril\w+|otkazdi\w*|otkazil\w+|otib|qoldirildi|uzaytiril\w+|yetdi"
    r"|(?<=ga )(?:chiqdi|kirdi|yetdi)|ekanman|boshladi|yaqinda|allaqachon|koch(?:ir|di)\w*|almashdi\w*|chiqib|ketib",
    r"现在|目前|改(?![卷作])|换|不再|如今|已经|变成|转|(?<![一二两三四五六七八九十几数这那每\d])只|从此|涨到|降到|涨了|降了|续费|搬到|搬去|更正|其实|原来记错"
    r"|误诊|升[到至为级了]|调[到至整成]|延[期到长至]|推迟|提前|增[加至到]|减[到至少]|加到|减到|重写|迁移|更名|最近|后来|终于|刚(?!好|刚)|以后|瘦[到了]|胖[到了]",
)
REPLACED: Final = _any(
    r"switched|instead|rather than|replaced|changed|only|migrated|swapped|traded|transferred"
    r"|moved (?:from|over|the|her|his|our|my|their|it)|rewrote|rewritten"
    r"|ported|converted|upgraded",
    r"переш(?:ел|ла|ли)|уш(?:ел|ла|ли) на|смен\w+|поменял\w*|вместо|только|перевел\w*|замен\w+|обменял\w*|пересел\w*"
    r"|переписал\w*",
    r"almashtir\w+|almash(?:di|ib)\w*|otdi|otgan|otkaz(?:di|il)\w*|orniga|ornida|faqat|ozgartir\w+",
    r"改(?![卷作])|换|(?<![一二两三四五六七八九十几数这那每\d])只|转|取代",
)
"""Words that say that something took the place of something else, even of what one may have several of."""
NOW: Final = _any(
    r"now|these days|nowadays|instead|from now on|only|already|by now|as of|starting|since(?! (?:\w+day\b|\d))|new",
    r"теперь|сейчас|вместо|отныне|только|уже|стал\w*|новы\w+|нова\w+|больше не",
    r"endi|hozir\w*|ornida|orniga|faqat|yangi|boldi|allaqachon",
    r"现在|目前|不再|如今|已经|变成|从此|改|换|只",
)
"""Words that say that something is so now, and was not."""
REPLACING: Final = _any(
    r"replaced|changed|migrated|moved|swapped|traded|rewrote|rewritten|ported|converted|transferred|switched",
    r"смен\w+|поменял\w*|замен\w+|обменял\w*|перевел\w*|перевез\w*|перенес\w*|переписал\w*|переделал\w*",
    r"almashtir\w+|ozgartir\w+|otkaz(?:di|gan|ib)\w*|kochir\w+",
    r"(?:换|改|转|迁移|移)(?:成|为|到|至|用|去|掉|了)",
)
"""Verbs of what somebody puts another thing in the place of."""
PAST: Final = _any(
    r"used to|formerly|previously|in the past|back then|(?:lived|worked|studied|drove|was|were|had|went"
    r"|played|owned|rented"
    r"|spent|taught|served|attended)(?= .*(?:\b(?:19|20)\d\d\b|\bago\b|\bas a child\b|\bchildhood\b"
    r"|\bbefore\b|\buntil\b))"
    r"|as a child|in (?:his|her|my|their) (?:childhood|youth|twenties|teens)|former"
    r"|ex-\w+|ex ?(?:wife|husband|partner|spouse|girlfriend|boyfriend|boss|manager|employer|colleague|flatmate)",
    r"раньше|прежде|когда-то|в прошлом(?! (?:году|месяце))|бывш\w+|в детстве|в юности|в молодости|ранее"
    r"|(?:жила?|работала?|училась|учился|ездила?|играла?|служила?|занимал\w+|была?|снимала?|водила?)"
    r"(?= .*(?:\b(?:19|20)\d\d\b|лет назад))",
    r"avval\w*|ilgari|oldin|bolaligida|yoshligida|(?:19|20)\d\d[ -]?yilgacha"
    r"|(?:19|20)\d\d[ -]?yil\w*(?!.*tugil).*(?:gan|(?<!y)di)",
    r"以前|曾经?|(?<!搬)(?<!转)(?<!换)过去(?!了)|[上读念]的(?:大学|高中|初中|小学|中学|研究生)|从前|小时候|年轻时|当年|(?:19|20)\d\d年?(?:到|至|[-—](?=\s?(?:\d|[今现])))",
)
OVER: Final = _any(
    r"(?:until|till|up to|before) (?:\w+ )?(?:19|20)\d\d|(?:19|20)\d\d ?(?:-|–|—|to|and) ?(?:19|20)\d\d",
    r"(?:до|по) (?:\w+ )?(?:19|20)\d\d|(?:19|20)\d\d ?(?:-|–|—) ?(?:19|20)\d\d",
    r"(?:19|20)\d\d[ -]?yil(?:ga)?gacha|(?:19|20)\d\d ?(?:-|–|—) ?(?:19|20)\d\d",
    r"(?:19|20)\d\d年?(?:到|至|-|—)(?:19|20)\d\d年?|(?:19|20)\d\d年(?:之?前|离职|搬走|卖掉|毕业)",
)
"""Years in which something was over."""

SCOPES: Final = {
    "work": _any(
        r"at work|at the office|in the office|for work|work (?:laptop|computer|phone|machine|pc|account)"
        r"|on weekdays|weekdays"
        r"|company (?:laptop|computer|phone|car)|during the week|on workdays|professionally"
        r"|at the studio|in production",
        r"на работе|по работе|в офисе|рабоч\w+|в будни|по будням|корпоратив\w+|служебн\w+",
        r"ishda|ishxonada|ofisda|ish kunlari\w*|xizmat\w*|ish uchun",
        r"公司|办公室|单位|上班时?|工作日|工作用|工作时|平时",
    ),
    "home": _any(
        r"at home|in the evenings?|for (?:herself|himself|fun|myself)|privately|personal(?:ly)?"
        r"|home (?:laptop|computer|pc)"
        r"|on weekends?|at (?:the )?weekends?|weekends|on holiday|on vacation|in private|off work"
        r"|after work|on sundays?"
        r"|on saturdays?|when travell?ing|on trips|in development|locally",
        r"дома|для себя|в личных|личн\w+|по выходным|в выходные|домашн\w+|в отпуске|на даче|в поездках"
        r"|в командировк\w+",
        r"uyda|shaxsiy|dam olish kun\w*|yakshanba\w*|shanba kun\w*|tatilda|safarda|bogda|dala hovlida",
        r"家里|在家|周末|私人|个人|休息日|假期|度假|旅行时|出差|自己用",
    ),
    "family": _any(
        r"(?:with|to) (?:\w+ )?(?:family|parents|mother|father|kids|children|wife|husband|friends)",
        r"с (?:семьей|родителями|мамой|папой|детьми|женой|мужем|друзьями|родными)",
        r"oila\w* bilan|ota-?ona\w* bilan|dost\w* bilan|bolalari bilan",
        r"跟(?:家人|父母|孩子|朋友|妈妈|爸爸)|和(?:家人|父母|孩子|朋友|妈妈|爸爸)|对家人",
    ),
    "clients": _any(
        r"(?:with|to) (?:\w+ )?(?:clients?|customers?|colleagues|the team|coworkers)",
        r"с (?:клиентами|заказчиками|коллегами|командой|начальством)",
        r"mijoz\w* bilan|hamkasb\w* bilan|jamoa bilan",
        r"跟(?:客户|同事|老板)|和(?:客户|同事|老板)|对客户",
    ),
    "morning": _any(
        r"in the mornings?|for breakfast|mornings|before noon",
        r"утром|по утрам|на завтрак",
        r"ertalab\w*|nonushtada",
        r"早上|早餐|上午",
    ),
    "evening": _any(
        r"at night|in the evenings?|for dinner|evenings|after dinner|before bed",
        r"вечером|по вечерам|на ужин|на ночь",
        r"kechqurun\w*|kechki ovqat\w*",
        r"晚上|晚餐|睡前",
    ),
    "winter": _any(r"in (?:the )?winter|winters", r"зимой", r"qishda", r"冬天"),
    "summer": _any(r"in (?:the )?summer|summers", r"летом", r"yozda", r"夏天"),
}

SEASONS: Final = frozenset({"winter", "summer"})
PARTS_OF_DAY: Final = frozenset({"morning", "evening"})
"""Of the scopes those that also say when something happened or begins."""

KIN: Final = {
    "brother": _any(
        r"(?:younger |older |little |big )?brother\w*", r"брат\w*", r"aka(?:si\w*)?|uka(?:si\w*)?", r"哥哥?|弟弟?"
    ),
    "sister": _any(
        r"(?:younger |older |little |big )?sister\w*", r"сестр\w+", r"opa(?:si\w*)?|singli\w*|singlisi", r"姐姐?|妹妹?"
    ),
    "mother": _any(
        r"mother\w*|mum\w*|mom\w*",
        r"мам\w+|мать|матери",
        r"ona(?:si\w*|m\w*)?(?! tili)|oyi(?:si\w*|m\w*)",
        r"妈妈?|母亲",
    ),
    "father": _any(r"father\w*|dad\w*", r"пап\w+|отец|отца|отцу", r"ota(?:si\w*|m\w*)?|dada\w*", r"爸爸?|父亲"),
    "son": _any(r"son|sons", r"сын\w*", r"ogli\w*|oglim", r"儿子"),
    "daughter": _any(r"daughters?", r"дочк\w+|дочь|дочери", r"qizi(?![lq])\w*|qizim\w*", r"女儿"),
    "wife": _any(r"wife\w*", r"жен(?:а|ы|е|у)", r"xotini\w*|rafiqasi\w*", r"妻子|老婆"),
    "husband": _any(r"husband\w*", r"муж(?:а|у|ем)?", r"eri(?:ning)?", r"丈夫|老公"),
    "partner": _any(
        r"girlfriend\w*|boyfriend\w*|partner\w*|fiancee?",
        r"девушк\w+|парень|невест\w+|жених\w*",
        r"qalligi\w*",
        r"女朋友|男朋友|女友|男友|对象",
    ),
    "uncle": _any(
        r"uncle\w*|aunt\w*",
        r"дяд\w+|тет\w+",
        r"amaki\w*|amma\w*|xola\w*|togasi\w*|toga\w*",
        r"叔叔?|舅舅?|阿姨|姑姑?|姨妈?",
    ),
    "grandmother": _any(r"grandmother\w*|grandma\w*|granny", r"бабушк\w+", r"buvi\w*", r"奶奶|外婆|姥姥"),
    "grandfather": _any(r"grandfather\w*|grandpa\w*", r"дедушк\w+|дед\w*", r"bobo\w*|buva\w*", r"爷爷|外公|姥爷"),
    "friend": _any(r"friend\w*", r"друг\w*|подруг\w+", r"dosti\w*|dugona\w*|ortogi\w*", r"朋友|闺蜜"),
    "colleague": _any(
        r"colleague\w*|coworker\w*|neighbou?r\w*|roommate\w*|flatmate\w*",
        r"коллег\w+|сосед\w*",
        r"hamkasbi\w*|qoshni\w*|hamxona\w*",
        r"同事|邻居|室友",
    ),
    "cousin": _any(
        r"cousin\w*|nephew\w*|niece\w*",
        r"племян\w+|кузен\w*|кузин\w+",
        r"jiyan\w*|amakivachcha\w*",
        r"表[哥弟姐妹]|堂[哥弟姐妹]|侄\w",
    ),
    "rabbit": _any(
        r"rabbit|hamster|parrot|guinea pig|turtle|tortoise|budgie|ferret|goldfish",
        r"кролик\w*|хомяк\w*|попуга\w+|черепах\w+|морск\w+ свинк\w+",
        r"quyon\w*|totiqush\w*|toshbaqa\w*|xomyak\w*",
        r"兔子?|仓鼠|鹦鹉|乌龟|金鱼",
    ),
    "cat": _any(r"cats?|kitten", r"кот\w{0,2}|кошк\w+|котенок\w*", r"mushu(?:k|g)\w*", r"猫"),
    "dog": _any(r"dogs?|puppy", r"собак\w+|пес|пс(?:а|у|ом|е)|щен\w+", r"it(?:i(?:ning)?|lar)?|kuchuk\w*", r"狗"),
}
"""Words that name the owner of a fact, where it is not the person's own."""

SIBLINGS: Final = (
    _any(
        r"siblings?|brothers? (?:or|and) sisters?",
        r"брат\w* и сест\w+",
        r"uka-singil\w*|aka-uka\w*|opa-singil\w*|aka-singil\w*",
        r"兄弟姐妹|兄弟姊妹",
    ),
    ("brother", "sister"),
)
ONLY_CHILD: Final = _any(
    r"(?:is|am|was) an only child",
    r"единственный реб[её]нок в семье",
    r"oilada(?:gi)? (?:yolgiz|yagona) farzand",
    r"独生[子女]",
)
"""Words for somebody who has no siblings."""
NO_CAR: Final = _any(
    r"(?:has|have|owns?|is|got) no car|(?:doesnt|dont|does not|do not) (?:own|have) an? car|without an? car|carless",
    r"нет машины|машины нет|машины (?:\w+ )?нет|без машины",
    r"mashinasi yoq|mashinasiz",
    r"没有?(?:汽)?车(?!位|库|票)",
)
OWNS: Final = _any(
    r"owns?|drives?|has|have|bought|car is|car:",
    r"ездит на|водит|купил\w*|есть|машина",
    r"haydaydi|minadi|bor|mashinasi|sotib oldi",
    r"开|有|买了|车是",
)
"""Words for whose car it is that a fact names."""
KINDS_OF_KIN: Final = (
    (
        _any(r"child(?:ren)?|kids?", r"дет(?:и|ей)|реб[её]н\w+", r"farzand\w*|bola(?:lar\w*|si)?", r"孩子|子女"),
        ("son", "daughter"),
    ),
    SIBLINGS,
    (
        _any(r"pets?|animals", r"(?:домашних )?(?:животных|питомц\w+)", r"(?:uy )?hayvon\w*", r"宠物"),
        ("cat", "dog", "rabbit"),
    ),
)
"""Words for kinds of relatives, and who is of them: who has a daughter has children."""
ONE_OF_SEVERAL: Final = _any(
    r"\A(?:has|have|owns?|there is) (?:an?|another|one)",
    r"\A(?:у н\w+ )?(?:есть|имеется)",
    r"bor\Z",
    r"\A(?:他|她)?有[个一]",
)
"""Words with which a fact begins, or ends in Uzbek, if it names one of perhaps several things."""

COMPARED: Final = _any(
    r"(?:more|rather|better) than|over|to(?= \w+\Z)",
    r"больше,? чем|чем|вместо|лучше|предпочитает",
    r"\w+dan kora|\w+dan kop\w*|\w+dan yaxshi\w*",
    r"比|胜过|多于|而不是",
)
"""Words that put one thing before another: the same words the other way round disagree."""

GIVEN_UP: Final = _any(
    r"(?:from|instead of|rather than) [\w.]+(?= to\b)?",
    r"вместо \w+|с \w+(?= (?:\w+ )?на\b)",
    r"\w+ (?:orniga|ornida)|\w+dan(?= \w+(?:ga|ka|qa) (?:otdi|otgan|otib|koch\w+|almash\w+))",
    r"而不是\w+|从[\w.]{1,12}?(?=换|转|改|迁)",
)
"""Words that name something in whose place another came."""
MANY: Final = _any(
    r"likes?|loves?|enjoys?|stud(?:y|ies|ying)|speaks?|knows?|plays?|reads?|watches?|visited|has visited|learns?|"
    r"learning"
    r"|eating|drinking|reading|playing|writing|speaking|watching"
    r"|cooks?|also|too"
    r"|collects?|listens?|interested|uses|writes?|eats?|drinks?|bought|wants?|is a fan|fond",
    r"любит|нравится|говорит|знает|играет|читает|смотрит|учит|готовит|тоже|также|собирает|слушает"
    r"|увлекается|пишет|ест|пьет"
    r"|интересуется|бывал\w*|купил\w*|хочет|умеет",
    r"yaxshi koradi|yoqtiradi|biladi|oynaydi|oqiydi|tomosha qiladi|organmoqda|organyapti|pishiradi|ham"
    r"|yigadi|tinglaydi|istemol"
    r"|qiziqadi|yozadi|yeydi|ichadi|gapiradi|gaplashadi|qatnaydi|shugullanadi|ishlatadi|pishirishni|oldi|ostiradi",
    r"喜欢|爱|会说|会弹|懂|看|读|听|玩|学|做饭|也|还|收集|感兴趣|用|写|吃|喝|去过|想",
)
"""Verbs of which a person has several objects: who speaks Portuguese may speak Danish."""

_BLOOD: Final = r"(blood (?:type|group)|группа крови|qon guruhi)(?: is)?:?(?: [—-])?"
SAME: Final = tuple(
    (LazyPattern(pattern), same)
    for pattern, same in (
        # As a person asks that it is kept.
        (
            (
                r"\A(?:please,? )?(?:remember|note|keep in mind|запомни(?:те)?|учти(?:те)?|eslab qol(?:ing)?|请?记住)"
                r"(?:(?: that\b|, что\b)|[:：,，]|(?<=记住))?\s*"
            ),
            "",
        ),
        (r"\bborn (?:on )?(?=\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))", "birthday "),
        (r"\b(?:she|he|it)s(?= (?:now |an? ))", "is"),
        (r"\bim(?= (?:now |an? ))", "is"),
        *(
            (rf"{_BLOOD} (?:{number}(?!\d)(?:-е|-?i?nchi|th|rd|nd)?|{russian}\w+|{uzbek}nchi)", rf"\1 {group}")
            for number, russian, uzbek, group in (
                ("[01]", "перв", "biri", "o"),
                ("2", "втор", "ikki", "a"),
                ("3", "трет", "uchi", "b"),
                ("4", "четв", "torti", "ab"),
            )
        ),
        (rf"{_BLOOD} (?=[oab])", r"\1 "),
        (r"\bhas an only (?=child|son|daughter)", "has a "),
        (r"\bvs code\b", "vs_code"),
        (
            (
                r"\b(?:flat white|latte|cappuccino|espresso|americano|macchiato)s?\b"
                r"|\b(?:латте|капучино|эспрессо|американо)\b|拿铁|美式(?!英)|卡布奇诺"
            ),
            r"\g<0> coffee",
        ),
        (r"\b(?:departs|takes off|sets off|departure(?: time)?)\b", "leaves"),
        (r"\b(?:awakes|rises|is up)(?= at\b)", "wakes up"),
        (r"\bis (\d+(?:[.,]\d+)? ?(?:cm|m)\b) tall", r"height is \1"),
        (
            r"\b(?:is|turned|turns) (\d{1,3})(?: years old)?(?=[,.;](?!\d)| (?:in|on|last|this|now|already)\b|\Z)",
            r"is \1 years old",
        ),
        (r"(?<=\d )(?:лет|год)\b", "года"),
        (r"\bисполнилось (\d+)(?: год\w*| лет)?", r"\1 года"),
        (r"\byoshi (\d+) ?da\b|\b(\d+) yoshga (?:toldi|kirdi)", r"\1\2 yoshda"),
        (r"\bродил(?:ся|ась)(?= \d)", "день рождения"),
        (r"\bпросыпа\w+|\bподнимается(?= в \d)", "встает"),
        (r"\bвылет(?:ает)?\b", "рейс"),
        (r"\bпо-(\w+)ски\b", r"\1ский"),
        (r"\A(жена|муж|мама|папа|сын|дочь|брат|сестра|собака|кошка|кот|пес) ([\w-]+)\Z", r"\1 зовут \2"),
        (r"\A(xotini|eri|onasi|otasi|ogli|qizi|akasi|ukasi|opasi|singlisi|iti|mushugi) ([\w-]+)\Z", r"\1ning ismi \2"),
        (r"\b(\w+) deb (?:ataladi|chaqiriladi)\Z", r"ismi \1"),
        (
            r"\b(fransuz|nemis|ingliz|rus|ozbek|turk|xitoy|ispan|yapon|koreys|arab|portugal|italyan)cha(?:ni|da)?\b",
            r"\1 tili",
        ),
        (r"\buygonadi\b", "turadi"),
        (r"\byotadi\b", "uxlaydi"),
        (r"\bgets? up\b", "wakes up"),
        (r"\b(?:mum|mom|mama)(s?)\b", r"mother\1"),
        (r"\b(?:dad|papa)(s?)\b", r"father\1"),
        (r"\b(?:flats?|apartments?)\b", "flat"),
        (r"\bopen (?=until |till )", "closes "),
        (r"\bработает (?=до \d)", "закрывается "),
        (r"\bпес\b", "собака"),
        (r"\bпс(а|у)\b", r"собак\1"),
        (r"\bdadasi(?=ning\b|ga\b|\b)", "otasi"),
        (r"\boyisi(?=ning\b|ga\b|\b)", "onasi"),
        (r"\b(?:kids?|children)\b", "children"),
        (r"\bfarzandi\b", "bolasi"),
        (r"\bfarzand(?=lar|\b)", "bola"),
        (r"小孩|子女", "孩子"),
        (r"家里的?(?=养|有|\d|[一二两三四五六七八九十猫狗])", ""),
        (r"养了?(?=\d|[一二两三四五六七八九十])", "有"),
        (r"的名字(?:是|叫)", "叫"),
        (r"\b(?:answers?|replies|reply|responses?|explanations?)\b", "answers"),
        (r"\b(?:объяснени|пояснени)\w+", "ответы"),
        (r"\b(?:tushuntirish|izoh)\w*", "javob"),
        (r"解释|回复|答复|说明", "回答"),
        (r"\b(?:rewrote|rewritten|ported) (the \w+|\w+) (?:in|to)\b", r"\1 now written in"),
        (r"\bпереписал[аи]? (\w+) на\b", r"\1 теперь написан на"),
        (r"\b(?:earns|is paid|makes)(?= [£$€]?\d)", "salary"),
        (r"\b(?:получает|зарабатывает|оклад)(?= \d)", "зарплата"),
        (r"\b(?:maosh\w*|oylig[ai]\w*|ish haqi)\b", "maosh"),
        (r"月薪|薪水|薪资", "工资"),
        (r"\bза рулем\b", "водит машину"),
        (r"\b(\w+)(?:ni|ga) (\w+) deb (?:atashadi|ataydi|chaqirishadi|chaqiradi|(?:nom|ism) qo\w+)", r"\1ning ismi \2"),
        (r"\blaqabi\b", "ismi"),
        (r"\b(\w+)a boshla(?:di|gan)\b", r"\1adi endi"),
        (r"\b(\w+)y boshla(?:di|gan)\b", r"\1ydi endi"),
        (r"老婆|太太|爱人", "妻子"),
        (r"老公|先生(?=叫)", "丈夫"),
        (r"母亲", "妈妈"),
        (r"父亲", "爸爸"),
        (r"名叫|叫做", "叫"),
        (r"日出生", "日生日"),
        (r"起飞|出发(?=\Z)", "起飞"),
        (r"醒来?(?=\Z)", "起床"),
    )
)
"""Words of a folded line under those with which they are compared: who was born on a day has the birthday then."""

EMPTY: Final = separate("""
    altogether completely entirely totally совсем вовсе полностью umuman butunlay batamom mutlaqo
    da ga dan ni ning nchi inchi
    a about after again aka also always am ammo an and any are as asks at avval be been begin begins being bilan
    boladi boladigan boldi bolib bor boshlanadi bu but by can cost costs could currently days did do does domla
    istaydi xohlaydi
    dona each edi ekan end endi ends eng esa every faqat for foydalanuvchi from get gets go goes got had
    ham haqi har has have having he her here hers him his hozir hozirgi i if in instead into is it its juda just
    keep keeps keyin koradi kun kuni lekin like likes love loves made make me men meni mening mostly my nafar
    narxi new nima now nowadays of off often on only onto opa or osha otdi otkaziladi our out own oy oyiga oz
    ozi paid part pay pays per person prefer prefers qiladi qildi really s she shu since so soat some start
    starts still such t ta take takes than that the their them then there these they this those time to today
    tolaydi too took turadi u uchun uning until use user users uses using usually va very want wants was we went
    were what when where which while who will with would yangi yaxshi yer yerda yilda yoki yoqtiradi yoqtirmaydi
    you your а будет бы был была были быть в во всегда вы для до его ее есть еще же за и из или их к каждую
    каждый как ли любит люблю меня мне мои мой моя мы на начинается начинают но нравится о об обычно он она они
    от платит по под пользователь пользователя при про просит раз с свое свой своя себя сейчас со стоит также там
    теперь тоже только тут ты у уже хочет часто что это я него нее них ней ним ними нему семье семья
""")
"""Words that say nothing by themselves where two facts are compared."""
HAPPENED: Final = _any(
    r"(?:drew|had|took|saw|came|attended)(?= (?:about |some )?\d)|(?:came|attended|turned up)\Z",
    r"(?:было|пришло|собралось|приехало)(?= (?:около )?\d)",
    r"\d+ (?:kishi|nafar) (?:keldi|bordi|qatnashdi)",
    r"来了\d+",
)
"""Words for the number of people at an event of the past: a new date is for another event."""
ORDERED: Final = _any(
    r"ordered|collected|picked up|printed",
    r"заказал\w*|забрал\w*",
    r"buyurtma (?:qildi|berdi|qilgan|bergan)|olib ketdi",
    r"订了|订购了|预订了|取了",
)
"""Words for a deed of one day, which may be done again with other numbers."""
DENYING: Final = separate("no not nev long mor нет не никогд больш 不 没")
"""Stems of words that deny, and say nothing else."""
_DIMENSIONS: Final = tuple(
    LazyPattern(rf"\A(?:{units})\Z")
    for units in (
        (
            r"s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|сек\w*|мин\w*|час\w*"
            r"|д(?:ень|ня|ней)|недел\w*|месяц\w*|год\w*|лет|soat|daqiqa|kun|hafta|oy|yil"
        ),
        r"°?[cfс]|°|degrees?|градус\w*|daraja",
        r"[kcm]?m|miles?|feet|foot|inch(?:es)?|к?м|см|мм|metr|kilometr",
        r"[km]?g|grams?|kilos?|lbs?|oz|к?г|кило\w*|грамм\w*|kilo|gramm",
        r"m?l|lit(?:re|er)s?|pints?|м?л|литр\w*|litr",
    )
)
"""Units of time, heat, length, weight and volume."""


@cache
def dimension(unit: str) -> str:
    """Returns of which dimension a unit is, as a number of it; nothing where it is no unit of measure."""
    return next((str(place) for place, units in enumerate(_DIMENSIONS) if units.search(unit)), "") if unit else ""


PERIODS: Final = separate("month week year day hour месяц недел год день час yil hafta рубл pound euro dollar som")
"""Stems of that in which and for which an amount is paid: what is 50 a month and what is 700 may be two things."""
EMPTY_CHARACTERS: Final = frozenset(
    "完全点辆的了在是有我他她它们这那个和与也都就还已经现在目前每很把被给到去来要会能可以从向对为之着过吗呢吧啊一不没无未再只里边上下中时候住用户人家"
)
_THINGS: Final = {
    "car": r"""
        toyota|тойот\w+|丰田 honda|хонд\w+|本田 kia|киа hyundai|хендай|хундай|现代汽车 bmw|бмв|宝马 audi|ауди|奥迪
        mercedes|мерседес\w*|奔驰 tesla|тесл\w+|特斯拉 volvo|вольво|沃尔沃 skoda|шкод\w+|斯柯达 ford|форд\w*|福特
        mazda|мазд\w+|马自达 volkswagen|vw|golf|фольксваген\w*|大众 lada|лад[ауые]|весту?|гранту? renault|рено|雷诺
        nissan|ниссан\w*|日产 peugeot|пежо byd|比亚迪 haval|хавал\w*|哈弗 geely|джили|吉利 chery|чери|奇瑞
        nexia|нексия cobalt|kobalt|кобальт spark damas|дамас matiz|матиз gentra|jentra malibu subaru|субару
        fiat|фиат\w* dacia|logan porsche|порше|保时捷 lexus|лексус\w*""",
    "phone": r"""
        android|андроид\w*|安卓|samsung|самсунг\w*|三星|pixel|xiaomi|小米|oppo iphone|айфон\w*|苹果手机""",
    "system": r"windows|винд\w+ macos|mac|macbook|мак(?:бук\w*|е)? linux|ubuntu|debian|fedora|линукс\w*",
    "code": r"""
        python|питон\w* golang|(?<=in\s)go|(?<=на\s)go|go(?=\sti)|(?<=[用写成])go rust java kotlin swift ruby php
        javascript|js typescript|ts c\+\+|cpp c#|csharp scala
        elixir perl""",
    "framework": "react vue angular svelte django flask fastapi rails laravel spring",
    "database": r"postgres\w* mysql mariadb sqlite mongo\w* oracle redis",
    "editor": r"n?vim|neovim emacs vscode|vs_code sublime pycharm|intellij zed",
    "host": "aws azure gcp hetzner heroku vercel digitalocean",
    "tracker": "jira linear trello asana notion github gitlab youtrack",
    "browser": "chrome firefox safari edge brave",
    "messenger": r"""
        slack teams discord telegram|телеграм\w*|电报 whatsapp|ватсап\w* signal viber|вайбер\w*
        wechat|微信 飞书 钉钉""",
}
"""Kinds of things of which one takes the place of another: a person drives one car, and a program is written in one
language. Names of one thing stand together, with the endings of languages that have some."""
_ENDINGS: Final = "(?:ni|ning|ga|da|dan|si|ни|нинг|га|да|дан|си)?"


_NAMED_THINGS: Final = tuple((kind, names) for kind, members in _THINGS.items() for names in members.split())
# Chinese writes names in Latin letters without spaces around them.
_ANY_THING: Final = LazyPattern(
    rf"(?<![a-zа-я\d])(?:{'|'.join(f'({names})' for _, names in _NAMED_THINGS)}){_ENDINGS}(?![a-zа-я\d])"
)


def things_in(folded: str) -> dict[str, frozenset[str]]:
    """Returns what a folded text names of each kind, by kind: of one thing whatever name it goes by."""
    found: dict[str, frozenset[str]] = {}
    for match in _ANY_THING.finditer(folded):
        kind, names = _NAMED_THINGS[(match.lastindex or 1) - 1]
        found[kind] = found.get(kind, frozenset()) | {names}
    return found

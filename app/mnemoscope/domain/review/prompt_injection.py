"""Poisoned text tries to leave lines behind that tell a model what to do; here they are found, in the languages people
write in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from mnemoscope.domain.text.confusables import plain_readings


def _patterns(table: str) -> tuple[re.Pattern[str], ...]:
    """Returns one pattern for each line, or for several if one ends with `|`; a blank within a line stands for
    itself."""
    lines = re.sub(r"\|\n\s*", "|", table.strip()).splitlines()
    return tuple(re.compile(line.strip(), re.IGNORECASE) for line in lines)


_ORDERS: Final = _patterns(r"""
    \b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,80}\b(?:instruction|rule|prompt|polic|guideline|direction)
    \b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,80}\b(?:warning|command|restriction|message)
    \b(?:system|developer) prompt\b|\byou are now\b|\bnew (?:instructions?|rules?)\s*:
    \brm -rf\b
    \bdo not (?:tell|inform|warn|reveal to|mention (?:this|it) to|ask) the (?:user|person|owner)\b
    \bwithout (?:asking|telling|confirmation from|informing)(?: the)? (?:user|person|owner|them|him|her)?\b
    \b(?:always|never|must|before|after|whenever|each time|every time|from now on)\b.{0,60}\b(?:curl|wget|bash)\b
    \b(?:always|never|must|before|after|whenever|each time|every time|from now on)\b.{0,60}\b(?:sudo|eval|nc|ssh)\b
    \b(?:always|must|whenever|each time|every time|from now on)\b.{0,60}\b(?:exfiltrate|upload|download|fetch)\b
    \b(?:always|must|whenever|each time|every time|from now on)\b.{0,60}\b(?:execute|run the command|powershell)\b
    \b(?:the |this |any )?(?:assistant|agent|model|ai|bot|you|mnemoscope) (?:must|should|shall|may|can|will)\b
    \b(?:the |this |any )?(?:assistant|agent|model|ai|bot|you|mnemoscope) (?:has to|have to|is to|are to)\b
    (?:\||;|&&|`|\$\()\s*(?:curl|wget|bash|sh|nc|rm|cat|eval|base64|python3?|perl|ssh|scp|sudo|powershell)\b|\bcurl\s+(?:-\w+\s+)*https?:
    <\|[^|]*\|>|\[/?INST\]|</?(?:system|user|assistant|tool)
    ^\W*(?:system|assistant|developer|user|tool|important|ai|admin|instructions?)\b[^\w:]{0,3}:
    ^\W*[\[<({]\s*(?:system|assistant|developer|tool|admin|instructions?)\s*[\])}>]
    ^\W*note to (?:ai|assistant|self|model)\b
    \b(?:as an ai|when (?:you|the (?:assistant|model|agent)) (?:read|see|answer|repl|find|process))
    (?:игнориру|забудь|не обраща\w+ внимани|отмени|пренебрег|ігноруй)\w*.{0,60}(?:[иі]нструкц|правил|указан|запрет)
    (?:ассистент|помощник|модель|агент|бот)\w*\s+(?:должен|должна|обязан|всегда|никогда|может)
    ты (?:теперь|должен|обязан)|системн\w+ (?:промпт|сообщени|инструкц)
    не (?:говори|сообщай|показывай|спрашивай)\w* (?:пользовател|человек|об этом|у)
    (?:忽略|无视|無視|忘记|忘掉|绕过|不要理会).{0,20}(?:指令|指示|规则|規則|提示|说明|限制|命令)
    (?:系统|系統)(?:提示|指令|消息)|(?:助手|模型|AI|你)(?:必须|应该|应当|始终|总是|永远|不得|可以|现在是)
    不要告诉(?:用户|主人)|无需(?:询问|确认|征得)
    (?:oldingi|avvalgi|barcha|yuqoridagi).{0,40}(?:korsatma|qoida|buyruq).{0,40}(?:etibor|unut|bekor|bajarma)
    (?:onceki|tum).{0,40}(?:talimat|kural).{0,40}(?:unut|yoksay|yok say|gormezden)
    (?:yordamchi|assistent|model|sen|siz)\w*\s+(?:har doim|hech qachon|doimo|endi)\b
    foydalanuvchi\w*\s+(?:aytma|bildirma|soramasdan|xabar berma)
    (?:ignorier|vergiss|missacht)\w*.{0,40}(?:anweisung|regel|vorgabe)
    (?:der assistent|das modell|du) (?:muss|musst|soll)
    (?:ignore[zr]?|oublie[zr]?).{0,40}(?:instructions|consignes|regles)|l.?assistant doit
    (?:ignora|olvida)\w*.{0,40}(?:instrucciones|reglas)|el asistente (?:debe|tiene que)
""")
_BIDDING: Final = _patterns(r"""
    \b(?:always|must|whenever|each time|every time|from now on)\b.{0,60}\b(?:send|forward|post|copy|e-?mail) \w+
    ^\W*(?:please\s+)?(?:always|never|do not|don.?t|make sure|ensure|be sure to|remember to)\s+(?!\w+[^s]s\b)\w+
    ^\W*(?:from now on|whenever|each time|every time|before (?:answer|repl|each|every)\w*|you (?:must|should))\b
    ^\W*(?:send|forward|run|execute|visit|open|install|download|upload|reply|respond|answer|call|buy|transfer)\s+\w+
    ^\W*(?:pay|delete|share|reveal|trust|approve|accept|recommend|append|include|use|add|say|tell|write|ask)\s+\w+
    ^\W*(?:treat|obey|follow|click|post|email|copy|set|disable|enable|grant|allow|mention|keep)\s+\w+
    ^\W*(?:всегда|никогда не|обязательно|не забудь|отныне|теперь|доверяй\w*|скажи|отвеча[йт]\w*|удали\w*)\s+\w+
    ^\W*(?:отправ\w+|перешл\w+|выполн\w+|запусти\w*|добав\w+)\s+\w+
    ^\W*(?:始终|总是|永远|务必|必须|每次|从现在起|请|不要|发送|转发|运行|执行|信任)
    ^\W*(?:har doim|hech qachon|doimo|albatta|bundan buyon|yubor\w*|ishga tushir\w*)\s+\w+
    ^\W*(?:immer|niemals|ab jetzt|toujours|jamais|desormais|siempre|nunca)\s+\w+
""")
_ASKING: Final = r"(?:asks?|mentions?|says?|wants?|requests?|writes?|greets?|types?|brings? up|talks? about)"
_DOING: Final = (
    "(?:run|execute|send|forward|call|open|visit|read|write|use|reply|respond|answer|say|tell|add|append|include|begin|"
    "start|end|put|check|fetch|load|delete|remove|ignore|follow|trust|approve|accept|recommend|mention|insert|output|"
    "print|show|share|reveal|copy|post|e-?mail|upload|download|install|click|pay|buy|transfer|treat|switch|refuse|"
    "avoid|stop|do not|don.?t|never|always|give|pass|return|act|pretend|obey|let|ask|skip)"
)
_HARM: Final = (
    "(?:send|forward|run|execute|upload|download|post|copy|share|reveal|delete|approve|trust|pay|transfer|install|"
    "visit|open|fetch|ignore|skip|obey|e-?mail)"
)
_RULES: Final = rf"""
    ^\W*(?:when|if|whenever|once|unless|as soon as|any time|each time|every time)\b.{{0,100}}[,:;]\s*(?:then |
        please )?{_DOING}\b
    ^\W*(?:when|if|whenever|once) (?:you are |youre )?(?:asked|prompted|greeted|queried|requested)\b
    ^\W*(?:when|if|whenever|once) (?:the |a |any )?(?:user|person|owner|somebody|someone|anyone|
        anybody)\b.{{0,20}} {_ASKING}\b
    ^\W*(?:on|upon) (?:greeting|request|startup|seeing|reading|receiving|each|every|any|
        first)\b.{{0,60}},\s*{_DOING}\b
    \b(?:each|every|all|any|your) (?:\w+ )?(?:answers?|reply|replies|responses?|outputs?)\b
    ^\W*(?:the |your )?(?:answers?|reply|replies|responses?|outputs?)\b.{{0,60}}\b(?:should|must|shall|(?:have|
        has|need|ought|are|is|go|goes) to|contain)\b
    ^\W*(?:answers|replies|responses)(?: only)? (?:in|with|as)\b
    ^\W*(?:rules?|polic(?:y|ies)|directives?|guidelines?|protocol|mandatory|standing orders?)\s*\d*\s*[:：—–-]\s*\S
    ^\W*[\w ]{{1,30}}[:：—–]\s*(?:always|never|do not|dont|make sure|ensure|answer|reply|respond|send|forward|
        execute|delete|trust|approve|obey|say|tell|ignore|append)\s+\w+
    ^\W*(?:fetch|speak|obey|refuse|pretend|disregard|prepend|insert|consult|notify|ignore|forget|begin)\s+\w+
    ^\W*(?:start|end|finish|close|prefix|preface|sign|check|load|show|print|output|return|pass|switch|remove|
        give|hand)\s+(?:the|all|any|every|each|this|that|these|those|your|his|her|their|my|out|over|up|with|off)\b
    ^\W*(?:check|read|load|consult|look at|look up|search)\s+\S*\w[./]\w
    ^\W*(?:read|check)\s.{{0,60}}\b(?:first|before|each|every)\b
    ^\W*(?:read|show|give|hand)\s+(?:\w+ )?(?:the|all|his|her|their|every|my|your) (?:files?|notes?|e-?mails?|
        mail|messages?|pages?|documents?|keys?|passwords?)\b
    ^\W*let\s+\w+(?: \w+)? (?:read|see|run|use|access|write|edit|delete|have|do|know|open|into|in|send|change|
        approve)\b
    ^\W*avoid (?:the (?:words?|phrase|topic|name)|mentioning|using|saying|answering|asking|telling|replying|
        naming)\b
    ^\W*(?:stop|quit) (?:using|asking|writing|answering|replying|saying|mentioning|telling|checking|warning)\b
    ^\W*put\s.{{0,60}}\b(?:each|every|all|any|your)\b
    \b(?:wants?|asks?|asked|expects?|requires?)\b.{{0,40}}\b(?:sent|forwarded|copied|uploaded|posted|e-?mailed|
        deleted|approved|executed)\b
    \b(?:wants?|likes?|prefers?|asks?|asked|expects?|requires?|instructs?|told|allows?|allowed|
        permits?|permitted|lets?) (?:you|the (?:assistant|agent|model|bot|ai)|
        mnemoscope) (?:to )?(?:always |never )?{_HARM}\b
    \b(?:confirmations?|approvals?|permissions?|consent)\b.{{0,30}}\b(?:not|no longer|never|un)\s?(?:needed|required|
        necessary)\b
    \bno (?:need|reason) (?:to (?:ask|confirm|warn|check|approve|verify)|for (?:confirmations?|approvals?))\b
    \bpre-?approved\b|\b(?:skip|skips|skipping|waives?|without|no) (?:all |any )?(?:confirmations?|approvals?|asking)\b
    \byour (?:only |main |real |new )?(?:task|job|goal|role|mission|purpose|duty) (?:is|are)\b|^\W*act as\b
    \b(?:assistant|agent|model|bot|ai|mnemoscope) (?:always |never )?{_HARM}e?s\b
    \b(?:in|to|at the (?:end|start|beginning) of) (?:each|every|all|any) (?:\w+ )?(?:messages?|e-?mails?|mails?|
        summary|summaries|conversations?|chats?)\b
    \b(?:must|should|shall|needs? to|has to|have to) (?:always |never )?(?:be )?{_HARM}(?:ed|d|n)?\b
    \b(?:must|should|shall|needs? to|has to|have to) (?:always |never )?be (?:included|quoted|mentioned|shown|told)\b
    ^\W*it is (?:required|mandatory|necessary|essential|imperative)\b|^\W*(?:highest|top|maximum) priority\W*:
    \b(?:quot|send|forward|includ|shar|reveal|post|upload|collect)(?:e|es|ed|s|ing)? (?:\w+ )?(?:keys?|passwords?|
        secrets?|tokens?|credentials?)\b
    \b(?:assistant|agent|model|bot|ai|mnemoscope) (?:is|are) (?:expected|supposed|required|instructed|asked|free) to\b
    \b(?:instructions?|rules?|prompts?|guidelines?)\b.{{0,40}}\b(?:(?:no longer|not|dont) (?:apply|valid|hold|
        count)|take precedence)\b
    ^\W*(?:auto ?approve|consider|regard|assume|turn (?:off|on)|switch (?:off|on)|hands?)\s+\w+
    \bcommands?\b.{{0,30}}\b(?:unattended|unasked|automatically|silently)\b|\bcounts? as .{{0,30}}\bown words\b
    (?:инструкц|правил|указани)\w*\b.{{0,40}}\bне деиству|^\W*(?:считаи|одобря|подтверждаи|разрешаи|отключ)\w*\s
    (?:指令|规则|提示|说明).{{0,10}}(?:不再|无效|作废)|自动(?:批准|确认|执行|同意|转发)
    (?:korsatma|qoida|buyruq)\w*\b.{{0,40}}\b(?:amal qilma|bekor)|\b(?:tasdiqla|ruxsat ber)(?:ng|ing|gin)?\W*$
    (?:anweisung|regel|vorgabe)\w*\b.{{0,40}}\b(?:gelten nicht|gilt nicht|ungultig)
    \b(?:consignes?|instructions?|regles?)\b.{{0,40}}\bne .{{0,10}}(?:val|appliqu|compt)
    ^\W*(?:approuve|accepte|envoie|execute|transfere|oublie|ajoute|supprime|ecris|reponds|dis)[sz]? (?:les?|la|toute?s?|
        tous|ton|tes|ta|une?|des|chaque|a)\b
    (?:подтвержден|разрешени|согласи)\w*\b.{{0,40}}\bне (?:требу|нуж)|\bбез (?:спрос|подтвержд|разрешени|ведома)
    (?:ассистент|помощник|модель|агент|бот)\w*\s+(?:пересыл|отправл|выполн|запуск|удал|копиру|передае|открыва|скрыва)
    \b(?:в|к) кажд\w+ (?:сообщени|письм|разговор|чат)|\bтво[яие] (?:задач|цел|рол|мисси)
    (?:нужно|надо|следует|необходимо) (?:\w+ )?(?:пересыл|пересла|отправ|выполн|запус|удал|копиро|сообщ|раскры)
    (?:不需要|不需|无需|不用|不必|免)(?:再)?(?:确认|询问|批准|同意|许可|授权)|你的(?:任务|目标|工作|职责|角色)
    (?:助手|模型|机器人|代理)(?:会|将|要|把|需要|负责)|在?每(?:封|条|次|个|一封|一条)(?:邮件|信|消息|对话)
    \b(?:tasdiqsiz|ruxsatsiz|soramasdan|soramay)\b|\b(?:sening|sizning) vazifang|\bvazifangiz\b
    \bhar bir (?:xat|xabar|suhbat)|\b(?:jonat|yubor|korsat|yoz|bajar|ishga tushir|ochir|qosh)(?:ing|gin|inglar)?\W*$
    \b(?:ohne|keiner?|keinen?) (?:ruckfrage|bestatigung|nachfrage|zustimmung|erlaubnis)|\bdeine (?:aufgabe|rolle) ist\b
    \bin jede[rmn]? (?:nachricht|mail|e-mail|unterhaltung|gesprach)\b|^\W*bitte\s
    \balle[ns]?\b.{{0,60}}\b(?:weiterleiten|weitergeben|senden|schicken|loschen|ausfuhren|bestatigen|genehmigen)\W*$
    \b(?:sans|aucune?) (?:confirmation|demander|autorisation|validation|accord)\b
    \b(?:ta|votre) (?:tache|mission|role) est\b
    \b(?:dans|a) chaque (?:message|mail|e-mail|courriel|conversation)\b|\b(?:tu dois|vous devez)\b
    ^\W*ne (?:demande|dis|previens|avertis|parle|montre|revele|refuse|mentionne)[rsz]?\b
    ^\W*(?:transferer|envoyer|executer|supprimer|repondre|lancer|partager|installer|telecharger|approuver|
        divulguer)\s+\w+
    ^\W*(?:если|когда|при|как только|на вопрос)\b.{{0,100}},\s*(?:то\s+)?(?:запусти|запускай|выполни|отправь|
        отправляй|перешли|пересылай|ответь|отвечай|скажи|говори|начни|начинай|добавь|добавляй|прочти|прочитай|
        читай|удали|открой|используй|напиши|пиши|покажи|передай|проверь|не)\w*
    ^\W*(?:начинай|начни|заканчивай|используй|пиши|напиши|читай|прочти|прочитай|проверь|проверяй|открой|
        открывай|передай|передавай|разреши|пусть|покажи|показывай|избегай)\w*\s+\w+
    (?:кажд(?:ый|ом|ого|ому|ым)|все|всех|любо\w+|твои|ваши) (?:\w+ )?ответ
    ^\W*ответ\w*\s.{{0,40}}(?:должн|следует|нужно|надо)
    ^\W*(?:правил[оа]|политика|указани[ея]|приказ|распоряжение)\s*\d*\s*[:—–-]\s*\S
    ^\W*(?:当|當|如果|若|只要|一旦|凡是|每当).{{0,40}}(?:时|時|的话|，|,|就).{{0,8}}(?:运行|执行|发送|转发|回复|回答|说|打开|读取|删除|使用|调用|告诉|加上|添加|
        访问)
    (?:所有|每个|每次|每条|每一个|全部)的?(?:回答|回复|答案|答复)
    ^\W*(?:规则|規則|规定|准则)\s*\d*\s*[:：]
    ^\W*(?:让|允许).{{1,10}}(?:读取|访问|查看|执行|运行|看|读)
    ^\W*(?:回复|回答|读取|访问|调用|上传|删除|(?:用|以).{{1,6}}(?:回答|回复))
    ^\W*(?:agar|qachon)\b.{{0,120}}\b(?:yubor|tushir|javob ber|ayt|oqi|och|ochir|qosh|boshla|bajar)(?:ing|gin|
        inglar)?\W*$
    \b(?:har bir|barcha|hamma) javob|\bjavob (?:ber|yoz|qaytar)(?:ing|gin)?\W*$
    ^\W*(?:qoida|buyruq|korsatma|kural)\s*\d*\s*[:—–-]\s*\S
    \b(?:her|tum|butun) (?:cevap|cevab|yan[ıi]t)|\b(?:soruldugunda|sorulursa|sorarsa|bahsederse)\b
    ^\W*(?:wenn|falls|sobald|bei)\b.{{0,100}},\s*(?:dann\s+)?(?:antworte|sende|schicke?|leite|fuhre?|starte|
        offne|sage?|schreibe?|nutze|verwende|beginne?|lies|losche|gib|rufe?|frage?|fuge)\b
    ^\W*(?:antworte|sende|schicke?|leite|fuhre|starte|offne|sage?|schreibe?|verwende|beginne?|lies|losche|gib|
        lasse?|rufe|fuge|prufe|uberprufe)\s+\w+
    \b(?:jede[rmns]?|alle[nr]?|deine[nr]?) (?:\w+ )?antwort|^\W*antworten\b.{{0,40}}\b(?:sollen|mussen|sind)\b
    ^\W*(?:regel|vorschrift|richtlinie|regle|consigne|regla|norma)\s*\d*\s*[:—–-]\s*\S
    ^\W*(?:si|quand|lorsqu\w*|des que)\b.{{0,100}},\s*(?:alors\s+)?(?:envoie|envoyez|reponds|repondez|
        execute[zr]?|lance[zr]?|dis|dites|transfere[zr]?|commence[zr]?|ajoute[zr]?|supprime[zr]?|ecris|ecrivez)\b
    ^\W*(?:reponds|repondez|envoyez|executez|lancez|dites|transferez|ouvrez|commencez|lisez|utilisez|ajoutez|
        supprimez|ecrivez|laissez|verifiez)\s+\w+
    \b(?:chaque|toutes? (?:les|tes|vos)|tes|vos) reponse|^\W*les reponses\b.{{0,40}}\b(?:doivent|sont)\b
    ^\W*(?:si|cuando|al)\b.{{0,100}},\s*(?:entonces )?(?:envia|reenvia|responde|ejecuta|di|dile|anade|empieza)\b
    ^\W*(?:responded|respondan?|conteste|envie|reenvie|ejecute|haz|dile|deja que)\s+\w+
    \b(?:cada|todas? las?|tus) respuesta|^\W*las respuestas\b.{{0,40}}\b(?:deben|tienen|son|seran)\b
"""
"""Rules for what a model does later, said as a condition, as what all answers are like, or to nobody by name."""


def is_prompt_injection(words: str) -> bool:
    """Returns whether a line gives a model orders that nobody would note down as a fact."""
    return _reads_like(words, _ORDERS)


def is_imperative(words: str) -> bool:
    """Returns whether a line bids somebody do something; it is a note only if the person said it themselves."""
    return _reads_like(words, (*_BIDDING, *_rules()))


@cache
def _rules() -> tuple[re.Pattern[str], ...]:
    """Returns the compiled rules, which are made when a model first proposes a line."""
    return _patterns(_RULES)


def _reads_like(words: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    texts = plain_readings(words)
    return any(pattern.search(text) for pattern in patterns for text in texts)

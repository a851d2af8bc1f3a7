"""Lines that tell a model what to do, in the languages people write in: what poisoned text tries to leave behind."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LOOKALIKES: Final = str.maketrans("аеорсухіјѕԁһӏвкмнтАЕОРСУХІЈЅВКМНТ", "aeopcyxijsdhlbkmhtAEOPCYXIJSBKMHT")


def _patterns(table: str) -> tuple[re.Pattern[str], ...]:
    """One pattern a line; a blank within one stands for itself."""
    return tuple(re.compile(line.strip(), re.IGNORECASE) for line in table.strip().splitlines())


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
    \b(?:always|must|whenever|each time|every time|from now on)\b.{0,60}\b(?:send|forward|post|copy|e-?mail) \w+
    \b(?:the |this |any )?(?:assistant|agent|model|ai|bot|you|mnemoscope) (?:must|should|shall|may|can|will)\b
    \b(?:the |this |any )?(?:assistant|agent|model|ai|bot|you|mnemoscope) (?:has to|have to|is to|are to)\b
    (?:\||;|&&|`|\$\()\s*(?:curl|wget|bash|sh|nc|rm)\b|\bcurl\s+(?:-\w+\s+)*https?:
    <\|[^|]*\|>|\[/?INST\]|</?(?:system|user|assistant|tool)
    ^\W*(?:system|assistant|developer|user|tool|important|ai|admin|instructions?)\b[^\w:]{0,3}:
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


def gives_orders(words: str) -> bool:
    """Whether a line gives a model orders that nobody would note down as a fact."""
    plain = folded(words)
    return any(pattern.search(plain) or pattern.search(words) for pattern in _ORDERS)


def is_order(words: str) -> bool:
    """Whether a line bids somebody do something: a note only where the person said it themselves."""
    plain = folded(words)
    return any(pattern.search(plain) or pattern.search(words) for pattern in _BIDDING)


def folded(text: str) -> str:
    """As it looks to a reader: no emphasis, nothing invisible, no accents, letters that look Latin as Latin ones where
    the word has both."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in plain if not unicodedata.combining(char) and unicodedata.category(char) != "Cf")
    plain = unicodedata.normalize("NFC", re.sub(r"[*_`~'’‘ʻʼ]+", "", plain)).casefold()
    return re.sub(r"\w+", _unmixed, plain)


def _unmixed(found: re.Match[str]) -> str:
    word = found[0]
    is_mixed = any("a" <= char <= "z" for char in word) and any("\u0400" <= char <= "\u052f" for char in word)
    return word.translate(_LOOKALIKES) if is_mixed else word

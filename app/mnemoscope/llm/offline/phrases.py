"""The built-in model puts these sentences around the words it found, in English, Russian and Chinese.

It answers in the language it was asked in, as far as the letters tell: in Chinese or Russian where these make up most
of the message, else in English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.text.characters import HAN_LETTER, KANA_LETTER

_CYRILLIC: Final = re.compile(r"[а-яё]+", re.IGNORECASE)
_LATIN: Final = re.compile(r"[a-zà-öø-ž]+", re.IGNORECASE)
_OTHER_CYRILLIC: Final = re.compile(r"[ўқғҳіїєґәөүұһңѓќљњџђћ]", re.IGNORECASE)
"""Letters of languages that are written in Cyrillic and are not Russian."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Holds the sentences of one language; what stands in braces is filled in."""

    label: str
    choose_model: str
    greeting: str
    welcome: str
    help: str
    no_keyword: str
    not_remembered: str
    in_memory: str
    in_conversation: str
    noted: str
    said: str
    later: str
    later_all: str
    known_already: str
    looks_secret: str
    how_to_keep: str
    nothing_found: str
    knows_only_this: str
    one_place: str
    more_places: str
    nothing_about: str
    empty_memory: str
    whole_memory: str
    nothing_said: str
    first_words: str
    left_out: str
    left_out_all: str
    you: str
    assistant: str
    person_label: str
    assistant_label: str
    this_conversation: str
    a_conversation: str
    listing: str
    """Puts words one behind the other."""
    between: str
    """Stands between two sentences."""
    full_stop: str


ENGLISH: Final = Phrases(
    label="Built-in, no language model",
    choose_model="For answers in its own words, choose a language model with “Choose model…”.",
    greeting="Hello. Ask me about anything that was said or noted before, and I will look it up and quote it.",
    welcome="You are welcome.",
    help=(
        "I am the model that is built in: no language model, no network. I can\n\n"
        "- **look things up** in the memory, the history and this conversation, and quote them with their source: "
        "*When is the deadline?*\n"
        "- **notice what you tell me** in plain words, to be kept in memory: *Remember that …*, "
        "*My name is …*, *I prefer …*, *We decided …*\n"
        "- **say what is remembered**: *What do you remember?*\n"
        "- **go over this conversation**: *Summarise this conversation*\n"
        "- **show files** of the workspace: *List files*, *Show notes/plan.md*\n"
        "- **consolidate** older messages: I tell what was stated and asked about in the history.\n\n"
        "I cannot reason, write or translate."
    ),
    no_keyword="I look things up and quote them; that holds no word to look for. Type *help* for more.",
    not_remembered="Nothing of this conversation is remembered.",
    in_memory="MEMORY.md has this:",
    in_conversation="Remembered for this conversation:",
    noted="Noted in this conversation:",
    said="You said:",
    later="It is not in MEMORY.md yet: it goes there when memory is next updated.",
    later_all="They are not in MEMORY.md yet: they go there when memory is next updated.",
    known_already="MEMORY.md holds that already.",
    looks_secret="That looks like a key or a password. I keep none of those, and nothing is looked up for it.",
    how_to_keep="I can find it here again. To have it kept in MEMORY.md, say it with *Remember that* in front.",
    nothing_found="I looked for {words} in the memory, the history and this conversation and found nothing.",
    knows_only_this="I know only what is written there.",
    one_place="One place mentions {words}:",
    more_places="{count} places mention {words}:",
    nothing_about="I found nothing about {words}.",
    empty_memory="MEMORY.md holds nothing yet. Tell me something to keep, such as *My name is …* or *Remember that …*.",
    whole_memory="This is what MEMORY.md holds:",
    nothing_said="Nothing has been said in this conversation yet.",
    first_words="The first words of each message, oldest first:",
    left_out="{count} earlier message is left out.",
    left_out_all="{count} earlier messages are left out.",
    you="you",
    assistant="the assistant",
    person_label="You",
    assistant_label="Assistant",
    this_conversation="this conversation",
    a_conversation="a conversation",
    listing=", ",
    between=" ",
    full_stop=".",
)

RUSSIAN: Final = Phrases(
    label="Встроенная, не языковая модель",
    choose_model="Чтобы ответы были своими словами, выберите языковую модель: «Choose model…».",
    greeting="Здравствуйте. Спросите о том, что было сказано или записано раньше: я найду это и приведу дословно.",
    welcome="Пожалуйста.",
    help=(
        "Я встроенная модель: не языковая и без сети. Я могу\n\n"
        "- **находить** в памяти, в истории и в этом разговоре и приводить дословно с источником: *Когда срок сдачи?*\n"
        "- **замечать, что вы говорите** прямо, чтобы это осталось в памяти: *Запомни, что …*, *Меня зовут …*\n"
        "- **сказать, что в памяти**: *Что ты помнишь?*\n"
        "- **пройти по разговору**: *Подведи итог*\n"
        "- **показывать файлы** рабочей папки: *List files*, *Show notes/plan.md*\n"
        "- **сводить** старые сообщения: что было сказано и о чём спрашивали, остаётся в истории.\n\n"
        "Рассуждать, сочинять и переводить я не умею."
    ),
    no_keyword="Я ищу и привожу найденное; здесь нет слова, по которому искать. Больше скажет слово *помощь*.",
    not_remembered="Из этого разговора ничего не запоминается.",
    in_memory="В MEMORY.md есть:",
    in_conversation="Запомнено для этого разговора:",
    noted="Отмечено в этом разговоре:",
    said="Вы сказали:",
    later="В MEMORY.md этого ещё нет: запишется при следующем обновлении памяти.",
    later_all="В MEMORY.md этого ещё нет: запишется при следующем обновлении памяти.",
    known_already="В MEMORY.md это уже есть.",
    looks_secret="Похоже на ключ или пароль. Такого я не храню и по нему ничего не ищу.",
    how_to_keep="Здесь я это найду. Чтобы осталось в MEMORY.md, начните со слов *Запомни, что*.",
    nothing_found="Искал {words} в памяти, в истории и в этом разговоре и ничего не нашёл.",
    knows_only_this="Я знаю только то, что там записано.",
    one_place="Упоминается в одном месте: {words}.",
    more_places="Упоминаний: {count}. Искал {words}.",
    nothing_about="Ничего не нашёл по словам {words}.",
    empty_memory="В MEMORY.md пока ничего нет. Скажите, что запомнить: *Меня зовут …* или *Запомни, что …*.",
    whole_memory="Вот что есть в MEMORY.md:",
    nothing_said="В этом разговоре ещё ничего не сказано.",
    first_words="Первые слова каждого сообщения, от старых к новым:",
    left_out="Пропущено более ранних сообщений: {count}.",
    left_out_all="Пропущено более ранних сообщений: {count}.",
    you="вы",
    assistant="ассистент",
    person_label="Вы",
    assistant_label="Ассистент",
    this_conversation="этот разговор",
    a_conversation="разговор",
    listing=", ",
    between=" ",
    full_stop=".",
)

CHINESE: Final = Phrases(
    label="内置，不使用语言模型",
    choose_model="若要用自己的话作答，请用“选择模型…”选择一个语言模型。",
    greeting="你好。可以问我以前说过或记下的任何内容，我会查找并原样引用。",
    welcome="不客气。",
    help=(
        "我是内置模型：不是语言模型，也不需要网络。我能\n\n"
        "- **查找**记忆、历史和本次会话，并注明出处地引用：*截止日期是什么时候？*\n"
        "- **留意你直接说的话**，以便存入记忆：*请记住……*、*我叫……*\n"
        "- **说出记住了什么**：*你记得什么？*\n"
        "- **回顾本次会话**：*总结一下*\n"
        "- **显示**工作区的**文件**：*List files*、*Show notes/plan.md*\n"
        "- **整合**较早的消息：把说过和问过的内容写入历史。\n\n"
        "我不会推理、写作或翻译。"
    ),
    no_keyword="我只会查找并引用；这句话里没有可查找的词。输入*帮助*了解更多。",
    not_remembered="本次会话的内容不会被记住。",
    in_memory="MEMORY.md 中有：",
    in_conversation="已为本次会话记住：",
    noted="已在本次会话中记下：",
    said="你说：",
    later="它还不在 MEMORY.md 中，下次更新记忆时会写入。",
    later_all="它们还不在 MEMORY.md 中，下次更新记忆时会写入。",
    known_already="MEMORY.md 中已经有了。",
    looks_secret="这看起来像密钥或密码。我不保存这类内容，也不会用它查找。",
    how_to_keep="我在这里还能找到它。若要存入 MEMORY.md，请在前面加上*请记住*。",
    nothing_found="我在记忆、历史和本次会话中查找了{words}，没有找到。",
    knows_only_this="我只知道那里写着的内容。",
    one_place="有一处提到{words}：",
    more_places="有 {count} 处提到{words}：",
    nothing_about="没有找到关于{words}的内容。",
    empty_memory="MEMORY.md 中还没有内容。告诉我要记住什么，例如*我叫……*或*请记住……*。",
    whole_memory="MEMORY.md 中有这些内容：",
    nothing_said="本次会话中还没有说过什么。",
    first_words="每条消息的开头，从旧到新：",
    left_out="省略了更早的 {count} 条消息。",
    left_out_all="省略了更早的 {count} 条消息。",
    you="你",
    assistant="助手",
    person_label="你",
    assistant_label="助手",
    this_conversation="本次会话",
    a_conversation="一次会话",
    listing="、",
    between="",
    full_stop="。",
)

LABELS: Final = (ENGLISH.label, RUSSIAN.label, CHINESE.label)
"""One of these stands under each answer of the built-in model."""


def phrases_for(asked: str) -> Phrases:
    """Returns the sentences of the language that a message is in: of Chinese each character counts, of the others each
    word."""
    han, russian, latin = len(HAN_LETTER.findall(asked)), len(_CYRILLIC.findall(asked)), len(_LATIN.findall(asked))
    if han and han >= max(russian, latin) and not KANA_LETTER.search(asked):
        return CHINESE
    if russian and russian >= latin and not _OTHER_CYRILLIC.search(asked):
        return RUSSIAN
    return ENGLISH


def is_of_built_in(text: str) -> bool:
    """Returns whether the built-in model wrote a message."""
    return any(label in text for label in LABELS)

"""The questions of tests/corpus/search, and the long chats in which what they ask for was said once.

Each line of `tuned/<language>.txt` and `held/<language>.txt` is what a person said and how it is asked for later, in
other words. The chats around it are the ordinary turns and labelled facts of tests/corpus/capture, and turns made of
everyday subjects, many of them the very subjects that are asked about. `tuned/` is what ranking and its word lists were
made with; `held/` was written when they were finished, and is only measured.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from tests.support.capture_corpus import FOLDER as CAPTURE

FOLDER: Final = Path(__file__).parents[1] / "corpus" / "search"
LANGUAGES: Final = ("en", "ru", "uz", "zh")
CHATS: Final = 12
_CAPTURE_FILES: Final = {"en": ("en",), "ru": ("ru",), "uz": ("uz-Latn", "uz-Cyrl"), "zh": ("zh",)}

OPENINGS: Final = {
    "en": (
        "I looked at the {0} again and the {1} can wait.", "Nothing new about the {0}, the {1} is fine.",
        "Somebody asked about our {0} today.", "What do you think about a {0} with a {1}?",
        "The {0} took longer than the {1}, as always.", "I had no time for the {0} because of the {1}.",
        "Can you make a list of questions for the {0}?", "My friend talked about the {0} all evening.",
        "Is the {0} more important than the {1}?", "The {1} was late and the {0} too, so we went home.",
    ),
    "ru": (
        "Опять смотрел, что там: {0}, а {1} подождёт.", "Про {0} ничего нового, {1} в порядке.",
        "Сегодня спрашивали: {0} или {1}?", "Что важнее, {0} или {1}?", "Весь вечер говорили: {0}, {1}, снова {0}.",
    ),
    "uz": (
        "Yana {0} haqida gaplashdik, {1} keyinga qoldi.", "Bugun {0} bilan {1} haqida so‘rashdi.",
        "Sizningcha {0} muhimmi yoki {1}?", "{0} bo‘yicha yangilik yo‘q, {1} ham joyida.",
    ),
    "zh": (
        "今天又看了{0}，{1}先放一放。", "关于{0}没有新消息，{1}也还好。", "你觉得{0}重要还是{1}重要？",
        "晚上一直在聊{0}和{1}。",
    ),
}  # fmt: skip
SUBJECTS: Final = {
    "en": "flight rent landlord doctor allergy kitchen boiler server database import password wifi wedding birthday"
    " sister mother daughter school kindergarten dentist car brakes inspection deposit loan accountant receipts knee"
    " gym locker contract insurance window plane ticket hotel museum tent trail bicycle bus office meeting release"
    " deploy repository formatter token log disk backup colleague customer deadline report thesis exam lesson piano"
    " cello concert restaurant recipe coffee alcohol salad garden balcony tomatoes cat dog vet neighbour baby name"
    " colour paint plumber tap dishwasher key passport folder attic train strike novel glasses shoe scarf present"
    " watch language French Dutch country city number phone team company price money interest hospital operation",
    "ru": "квартира переезд врач операция отпуск зарплата сервер база отчёт заказчик начальник презентация дочь брат"
    " свадьба собака кошка паспорт билет поезд самолёт дача ключи машина ремонт интернет репетитор тренировка мастер"
    " подарок бабушка давление язык модуль",
    "uz": "uy ijara shifokor mashina usta kalit telefon to‘y onam ukam qizim kurs loyiha ish bank ovqat choy qahva"
    " poyezd samolyot chipta majlis soat kun shahar institut sovg‘a",
    "zh": "机票 房租 房东 牙医 数据库 项目 钥匙 生日 妈妈 弟弟 大学 老板 报告 医生 跑步 路由器 密码 宠物 演唱会 钢琴 "
    "飞机 服务器 日志 贷款 手术 医院 孩子 幼儿园 汽车 上海 杭州 深圳",
}  # fmt: skip
REPLIES: Final = {
    "en": ("I see. Shall I note anything about it?", "That sounds reasonable.", "Which part of it matters most to you?",
           "Good. One thing after the other.", "I would sleep on it."),
    "ru": ("Понятно. Записать что-нибудь?", "Звучит разумно.", "Что из этого важнее?"),
    "uz": ("Tushunarli. Yozib qo‘yaymi?", "Mantiqan to‘g‘ri.", "Qaysi biri muhimroq?"),
    "zh": ("明白了，要记下来吗？", "听起来合理。", "哪一点最重要？"),
}  # fmt: skip


def _nonsense(count: int = 200) -> Iterator[str]:
    draw = random.Random(3)
    syllables = [first + last for first in "bcdfgklmnprstvz" for last in "aeiou"]
    letters = "abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшыэюя"
    for number in range(count):
        words = range(draw.randint(1, 5))
        if number % 2:
            yield " ".join("".join(draw.choices(syllables, k=draw.randint(2, 4))) for _ in words)
        else:
            yield " ".join("".join(draw.choices(letters[number % 4 == 0], k=draw.randint(3, 8))) for _ in words)


NONSENSE: Final = tuple(_nonsense())
"""Questions of letters and syllables drawn by lot: nothing answers them."""


@dataclass(frozen=True, slots=True)
class Question:
    """Holds what was said once, and how it is asked for."""

    language: str
    said: str
    asked: str
    is_held_out: bool
    """Whether ranking was never tuned on it."""


@cache
def questions() -> tuple[Question, ...]:
    """Returns all of them."""
    return tuple(
        Question(language, said.strip(), asked.strip(), half == "held")
        for half in ("tuned", "held")
        for language in LANGUAGES
        for line in _lines(FOLDER / half / f"{language}.txt")
        if not line.startswith("#")
        for said, asked in [line.split("|")]
    )


def write_chats(root: Path, turns: int = 4_000) -> None:
    """Writes the session files of a workspace, with every fact said once among so many other turns."""
    draw = random.Random(11)
    said = [(question.language, question.said) for question in questions()]
    others = list(islice(_other_turns(draw), turns))
    talk = said + others
    draw.shuffle(talk)
    folder = root / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(CHATS):
        _write_chat(folder / f"desktop_{number}.jsonl", f"desktop:{number}", talk[number::CHATS], draw)


def _other_turns(draw: random.Random) -> Iterator[tuple[str, str]]:
    for language, names in _CAPTURE_FILES.items():
        for name in names:
            yield from ((language, line) for line in _lines(CAPTURE / f"chat-{name}.txt"))
            yield from ((language, json.loads(line)["text"]) for line in _lines(CAPTURE / f"{name}.jsonl"))
    while True:
        language = draw.choices(LANGUAGES, (6, 2, 1, 2))[0]
        yield language, draw.choice(OPENINGS[language]).format(*draw.sample(SUBJECTS[language].split(), 2))


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _write_chat(path: Path, key: str, talk: list[tuple[str, str]], draw: random.Random) -> None:
    records: list[dict[str, object]] = [{"_type": "metadata", "key": key, "last_consolidated": 0}]
    for language, text in talk:
        records += [
            {"role": "user", "content": text, "timestamp": "2026-03-06T14:20:00"},
            {"role": "assistant", "content": draw.choice(REPLIES[language]), "timestamp": "2026-03-06T14:20:05"},
        ]
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")

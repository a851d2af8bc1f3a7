"""Orders to stop a way of answering are kept as preferences, and what only sounds like one is not."""

from __future__ import annotations

from typing import Final

import pytest

from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.store.capture.rule_files import default_rules

RULES: Final = default_rules()
ORDERS: Final = (
    "Stop using exclamation marks in your replies",
    "please stop apologising every time",
    "Stop calling functions helpers, it is confusing",
    "Stop suggesting paid tools",
    "Please stop ending messages with a question",
    "Don't use bullet points any more.",
    "Stop answering in English, my exam is in French",
    "quit adding emojis",
    "You can stop translating the names",
    "Больше не используй таблицы",
    "больше не пиши длинные вступления",
    "Перестань извиняться в каждом сообщении",
    "Хватит предлагать платные сервисы",
    "Пожалуйста, больше не называйте меня Сашей",
    "Прекрати использовать англицизмы",
    "Не добавляй больше смайлики.",
    "Не используй больше жаргон",
    "Перестаньте отвечать списками",
    "Больше не обращайся ко мне на вы",
    "Jadval ishlatma",
    "Menga pullik dasturlarni tavsiya qilma",
    "Endi ruscha javob berma",
    "Boshqa emoji qo'shmang iltimos",
    "Жаргон ишлатма",
    "Мени устоз деб чақирманг",
    "Endi uzun kirish yozmang",
    "Qisqartmalarni ishlatmang",
    "别再用感叹号",
    "不要再给我推荐付费应用",
    "请不要再用英文回答",
    "以后别再叫我先生",
    "别再加总结了",
    "请停止使用网络用语",
    "别用繁体字了",
    "不要再用列表回答",
)
TALK: Final = (
    "Stop using the printer, it's on fire",
    "Stop writing, I need to think",
    "When did people stop using fax machines?",
    "My doctor told me to stop using salt",
    "I can't stop using my phone",
    "They stopped using plastic bags last year",
    "Stop asking me that",
    "Don't use it anymore",
    "How do I stop using global variables in this function?",
    "The sign says stop using phones",
    "We should stop using this branch",
    "stop using that word",
    "Don't add anything now",
    "Она перестала использовать телефон",
    "Хватит писать чушь",
    "Как перестать использовать соль?",
    "Врач сказал: больше не пей кофе",
    "Больше не хочу об этом говорить",
    "Перестань",
    "Больше не используй эту переменную",
    "Я больше не использую соцсети?",
    "Не пиши больше сегодня",
    "Подруга просит: перестань писать ночью",
    "Bu kodni ishlatma",
    "U telefon ishlatma dedi",
    "Telefonni ko'p ishlatma dedi otam",
    "Nega bunday yozma deb aytding?",
    "Hozir yozma",
    "Endi bunaqa yozma",
    "Mening krujkamni ishlatma",
    "别再说了",
    "医生让我别再喝酒",
    "你别再开玩笑了",
    "怎么才能别再熬夜?",
    "她叫我别再用手机",
    "不要再用这段代码",
    "别再写了",
    "他们别再用塑料袋了",
)


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_to_stop_is_a_lasting_preference(order: str) -> None:
    (found,) = captures_in(order, RULES)
    assert (found.category, found.rule.partition(".")[2]) == ("preference", "stop-order")


@pytest.mark.parametrize("said", TALK)
def test_what_only_sounds_like_an_order_to_stop_is_not_kept(said: str) -> None:
    assert captures_in(said, RULES) == []

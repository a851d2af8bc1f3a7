"""Hard ordinary sentences: what stands around a fact neither hides it nor makes one of what is none."""

from __future__ import annotations

import pytest

from mnemoscope.domain.capture.scan import Refusal, captures_in, scan
from mnemoscope.store.capture.rule_files import default_rules

RULES = default_rules()


def durable(text: str) -> list[str]:
    return [each.value for each in captures_in(text, RULES) if each.durable]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I don't eat pork. Can you suggest a dinner?", "pork"),
        ("I'm allergic to nuts, do you have ideas?", "nuts"),
        ("I'm allergic to nuts, can you suggest a dessert?", "nuts"),
        ("I'm allergic to nuts, any suggestions?", "nuts"),
        ("I'm allergic to nuts - is pesto ok?", "nuts"),
        ("I'm vegetarian so can you suggest a dinner?", "vegetarian"),
        ("I'm vegetarian. Your recipes should respect that.", "vegetarian"),
        ("I prefer tea. You?", "tea"),
        ("I love hiking. This weekend is free.", "hiking"),
        ("I prefer short answers, how do I undo a commit?", "short answers"),
        ("I told you today, and I prefer tea", "tea"),
        ("Я не ем свинину. Ты можешь предложить ужин?", "свинину"),
        ("Я вегетарианец, можешь предложить рецепт?", "вегетарианец"),
        ("Я люблю чай. Как его заваривать?", "чай"),
        ("我不吃辣。你能推荐吗？", "辣"),
        ("我喜欢爬山，你呢？", "爬山"),
        ("Men go'sht yemayman, retsept bera olasizmi?", "go'sht"),
        ("Мен гўшт емайман, рецепт бера оласизми?", "гўшт"),
        ("Men choyni yoqtiraman, sizchi?", "choy"),
        ("Go'sht yemayman", "Go'sht"),
        ("Чўчқа гўшти емайман.", "Чўчқа гўшти"),
    ],
)
def test_what_is_asked_beside_it_hides_no_fact(text: str, value: str) -> None:
    assert durable(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Today I don't eat meat",
        "Right now, I prefer silence",
        "I'm vegetarian today",
        "Сегодня я не ем мясо",
        "所以今天我不吃辣",
        "Bugun men go'sht yemayman",
        "Бугун гўшт емайман",
        "Rahmat, choy ichmayman",
    ],
)
def test_what_holds_today_is_not_kept_for_ever(text: str) -> None:
    assert durable(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I work at IBM as a tester.", "IBM"),
        ("I study at MIT.", "MIT"),
        ("Я учусь в МГУ на физфаке", "МГУ"),
        ("You should call me Liz.", "Liz"),
        ("Don't let me forget the dentist on Monday.", "the dentist on Monday"),
        ("For future reference, our VAT number is GB123456789.", "our VAT number is GB123456789"),
        ("Keep answers short from now on.", "Keep answers short from now on"),
        ("From now on don't use emojis", "don't use emojis"),
        ("Отвечай всегда на русском.", "Отвечай всегда на русском"),
        ("以后请用中文回答。", "以后请用中文回答"),
        ("Har doim o'zbek tilida javob ber.", "Har doim o'zbek tilida javob ber"),
        ("我是左撇子。", "左撇子"),
        ("Turns out I've always loved jazz", "jazz"),
        ("I have never liked jazz", "jazz"),
    ],
)
def test_it_is_captured_in_every_way_people_say_it(text: str, value: str) -> None:
    assert durable(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "I'm TIRED of this",
        "I like the sound of that",
        "I work at HQ",
        "I'M SO DONE",
        "I'm from HR, hello",
        "Keep it short for now.",
        "以后用得上",
        "Никогда не говори никогда",
    ],
)
def test_capitals_and_orders_of_the_moment_are_not(text: str) -> None:
    assert durable(text) == []


@pytest.mark.parametrize("text", ["I love Mondays lol", "I like trains. Just kidding.", "Я люблю дождь, шучу"])
def test_what_is_said_in_fun_is_not_kept(text: str) -> None:
    assert durable(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea, said Anna.",
        "I love rainy days, wrote my sister.",
        "I prefer tea, she says.",
        "I'm not allergic to nuts, said Anna.",
        "Я люблю чай, сказала Анна.",
        "— Я люблю чай, — сказала Анна.",
        "我喜欢喝茶，小王说。",
        "Go'sht yemayman, dedi Ali",
    ],
)
def test_who_said_it_may_be_told_behind_it(text: str) -> None:
    assert durable(text) == []
    assert "reported speech" in {each.reason for each in scan(text, RULES) if isinstance(each, Refusal)}


@pytest.mark.parametrize(
    ("text", "value"), [("I don't eat pork, she says that is fine with her kitchen.", "pork"), ("I like tea.", "tea")]
)
def test_what_others_say_of_it_is_another_clause(text: str, value: str) -> None:
    assert durable(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Linux last year.",
        "I moved to Chapter 3 already.",
        "I live in Chrome tabs.",
        "I work with Excel a lot.",
        "I work for Myself these days.",
        "In the novel I live in Paris and my name is Max.",
        "Title: My Name Is Red",
        "POV: I live in Narnia",
        "Я переехал на Linux.",
        "Я работаю в Excel каждый день",
        "Во сне я живу в Париже.",
        "Я люблю смотреть, как идёт снег.",
        "Не забудь точку с запятой.",
        "我住在酒店。",
        "叫我起床。",
        "我在努力工作。",
        "小说里我叫张三。",
    ],
)
def test_what_only_looks_like_a_fact_of_the_person_is_none(text: str) -> None:
    assert durable(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Formula: $e=mc^2$",
        "$$E = mc^2$$",
        "Why is $\\sum_{i=1}^{100} i = 5050$ so",
        "The speed $v = 20$ km/h gives $t = 3$ h",
        "公式：$E=mc^2$",
    ],
)
def test_a_formula_in_signs_of_money_costs_nothing(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It costs $5 and my budget is $10", ["$5", "$10"]),
        ("I paid 20$ and then 30$.", ["20$", "30$"]),
        ("Rent went from $900 to $950", ["$900", "$950"]),
        ("My salary is $5,000/month and my rent is $1,500", ["$5,000", "$1,500"]),
        ("Remember that $e=mc^2$ is on my tattoo", ["$e=mc^2$ is on my tattoo"]),
        ("My favourite formula is $e^{i\\pi}+1=0$", ["$e^{i\\pi}+1=0$"]),
    ],
)
def test_amounts_of_money_and_wishes_with_a_formula_are_kept(text: str, values: list[str]) -> None:
    assert [each.value for each in captures_in(text, RULES)] == values

from __future__ import annotations

import json
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from mnemoscope.domain.health.examination import LineFault, examined, lines_of_two_files
from mnemoscope.domain.health.line_meanings import LineMeanings, understood_texts
from mnemoscope.domain.health.report import FindingKind, HealthFinding
from tests.bench.bench_health import FALSE, FOUND, score, score_disagreements

TODAY = date(2026, 5, 20)


def kinds(*lines: str) -> list[tuple[int, str]]:
    return [(fault.line, fault.kind.value) for fault in examined([f"- {line}" for line in lines], TODAY)]


def test_in_the_memories_the_rules_were_tuned_on_faults_are_found_and_honest_lines_left_alone() -> None:
    count = score("open")
    assert count["faults found"] >= FOUND * count["faults"]
    assert count["alarms"] <= FALSE * count["honest"]


def test_what_disagrees_is_found_among_honest_lines_and_nothing_else_is() -> None:
    count = score_disagreements("open", "open")
    assert count["found"] >= FOUND * count["planted"]
    assert count["alarms"] <= FALSE * count["honest"] / 5


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Allergic to penicillin", "Has a penicillin allergy"),
        ("Owes the bank eleven thousand euros", "Debt to the bank owed: 11,000 €"),
        ("Visits the dentist every six months", "Goes to the dentist twice a year"),
        ("Раз в полгода ходит к окулисту", "Ходит к окулисту каждые шесть месяцев"),
        ("Har ikki haftada bozorga boradi", "Bozorga o'n to'rt kunda bir boradi"),
        ("弟弟有三个", "有3个弟弟"),
        ("Mother lives in Leeds", "Mum is in Leeds"),
        ("Аллергия на амоксициллин", "Амоксициллин нельзя, аллергия"),
        ("Go‘shtni Sodiq qassobdan oladi", "Go‘sht Sodiq qassobdan olinadi"),
        ("Темир йўлда муҳандис", "Темир йўл муҳандиси бўлиб ишлайди"),
        ("豆豆怕狗", "豆豆很怕狗"),
        ("Drinks oat milk instead of cow's milk", "Oat milk, not cow's milk"),
        ("Lactose intolerant", "Does not tolerate lactose"),
        ("Does not like loud music", "Hates loud music"),
        ("Wife is called Nora", "Married to Nora"),
        ("В качестве базы используется MariaDB", "База — MariaDB"),
        ("Akasi Nukus shahrida turadi", "Akasi Nukusda yashaydi"),
        ("是语文老师", "教语文"),
        ("Runs two times every week", "Goes running twice a week"),
        ("Фирма основана в 2011 году", "Год основания фирмы — 2011"),
        ("Кошка Мася боится грозы", "Мася (кошка) пугается грозы"),
        ("Go'sht yemaydi, chunki allergiyasi bor", "Allergiyasi borligi sababli go'sht yemaydi"),
        ("小学开始一直练琴", "小学以来一直练琴"),
        ("Doesn't drink alcohol", "Drinks no alcohol"),
        ("Works at the city library", "City library employee"),
        ("У неё две кошки", "Держит двух кошек"),
        ("Не выносит громкую музыку", "Не любит громкую музыку"),
        ("Mushukka allergiyasi bor", "Uning mushukka allergiyasi mavjud"),
        ("Иккита мушуги бор", "Икки мушук боқади"),
        ("不喝酒", "从不饮酒"),
        ("Salary comes on the 28th", "Gets paid on the 28th of the month"),
        ("Neighbour repairs bicycles", "The neighbour mends bicycles"),
        ("2012-yildan beri go'sht yemaydi", "Go'shtni 2012-yildan buyon yemaydi"),
    ],
)
def test_what_two_lines_say_in_other_words_is_a_duplicate_of_the_first(first: str, second: str) -> None:
    found = examined(["## Notes", f"- {first}", f"- {second}"], TODAY)
    assert found == [LineFault(3, FindingKind.DUPLICATE, second, first, 2)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Allergic to penicillin", "Allergic to bee stings"),
        ("Lives in Graz", "Works in Graz"),
        ("Drinks coffee", "Never drinks coffee"),
        ("Likes strong coffee", "Dislikes strong coffee"),
        ("Onasi Xivada turadi", "Akasi Xivada turadi"),
        ("Closed on Mondays", "Closed on Tuesdays"),
        ("The rye loaf costs 4 euros", "The rye loaf costs 5 euros"),
        ("Қаҳва ичади", "Қаҳва ичмайди"),
        ("喜欢吃花生", "不喜欢吃花生"),
        ("Neighbour repairs bicycles", "Neighbour sells bicycles"),
        ("Teaches pottery on Fridays", "Learns pottery on Fridays"),
        ("Сосед чинит велосипеды", "Сосед продаёт велосипеды"),
        ("邻居修自行车", "邻居卖自行车"),
        ("Qo'shnisi velosiped tuzatadi", "Qo'shnisi velosiped sotadi"),
        ("Cat", "A cat called Miso sleeps upstairs"),
        ("My kiln fires at 1,240 degrees", "My oven fires at 1,240 degrees"),
        ("The stable closes at 6 in winter", "The shed closes at 6 in winter"),
        ("Мастерская закрывается в 6 вечера", "Лавка закрывается в 6 вечера"),
        ("我的窑烧到1240度", "我的烤箱烧到1240度"),
    ],
)
def test_lines_that_tell_two_things_are_no_duplicates(first: str, second: str) -> None:
    assert kinds(first, second) == []


@pytest.mark.parametrize(
    "line",
    [
        "Has a dentist appointment tomorrow at 9",
        "Moves out at the end of the month",
        "Tomorrow goes to the dentist",
        "Blood test results come back in three days",
        "На следующей неделе приедут чинить крышу",
        "Kelasi hafta to‘yga boradi",
        "Эртага касалхонага боради",
        "下周三要去拿体检报告",
        "The move is planned for 15 November 2025",
        "Deadline is 2026-03-01",
        "Passport renewal is due by 02.03.2026",
        "3月底之前要交完报名表",
        "The lift is still out of order",
        "For now the shop takes cash only",
        "Ertadan keyin imtihon topshiradi",
        "Лифт пока не работает",
        "Hozir printer buzilgan",
        "现在空调坏了",
        "Kecha birinchi bobni tugatdi",
        "Приём у врача 3 марта 2026 года в 9:15",
        "2026年3月4日下午面试",
        "Imtihon 2026-yil 3-mart soat 9:00 da",
        "tmrw dentist",
        "Starts the new job on Monday",
        "Is on a diet until Christmas",
        "Has the flu",
        "Hasn’t slept for two days",
        "Сейчас простужена",
        "В субботу будут гости",
        "Только вернулась из Рима",
        "Пока живёт у мамы",
        "腿还打着石膏",
        "银行两周内给答复",
        "Shu hafta oxirida ko‘chadi",
        "Hozir shamollagan",
        "Кечадан бери касал",
    ],
)
def test_what_held_only_near_a_day_is_a_date_that_rots(line: str) -> None:
    assert kinds(line) == [(1, "rotting_date")]


@pytest.mark.parametrize(
    "line",
    [
        "Meets the climbing group every Friday",
        "Tomorrow Never Dies is the favourite Bond film",
        "Today's special is written on the blackboard",
        "Фильм «Послезавтра» смотрела пять раз",
        "Bugungi taom har kuni ertalab doskaga yoziladi",
        "今日推荐每天早上写在门口黑板上",
        "The wedding is planned for 15 November 2027",
        "Version 1.0 was released on 4 December 2025",
        "The retreat is planned for 31 February 2026",
        "Tomorrow is the title of the book she wrote",
        "Favourite film: The Day After Tomorrow",
        "Favourite song: Yesterday",
        "Любимый фильм: Послезавтра",
        "Sevimli qo'shig'i: Yesterday",
        "最喜欢的歌:明天会更好",
        "Sings Yesterday by the Beatles at karaoke",
        "Runs the blog Next Year in Jerusalem",
        "Gets paid at the end of the month",
        "Платит за квартиру в конце месяца",
        "Oy oxirida oylik oladi",
        "月底发工资",
        "Ijara 2027-yil oxirigacha",
        "Wakes up soon after six",
        "Сегодняшние новости читает за завтраком",
        "Still lives far away from her parents",
        "Returns within 14 days, return postage is the customer's",
        "2019 йилдан бери шу ерда ишлайди",
        "2019-yildan buyon shu yerda ishlaydi",
        "The shop was opened on 3 March 2015 at 9:00",
        "Works from Monday to Friday",
        "Пятница — день стирки",
        "Dushanbadan jumagacha ishlaydi",
        "Shanba kunlari bozorda soat 9 da keladi",
        "周六家庭日",
        "Сын родился 3 марта 2015 года в 9:15",
    ],
)
def test_what_returns_a_title_and_a_plan_that_still_lies_ahead_do_not_rot(line: str) -> None:
    assert kinds(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "TODO: rename parseBook",
        "[ ] write the tests",
        "Step 2 of 5 finished, continue with the importer",
        "The user asked to translate the menu into Finnish",
        "Сейчас разбираю лог сборки",
        "Ждём ответа пользователя по цвету вывески",
        "Foydalanuvchi jadvalni Excelga o‘tkazishni so‘radi",
        "用户让我把这段话翻译成英文",
        "FIXME in parser.py, line 12",
        "TODO rename the module",
        "Working on the second chapter",
        "pytest: 2 failed, 30 passed",
        "TODO добавить подписи",
        "Keyingi qadam: testlarni yozish",
        "用户要六道题，还差两道",
        "User pasted a stack trace from the server",
        "The build is failing with a missing import",
        "Paused at question 7",
        "Explained how recursion works",
        "Task: summarise the PDF",
        "Пользователь загрузил таблицу с продажами",
        "Половина тестов написана",
        "Помог отладить регулярное выражение",
        "总结了文章",
        "停在第120行",
        "用户感谢了翻译",
        "Natija: 42 qator yangilandi",
        "Soliq haqidagi savolga javob berildi",
        "Ҳисобот мижозга юборилди",
        "Next I will check the links",
        "Task finished: 12 images resized",
        "Fixed a typo in the second paragraph",
        "I'm converting the last table",
        "Задача выполнена: 8 страниц",
        "Дальше проверю ссылки",
        "Осталось выгрузить картинки",
        "Исправила опечатку в utils.py, строка 12",
        "utils.py 12-qatordagi xato tuzatildi",
        "Foydalanuvchi kodni qayta yozishimni so'radi",
        "Endi fayllarni tekshiraman",
        "Қолган расмларни юклаш керак",
        "修复了第二个脚本的错误",
        "任务已完成：压缩了三张图片",
    ],
)
def test_what_a_task_left_behind_is_residue(line: str) -> None:
    assert kinds(line) == [(1, "task_residue")]


@pytest.mark.parametrize(
    "line",
    [
        "Prefers results saved as CSV",
        "喜欢把结果保存为CSV",
        "希望报告导出为PDF",
        "TODO list app is called Tasks",
        "The report is sent to the client every quarter",
        "Answers questions on a help line on Tuesdays",
        "Tests must run before every commit",
        "Error messages should be in plain English",
        "Translates novels from Danish",
        "Проверяет тетради в июне",
        "Цель — выучить узбекский",
        "每次提交前要跑测试",
        "先写测试再写代码",
        "Avval test yozadi",
        "Дастур Python да ёзилган",
        "Debugging is done in VS Code",
        "The user asked to be called Max",
        "正在学日语",
        "Completed a master's degree in 2015",
        "Working from home suits her",
        "Просит отвечать на «ты»",
        "I'm allergic to peanuts",
        "I am getting divorced",
        "I have a tattoo on my back",
        "Now I live in Tula",
        "Теперь живу в Туле",
        "Endi Buxoroda yashayman",
        "Har kuni dori ichish kerak",
        "任务完成后喜欢喝茶",
    ],
)
def test_what_only_looks_like_a_task_is_none(line: str) -> None:
    assert kinds(line) == []


def test_headings_blank_lines_and_templates_are_not_examined() -> None:
    lines = ["# Tomorrow", "", "(nothing yet)", "- Lives in Graz"]
    assert examined(lines, TODAY) == []


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (FindingKind.ROTTING_DATE, "Just woke up"),
        (FindingKind.ROTTING_DATE, "The festival takes place on 3 January 2026"),
        (FindingKind.ROTTING_DATE, "Сейчас едет в поезде"),
        (FindingKind.ROTTING_DATE, "Только что проснулась"),
        (FindingKind.ROTTING_DATE, "正在坐火车"),
        (FindingKind.ROTTING_DATE, "快递下午到"),
        (FindingKind.ROTTING_DATE, "Hozir poyezdda ketyapti"),
        (FindingKind.ROTTING_DATE, "Mashinasi seshanbagacha ustada"),
        (FindingKind.TASK_RESIDUE, "Exported the list to data/list.csv"),
        (FindingKind.TASK_RESIDUE, "The user wanted to know how regexes work"),
        (FindingKind.TASK_RESIDUE, "Two of five chapters are proofread"),
        (FindingKind.TASK_RESIDUE, "Поменял цвет шапки в style.css"),
        (FindingKind.TASK_RESIDUE, "Шаг 4 миграции выполнен"),
        (FindingKind.TASK_RESIDUE, "已把1.4版部署到测试环境"),
        (FindingKind.TASK_RESIDUE, "用户问怎么排序"),
        (FindingKind.TASK_RESIDUE, "Расм images/logo_v2.png га сақланди"),
    ],
)
def test_what_goes_on_now_or_was_done_to_a_file_is_a_fault(kind: FindingKind, line: str) -> None:
    assert [fault.kind for fault in examined(["# Memory", f"- {line}"], date(2026, 3, 20))] == [kind]


@pytest.mark.parametrize(
    "line",
    [
        "Converted the barn into a studio in 2020",
        "Просит писать даты как 01.02.2026",
        "Сейчас живёт в Перми",
        "Hozir Buxoroda yashayapti",
        "正在学法语",
        "Her birthday is on 9 January",
        "Born on 3 February 1990",
        "README.md is written in British English",
    ],
)
def test_what_lasts_or_has_its_year_is_none(line: str) -> None:
    assert examined(["# Memory", f"- {line}"], date(2026, 3, 20)) == []


def test_single_lines_of_what_holds_no_more_or_was_a_task_are_found_and_those_of_a_life_left_alone() -> None:
    path = Path(__file__).parents[2] / "corpus" / "health" / "lines.json"
    lines = json.loads(path.read_text(encoding="utf-8"))
    found = [examined([f"- {each['text']}"], date(2026, 11, 28)) for each in lines]
    faults = [bool(seen) for each, seen in zip(lines, found, strict=True) if each["is_fault"]]
    alarms = [each["text"] for each, seen in zip(lines, found, strict=True) if seen and not each["is_fault"]]
    assert faults.count(True) >= FOUND * len(faults)
    assert alarms == []


@pytest.mark.parametrize(
    "line",
    [
        "Believes tomorrow belongs to the patient",
        "Their café is called Next Week",
        "Yesterday is the only Beatles song he can play",
        "Не любит откладывать на завтра",
        "乐队名叫明天见",
        "把今天的事做完再睡是她的习惯",
        "Bugungi kun degan gazetada ishlagan",
        "Бугунги ишни эртага қўймайди",
    ],
)
def test_a_day_in_a_name_or_in_what_somebody_holds_by_does_not_rot(line: str) -> None:
    assert kinds(line) == []


class _Compared(LineMeanings):
    """Counts how often two meanings are compared."""

    count = 0

    def are_near(self, one: str, other: str, least: float = 0.0) -> bool:
        self.count += 1
        return super().are_near(one, other)


NEAR = (1.0, 0.9, 0.1, -0.2) * 8
FAR = (-0.4, 1.0, -0.9, 0.8) * 8


@pytest.mark.parametrize(
    ("one", "other", "second", "is_said_twice"),
    [
        ("Hates noisy restaurants", "She cannot stand loud places to eat", NEAR, True),
        ("Hates noisy restaurants", "She cannot stand loud places to eat", FAR, False),
        ("Takes two pills a day", "Swallows three tablets daily", NEAR, False),
        ("Goes out a lot", "Never leaves the house much", NEAR, False),
        ("Mother is from Leeds", "Her mum comes from Hull", NEAR, False),
        ("The brother is a vet", "His sister treats animals", NEAR, False),
        ("Allergic to bee stings", "Has a penicillin allergy", NEAR, False),
        ("The dentist is Dr Amara Nwosu, 020 7946 0011", "Dentist: Dr Nwosu, phone 020 79460011", NEAR, True),
    ],
)
def test_lines_that_are_near_in_meaning_say_the_same_unless_something_tells_them_apart(
    one: str, other: str, second: tuple[float, ...], is_said_twice: bool
) -> None:
    meanings = LineMeanings({one: NEAR, other: second})
    found = examined([f"- {one}", f"- {other}"], TODAY, meanings)
    assert [(fault.kind, fault.of) for fault in found] == ([(FindingKind.DUPLICATE, 1)] if is_said_twice else [])


def test_examining_ends_once_nobody_waits_for_it_with_what_was_found_so_far() -> None:
    lines = [f"- {said}" for said in ("Likes tea", "Tea is liked", "Has a cat", "A cat she has")]
    for find in (
        partial(examined, lines, TODAY, None),
        partial(lines_of_two_files, {"a": lines[::2], "b": lines[1::2]}, None),
    ):
        answers = iter((True, True, True))
        some = find(lambda answers=answers: next(answers, False))  # type: ignore[misc]
        assert [len(list(each)) for each in (some, find())] == [1, 2]
        assert find(lambda: False) == []


def test_of_lines_that_differ_in_their_numbers_alone_no_two_meanings_are_compared() -> None:
    texts = [f"Lives in house {number}" for number in range(50)]
    meanings = _Compared(dict.fromkeys(texts, NEAR))
    assert examined([f"- {text}" for text in texts], TODAY, meanings) == []
    assert meanings.count == 0


def test_a_line_without_a_meaning_is_near_to_none() -> None:
    assert not LineMeanings({"one": NEAR}).are_near("one", "other")
    assert (
        examined(["- Hates noise", "- Loud places are not for her"], TODAY, LineMeanings({"Hates noise": NEAR})) == []
    )


def test_of_the_lines_of_a_memory_those_that_are_not_in_uzbek_are_understood() -> None:
    rows = [
        "# Facts",
        "",
        "- Lives in Graz",
        "- Toshkentda yashaydi",
        "- Живёт в Твери",
        "- Бухорода яшайди",
        "- 住在苏州",
    ]
    assert understood_texts(rows) == ["Lives in Graz", "Живёт в Твери", "住在苏州"]


def test_what_a_file_says_that_another_one_says_too_is_a_duplicate_of_that() -> None:
    memory = ["# Memory", "- The cat is called Biscuit", "- The cat's name is Biscuit", "- Rent is 940 pounds"]
    user = ["# User", "", "- Has a cat called Biscuit", "- Lives in Leeds"]
    assert lines_of_two_files({"memory/MEMORY.md": memory, "USER.md": user}) == [
        HealthFinding(
            FindingKind.DUPLICATE, "USER.md", 3, user[2], "The cat is called Biscuit", other="memory/MEMORY.md"
        )
    ]

"""A forgotten fact is known when it comes back in other words; a new fact near it in topic is not taken for it."""

from __future__ import annotations

import zlib

import pytest

from mnemoscope.domain.forgetting.tombstone import (
    HashedTerm,
    TermWeight,
    Tombstone,
    hashed_parts,
    hashed_terms,
    is_said_again,
    tombstones_of,
)


def seal(term: str) -> str:
    return f"<{term}>"


def is_held(forgotten: str, text: str) -> bool:
    stones = tombstones_of(forgotten, seal)
    return bool(is_said_again(stones, hashed_parts(text, seal)))


@pytest.mark.parametrize(
    ("forgotten", "text"),
    [
        ("I'm allergic to peanuts.", "- Allergy: peanuts"),
        ("My daughter Malika goes to school No. 17.", "The user's daughter, Malika, attends School 17"),
        ("I live in Leeds.", "- Lives in Leeds"),
        ("Only between us: I'm suing Novatek over it", "- Is suing Novatek"),
        ("Don’t tell anyone, but I owe my brother 1,250 euros", "1,250 euros owed to the brother, between you and me"),
        ("Job interview at Siemens on 3 June", "June 3: interview at Siemens"),
        ("Никому не говори, я сужусь с фирмой «Novatek»", "Судится с фирмой «Novatek»"),
        ("Bankdagi suhbatim 3-iyun kuni.", "3-iyun: bankdagi suhbat"),
        ("别告诉别人，我因为车祸在起诉Novatek公司。", "因为车祸在起诉Novatek公司"),
        ("我的私人邮箱是owl.77@example.org。", "邮件发到owl.77@example.org就行"),
        ("手机锁屏密码是592013", "锁屏密码：五九二零一三"),
        ("我的网站是https://example.org/diary。", "网站https://example.org/diary"),
        ("Was fired from Orbel Foods for theft", "Orbel Foods dismissed her because she stole"),
        ("Salary is 64 thousand pounds", "Earns 64 thousand pounds"),
        ("Больше не общается с братом Олегом", "С братом Олегом не разговаривает"),
        ("Сидел в тюрьме в Твери", "Был заключён в Твери, тюрьма"),
        ("Maoshi 7 million so'm", "Oyiga 7 million so'm oladi"),
        ("计划五月从邮局辞职", "五月要辞掉邮局的工作"),
        ("I live in Leeds.", "Home: Leeds, UK"),
        ("Call me at +998 90 123-45-67.", "Phone 90 123 45 67"),
        ("Mail me: anna.k@example.org", "Reach Anna at ANNA.K@example.org, never by post."),
        ("The vault code is 7319.", "7319 opens the vault; it is its code."),
        ("We meet Dr Weber on 12 May 2027.", "2027-05-12: Dr Weber"),
        ("My passport number is AB1234567.", "Her new passport: ab1234567"),
        ("The notes are in /home/ann/notes/private.", "Notes: /home/ann/notes/private"),
        ("The budget is 12,000 euros.", "Budget of 12000 euros"),
        ("Мою сестру зовут Мадина.", "- Сестра: Мадина"),
        ("Я живу в Самарканде с 2019 года.", "Живёт в Самарканде (с 2019)"),
        ("Mening singlim Nilufar Buxoroda o'qiydi.", "Singlisi Nilufar, o‘qish joyi: Buxoro"),
        ("Укам Жасур шифохонада ишлайди.", "Ukasi Jasur shifoxonada ishlaydi"),
        ("我对花生过敏。", "- 花生会让他过敏"),
        ("我妹妹叫王芳。", "妹妹：王芳"),
        ("车库电话13912345678", "可以打 139 1234 5678 找车库"),
        ("老婆的母亲住在昆明", "妻子的妈妈住在昆明"),
        ("帐号是AB1234567", "账号AB1234567"),
        ("Thanks! My blood type is AB negative.", "Blood type: AB negative"),
        ("jazz", "Likes jazz"),
        ("Gulnora", "The tall woman at the gate is Gulnora, from the next village."),
        ("Rents a flat. Pays 950 a month. Wants out.", "Rents a flat. Pays 950 a month. Wants out."),
        ("Who am I?", "Who am I?"),
        ("She plays the cello, the oboe and the harp.", "Plays cello, oboe and harp"),
        ("The door of the shed opens with 5183", "Type 5183 and press the star, then the shed is open all day"),
        ("Разводится с Игорем после измены", "Подала на развод с Игорем, потому что он изменил"),
        ("Камола билан яширинча учрашиб юради", "Камола билан яширинча учрашади"),
        ("在第三医院治疗焦虑症", "焦虑症是在第三医院看的"),
        ("Owes Marek seven thousand pounds", "Debt to Marek: 7,000 pounds"),
        ("Должна Марине триста тысяч рублей", "Долг Марине 300 000 рублей"),
        ("Sobirdan olti ming dollar qarz olgan", "Sobirga 6000 dollar qarzi bor, 6 ming dollar"),
        ("欠姑姑八万", "还欠姑姑80000元"),
        ("因为酒驾被拘留二十天", "醉驾，拘留了20天"),
        ("The locker code is 31-08-55", "Locker code 310855"),
        ("Therapy with Dr Lind every Monday at 5 pm", "Dr Lind: therapy, Mondays 17:00"),
        ("Court hearing in Ghent from 4 to 6 October", "Ghent, 4/10 until 6/10: the hearing at court"),
        ("Кредит в Синвест-банке на 48 месяцев под 19%", "Синвест-банк, кредит: четыре года, 19 процентов"),
        ("Takes 0.1 mg of fentanyl before bed", "Fentanyl, 100 micrograms, before going to bed"),
        ("老板欠他六盆兰花和两盆杜鹃", "兰花6盆、杜鹃2盆：老板欠的"),
        ("Hiding in Ghent from 4 to 6 October", "Ghent, 4/10 to 6/10, is where nobody may look for her"),
        ("Сын Платон, семилетний, заикается", "Платон, сын, 7 лет: заикание, заикается"),
    ],
)
def test_comes_back_in_other_words(forgotten: str, text: str) -> None:
    assert is_held(forgotten, text)


@pytest.mark.parametrize(
    ("forgotten", "text"),
    [
        ("The door of the shed opens with 5183", "The invoice of March is number 5183 and was paid by card"),
        ("The shed was built in 1983 by Tom", "The mill was rebuilt in 1983, with a new shed, by two brothers"),
        ("Owes her brother 4,200 pounds", "Her brother paid 4,200 pounds for the boat"),
        ("Разводится с Игорем после измены", "Игорь чинит ей машину"),
        ("Камола билан яширинча учрашиб юради", "Дўстлари билан якшанбада учрашади"),
        ("在第三医院治疗焦虑症", "母亲在第三医院当护士"),
        ("I live in Leeds.", "- Lives in York"),
        ("I live in Leeds.", "The train of my friend leaves from Leeds at nine, platform two"),
        ("Anna is allergic to peanuts.", "Anna is allergic to cats"),
        ("I take my coffee with oat milk.", "I take my coffee with soy milk."),
        ("The budget is 12,000 euros.", "The budget is 15,000 euros"),
        ("We meet Dr Weber on 12 May.", "We meet Dr Weber on 19 May"),
        ("My daughter Malika goes to school No. 17.", "Malika takes bus 17"),
        ("Я живу в Самарканде.", "Живёт в Бухаре"),
        ("我弟弟在上海华为公司工作。", "我弟弟在深圳华为公司工作"),
        ("jazz", "Her trio plays jazz on Sundays in a small cellar"),
        ("Thanks! My blood type is AB negative.", "Thanks a lot"),
        ("?", "Who is it?"),
        ("", "Likes tea"),
        ("Who am I?", "Likes tea"),
        ("Oqsoqol 5月12日", "她有三个孩子"),
        ("住在昆明", "喜欢昆明的米线"),
        ("I live in Leeds.", "Works for a bank in Leeds"),
        ("Borrowed 12 million soum from Jamshid", "A fridge for 12 million soum"),
        ("Ijaraga 3 million so'm to'laydi", "Velosiped 3 million so'm turdi"),
        ("在看一位叫莫娜的牙医", "认识一位园丁"),
        ("我健身房储物柜的密码是2000。", "健身房储物柜密码：2037"),
        ("Last spring in hospital in Bonn they found a heart murmur.", "Heart murmur last spring in hospital in Porto"),
        ("Прошлой весной в больнице Твери нашли шум в сердце.", "Шум в сердце нашли в больнице Казани прошлой весной"),
        ("因为车祸在起诉Novatek公司。", "因为车祸在起诉Castor公司"),
        ("Therapy with Dr Lind every Monday at 5 pm", "Therapy with Dr Lind every Monday at 5 am"),
        ("The spare key lies under the blue flowerpot", "The spare key lies under the blue doormat"),
        ("Lives in Bonn", "Supports Bonn Baskets"),
        ("Uncle Tom secretly works at Hallam Bank", "A mortgage of Tom with Hallam Bank"),
        ("Her shame: a cake of 2 eggs, 3 spoons and 4 nuts", "For the bench: 2 boards, 3 screws, 4 bolts"),
        ("Owes the neighbour 4,000,000 soum", "Owes the neighbour 14,000,000 soum"),
    ],
)
def test_a_new_fact_is_not_taken_for_it(forgotten: str, text: str) -> None:
    assert not is_held(forgotten, text)


def test_a_tombstone_holds_nothing_but_hashes() -> None:
    stones = tombstones_of("Anna's code is 7319.\n我对花生过敏。", lambda term: str(zlib.crc32(term.encode())))
    assert len(stones) == 2
    for stone in stones:
        assert stone.whole.isdecimal()
        assert all(each.isdecimal() for term in stone.terms for each in (*term.forms, *term.signs))


def test_the_parts_of_a_very_long_text_are_bounded() -> None:
    assert len(hashed_parts("Anna likes tea. Bob likes milk.\n" * 3_000, seal)) < 2_100


@pytest.mark.parametrize("piece", ["1", "a1", "twenty-", "a.", "12:"])
def test_of_a_very_long_run_without_spaces_the_beginning_counts(piece: str) -> None:
    beginning = (piece * 300)[:300]
    assert hashed_terms(f"Key: {piece * 8_000}") == hashed_terms(f"Key: {beginning}")


def test_a_word_without_letters_of_its_own_is_no_term() -> None:
    assert hashed_terms("\u0301") == []


def test_a_tombstone_from_before_numerals_were_read_holds_the_same_words_still() -> None:
    before = Tombstone(
        "<line>",
        tuple(HashedTerm(TermWeight.WORD, (seal(f"word {word}"),)) for word in ("пятьсот", "тысяч", "долг", "иван")),
    )
    assert is_said_again([before], hashed_parts("Долг Ивану: пятьсот тысяч", seal))


def test_a_tombstone_from_before_the_hamza_was_left_out_holds_the_same_words_still() -> None:
    words = ("أختي", "إيمان", "الأردن")
    before = Tombstone("<line>", tuple(HashedTerm(TermWeight.WORD, (seal(f"word {word}"),)) for word in words))
    assert is_said_again([before], hashed_parts(" ".join(words), seal))

"""What is said of a day by the day it was said on is kept as a date, or not at all."""

import pytest

from mnemoscope.llm.offline.consolidation import memory_update
from mnemoscope.llm.offline.relative_dates import with_absolute_dates
from mnemoscope.llm.offline.request_reader import SpokenMessage

SUNDAY, MONDAY = "2026-11-22 10:00", "2026-11-23 10:00"
SAID = {
    ("The alarm code changes tomorrow", SUNDAY): "The alarm code changes 23 November 2026",
    ("The glaze load is next Tuesday", SUNDAY): "The glaze load is Tuesday 24 November 2026",
    ("The glaze load is on next Tuesday", MONDAY): "The glaze load is on Tuesday 1 December 2026",
    ("The glaze load is this Tuesday", MONDAY): "The glaze load is Tuesday 24 November 2026",
    ("It was fired last Sunday", SUNDAY): "It was fired Sunday 15 November 2026",
    ("The review is the coming Sunday", SUNDAY): "The review is Sunday 29 November 2026",
    ("The release is next week", SUNDAY): "The release is in the week of 23 November 2026",
    ("The release is next month", "2026-12-31 09:00"): "The release is in January 2027",
    ("The budget was set last year", SUNDAY): "The budget was set in 2025",
    ("The meeting is in three days", SUNDAY): "The meeting is on 25 November 2026",
    ("The meeting is in 2 weeks' time", SUNDAY): "The meeting is on 6 December 2026",
    ("Moved here a year ago", SUNDAY): "Moved here in 2025",
    ("The market opens tonight", SUNDAY): "The market opens on the evening of 22 November 2026",
    ("会议在下周二", SUNDAY): "会议在2026年11月24日",
    ("明天开窑", SUNDAY): "2026年11月23日开窑",
    ("Завтра идёт к врачу", SUNDAY): "23 ноября 2026 года идёт к врачу",
    ("Экзамен в следующий вторник", MONDAY): "Экзамен во вторник, 1 декабря 2026 года",
    ("Рейс был в прошлую среду", MONDAY): "Рейс был в среду, 18 ноября 2026 года",
    ("На следующей неделе летит в Рим", MONDAY): "На неделе с 30 ноября 2026 года летит в Рим",
    ("Через две недели экзамен", SUNDAY): "6 декабря 2026 года экзамен",
    ("Переехал два месяца назад", SUNDAY): "Переехал в сентябре 2026 года",
    ("В следующем году на пенсию", SUNDAY): "В 2027 году на пенсию",
    ("Ertaga shifokorga boradi", SUNDAY): "2026-yil 23-noyabrda shifokorga boradi",
    ("Kelasi hafta Rimga uchadi", MONDAY): "2026-yil 30-noyabr haftasida Rimga uchadi",
    ("Ikki haftadan keyin imtihon", SUNDAY): "2026-yil 6-dekabrda imtihon",
    ("Uch oy oldin ko‘chdi", SUNDAY): "2026-yil avgustda ko‘chdi",
    ("Ўтган йил уйланди", SUNDAY): "2025 йилда уйланди",
    ("Эртага шифокорга боради", SUNDAY): "2026 йил 23 ноябрда шифокорга боради",
    ("Келаси ҳафта Римга учади", MONDAY): "2026 йил 30 ноябр ҳафтасида Римга учади",
}
LASTING = [
    "Studio is open on Thursdays and Saturdays",
    "Prefers today's news first",
    "The deadline is 12 May",
    "Kiln is serviced every March",
    "Meets next to the station",
    "The meeting is every Monday at 10",
    "Каждый вторник бегает",
    "Har kecha kitob o‘qiydi",
    "Кечаси ишлайди",
]


@pytest.mark.parametrize(("words", "when"), SAID)
def test_a_relative_day_becomes_a_date(words: str, when: str) -> None:
    assert with_absolute_dates(words, when) == SAID[words, when]


@pytest.mark.parametrize("words", LASTING)
@pytest.mark.parametrize("when", [SUNDAY, "?"])
def test_what_always_holds_stays_as_it_was_said(words: str, when: str) -> None:
    assert with_absolute_dates(words, when) == words


@pytest.mark.parametrize("words", ["The load is next Tuesday", "It opens tomorrow", "Left in two weeks"])
def test_without_the_moment_it_was_said_nothing_is_kept(words: str) -> None:
    assert with_absolute_dates(words, "?") is None


def test_days_that_nobody_could_place_are_not_kept() -> None:
    assert with_absolute_dates("The deadline is in a few weeks", SUNDAY) is None
    assert with_absolute_dates("预算下个月定", SUNDAY) is None
    assert with_absolute_dates("Завтрашний экзамен трудный", SUNDAY) is None
    assert with_absolute_dates("Ertangi imtihon qiyin", SUNDAY) is None


def test_memory_holds_the_date_and_no_line_that_depends_on_when_it_is_read() -> None:
    spoken = [
        SpokenMessage(SUNDAY, "USER", (), "Remember that the glaze load is next Tuesday."),
        SpokenMessage("?", "USER", (), "Remember that the clay comes tomorrow."),
        SpokenMessage(SUNDAY, "USER", (), "Remember that the kiln is blue."),
    ]
    memory = memory_update("# Notes\n", spoken)
    assert memory == "# Notes\n\n- Glaze load is Tuesday 24 November 2026\n- The kiln is blue\n"

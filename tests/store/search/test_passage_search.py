"""Search over everything: true to the files whatever happens to them, and nothing hides behind anything."""

import os
from collections.abc import Collection, Sequence
from typing import Any

import pytest

from mnemoscope.domain.search.query import parse_query
from mnemoscope.domain.search.weights import Weights
from mnemoscope.store.search import passage_index, passage_search
from mnemoscope.store.search.passage_search import PassageFinder, PassageSearch, shipped_words
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.search_sources import MOST_KEPT, SearchKind
from mnemoscope.store.search.vectors import Nearness
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.search_files import again, found, message, session


def test_files_that_models_of_other_programs_keep_are_found_and_no_link_is_followed(
    paths: WorkspacePaths, search: Any
) -> None:
    kept = paths.root / "memories" / "people" / "ann.md"
    kept.parent.mkdir(parents=True)
    kept.write_text("# Ann\n- owns a bandicoot\n")
    (paths.root / "outside.txt").write_text("a secret bandicoot\n")
    (kept.parent / "link.txt").symlink_to(paths.root / "outside.txt")
    (kept.parent / ".hidden.md").write_text("a hidden bandicoot\n")
    (paths.root / "memories" / "photo.bin").write_text("no bandicoot\n")
    search.passages.catch_up()
    assert found(search, "bandicoot") == [("memories/people/ann.md", 2, "- owns a bandicoot")]
    kept.unlink()
    search.passages.catch_up()
    assert found(search, "bandicoot") == []


def test_no_more_of_them_are_read_than_a_person_has(paths: WorkspacePaths, search: Any) -> None:
    folder = paths.root / "memories"
    folder.mkdir()
    for number in range(MOST_KEPT + 1):
        (folder / f"{number:04}.md").write_text("bandicoot\n" if number >= MOST_KEPT - 1 else "\n")
    search.passages.catch_up()
    assert [path for path, _, _ in found(search, "bandicoot")] == [f"memories/{MOST_KEPT - 1:04}.md"]


def test_a_folder_of_them_that_is_a_link_is_not_followed(paths: WorkspacePaths, search: Any) -> None:
    (paths.root / "elsewhere").mkdir()
    (paths.root / "elsewhere" / "a.md").write_text("bandicoot\n")
    (paths.root / "memories").symlink_to(paths.root / "elsewhere")
    search.passages.catch_up()
    assert found(search, "bandicoot") == []


def test_everything_that_is_remembered_is_found(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("# Memory\n- likes quokkas\n")
    (paths.root / "USER.md").write_text("a quokka person\n")
    (paths.root / "SESSION-STATE.md").write_text("- **preference**: quokka\n")
    (paths.memory_dir / "2026-03-06.md").write_text("## [10:00:00]\n**User:** quokka day\n")
    (paths.memory_dir / "working-buffer.md").write_text("quokka again\n")
    paths.history_file.write_text("[2026-03-01 10:00] Quokkas came up.\n")
    paths.history_jsonl.write_text('{"cursor": 1, "timestamp": "2026-03-01 10:00", "content": "Quokka line."}\n')
    session(paths, message("my quokka is sleepy"))
    (paths.archive_dir / "cli_old-20260101-100000.jsonl").write_text(message("an old quokka"))
    (paths.archive_dir / "cli_old-20260101-100000.SESSION-STATE.md").write_text("- **remember**: feed the quokka\n")
    assert sorted(path for path, _, _ in found(search, "quokka")) == [
        "SESSION-STATE.md",
        "USER.md",
        "memory/2026-03-06.md",
        "memory/HISTORY.md",
        "memory/MEMORY.md",
        "memory/history.jsonl",
        "sessions/archive/cli_old-20260101-100000.SESSION-STATE.md",
        "sessions/archive/cli_old-20260101-100000.jsonl",
        "sessions/cli_direct.jsonl",
    ]
    assert search.passages.state.is_current
    assert search.passages.state.passages == 9


def test_a_message_is_found_with_its_conversation_and_its_number(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("hello", "assistant"), message("my quokka is sleepy"))
    (paths.sessions_dir / "telegram_7.jsonl").write_text(message("a quokka in a file without a key"))
    search.passages.catch_up()
    first, second = search.passages.find("quokka sleepy")
    assert (first.session_key, first.message_index, first.line, first.role) == ("cli:direct", 1, 3, "user")
    assert (second.session_key, second.message_index) == ("telegram:7", 0)
    assert [first.text[start:stop] for start, stop in first.mark(first.text)] == ["quokka", "sleepy"]


def test_what_is_appended_is_found_and_nothing_twice(paths: WorkspacePaths, search: Any) -> None:
    file = session(paths, message("one quokka"))
    assert len(found(search, "quokka")) == 1
    with file.open("a") as more:
        more.write(message("two quokkas"))
    assert [line for _, line, _ in found(search, "quokka")] == [3, 2]
    with file.open("a") as more:
        more.write(message("three quokkas").rstrip("\n"))
    assert len(found(search, "quokka")) == 3
    with file.open("a") as more:
        more.write("\n")
    assert len(found(search, "quokka")) == 3
    assert again(paths, "quokka") == found(search, "quokka")


def test_an_entry_that_grows_is_found_as_it_is(paths: WorkspacePaths, search: Any) -> None:
    paths.history_file.write_text("[2026-03-01 10:00] One.\n\n[2026-03-02 10:00] Two.\n")
    assert found(search, "quokka") == []
    with paths.history_file.open("a") as more:
        more.write("\nMore of a quokka.\n\n[2026-03-03 10:00] A quokka is third.\n")
    assert [line for _, line, _ in found(search, "quokka")] == [7, 3]


def test_an_edited_line_is_found_as_it_is_and_the_rest_where_it_moved(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a wombat\n- a quokka\n- a quokka\n")
    assert len(found(search, "quokka")) == 1
    paths.memory_file.write_text("# Animals\n\n- a dingo\n- a wombat\n")
    assert found(search, "quokka") == []
    assert found(search, "wombat") == [("memory/MEMORY.md", 4, "- a wombat")]
    paths.memory_file.write_text("# Animals\n\n\n\n- a wombat\n")
    assert found(search, "wombat") == [("memory/MEMORY.md", 5, "- a wombat")]


def test_what_is_deleted_is_gone_from_the_index_too(paths: WorkspacePaths, search: Any) -> None:
    file = session(paths, *(message(f"quokka {number}") for number in range(300)))
    paths.memory_file.write_text("- a secret quokka\n")
    assert len(found(search, "quokka", limit=400)) >= 100
    file.unlink()
    paths.memory_file.write_text("")
    assert found(search, "quokka") == []
    assert search.passages.index.db.execute("SELECT count(*) FROM passages").fetchone() == (0,)
    search.close()
    assert b"quokka" not in paths.own.search_file.read_bytes()


def test_a_conversation_that_was_rewritten_is_read_anew(paths: WorkspacePaths, search: Any) -> None:
    file = session(paths, message("a quokka"), message("a wombat"))
    assert len(found(search, "quokka")) == 1
    file.write_text(message("a dingo that is as long as all of it was before, and longer" * 3))
    assert found(search, "quokka") == []
    assert len(found(search, "dingo")) == 1
    file.write_text(message("short"))
    assert found(search, "dingo") == []


def test_an_edit_in_the_middle_is_seen_after_a_restart_too(paths: WorkspacePaths) -> None:
    file = session(paths, message("a quokka"), message("filler " * 900), message("filler " * 900))
    assert len(again(paths, "quokka")) == 1
    changed = file.read_text().replace("quokka", "wombat") + message("more")
    file.write_text(changed)
    assert again(paths, "quokka") == []
    assert len(again(paths, "wombat")) == 1


def test_nothing_is_read_again_where_nothing_changed(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("a quokka"))
    search.passages.catch_up()
    assert not search.passages.refresh()
    assert not search.passages.work(1.0)


def test_a_long_line_and_a_long_entry_are_read_whole(paths: WorkspacePaths, search: Any) -> None:
    paths.history_file.write_text("[2026-03-01 10:00] " + "filler " * 9_000 + "quokka\n\n[2026-03-02 10:00] End.\n")
    session(paths, message("filler " * 9_000 + "wombat"), message("last"))
    assert len(found(search, "quokka")) == 1
    assert len(found(search, "wombat")) == 1


def test_a_large_file_is_taken_in_by_short_steps(paths: WorkspacePaths, search: Any) -> None:
    session(paths, *(message(f"quokka number {number}") for number in range(2_000)))
    assert search.passages.refresh()
    steps = 0
    while search.passages.work(0.0):
        steps += 1
        assert not search.passages.state.is_current
    assert steps > 2
    assert found(search, "quokka 1999")[0][1] == 2_001


@pytest.mark.slow
def test_what_was_begun_is_finished_after_a_restart(paths: WorkspacePaths) -> None:
    session(paths, *(message(f"quokka number {number}") for number in range(2_000)))
    search = WorkspaceSearch(paths)
    search.passages.refresh()
    search.passages.work(0.0)
    search.passages.work(0.0)
    search.close()
    assert len(again(paths, '"quokka number 1999"')) == 1
    assert len(again(paths, '"quokka number 3"')) == 1


def test_many_hits_in_one_place_hide_none_in_another(paths: WorkspacePaths, search: Any) -> None:
    session(paths, *(message(f"quokka {number} quokka") for number in range(400)))
    paths.memory_file.write_text("- somewhere in a very long line of memory, " + "filler " * 40 + "a quokka\n")
    assert "memory/MEMORY.md" in {hit[0] for hit in found(search, "quokka", limit=500)}


@pytest.mark.slow
def test_a_line_with_all_the_words_is_found_however_common_each_is(paths: WorkspacePaths, search: Any) -> None:
    common = [message(f"quokka report {number} of a day") for number in range(1_500)]
    common += [message(f"wombat report {number} of a day") for number in range(1_500)]
    common += [message(f"dingo sighting {number} of a day") for number in range(1_500)]
    session(paths, message("a quokka met a wombat, dingo watching"), *common)
    assert found(search, "quokka wombat")[0][1] == 2
    assert found(search, "quokka wombat dingo")[0][1] == 2


def test_a_phrase_is_found_and_nothing_else(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- tea that is green\n- green tea\n")
    assert found(search, '"green tea"') == [("memory/MEMORY.md", 2, "- green tea")]
    assert found(search, '"tea green"') == []


def test_the_same_said_twice_is_one_result_with_both_places(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- **preference**: I prefer a quokka\n")
    session(paths, message("I prefer a quokka"))
    search.passages.catch_up()
    (hit,) = search.passages.find("quokka")
    assert [one.path for one in hit.duplicates] == ["sessions/cli_direct.jsonl"]


def test_what_is_near_in_meaning_is_fused_with_what_is_found_by_words(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n- something else entirely\n")
    search.passages.catch_up()
    other = search.passages.find("entirely")[0].number
    finder = PassageFinder(search.passages.index)

    def nearness(_among: Collection[int]) -> Nearness:
        return Nearness("m", (other, 99), (other, 99), {other: 1.0, 99: 1.0})

    def found(text: str) -> list[int]:
        return [hit.line for hit in finder.find(parse_query(text, shipped_words()), nearness=nearness)]

    assert found("quokka") == [1, 2]
    assert found("") == [2]


def test_what_answers_in_another_script_is_on_the_first_page_however_much_words_find(
    paths: WorkspacePaths, search: Any
) -> None:
    lines = [f"- the quokka of keeper {number} eats leaves" for number in range(12)]
    others = ["- квокка ест листья", "- зверь ест листву", "- она ест траву"]
    paths.memory_file.write_text("\n".join([*lines, *others]) + "\n", encoding="utf-8")
    search.passages.catch_up()
    numbers = [search.passages.find(words, 1)[0].number for words in ("квокка", "зверь", "траву")]
    finder = PassageFinder(search.passages.index)

    def found(shares: Sequence[float]) -> list[str]:
        def nearness(_among: Collection[int]) -> Nearness:
            near = tuple(number for number, _ in zip(numbers, shares, strict=False))
            return Nearness("m", near, (), dict(zip(numbers, shares, strict=False)))

        query = parse_query("what does the quokka eat?", shipped_words())
        return [hit.text for hit in finder.find(query, nearness=nearness)]

    behind = found((0.3, 0.2, 0.1))
    assert behind[8:10] == others[:2]
    assert behind[-1] == others[2]
    assert sorted(behind) == sorted([*lines, *others])
    assert found(())[:10] == [text for text in behind if text in lines][:10]


def test_meaning_counts_more_where_the_words_found_leave_the_question_unsaid(
    paths: WorkspacePaths, search: Any
) -> None:
    paths.memory_file.write_text("- a quokka\n- it nibbles on green shoots\n- nothing of this\n")
    search.passages.catch_up()
    near = search.passages.find("shoots")[0].number
    finder = PassageFinder(search.passages.index)

    def first(text: str) -> str:
        asked = parse_query(text, shipped_words())
        return finder.find(asked, nearness=lambda _among: Nearness("m", (near,), (), {near: 1.0}))[0].text

    assert first("what is a quokka?") == "- a quokka"
    assert first("what do quokkas chew through during autumn mornings?") == "- it nibbles on green shoots"


def test_what_is_only_nearest_competes_for_a_question_and_is_not_found_alone(
    paths: WorkspacePaths, search: Any
) -> None:
    paths.memory_file.write_text("- a quokka lives here\n- something else entirely\n")
    search.passages.catch_up()
    other = search.passages.find("entirely")[0].number
    finder = PassageFinder(search.passages.index)

    def found(text: str) -> list[int]:
        def nearness(_among: Collection[int]) -> Nearness:
            return Nearness("m", (other,), (), {other: 1.0})

        return [hit.line for hit in finder.find(parse_query(text, shipped_words()), nearness=nearness)]

    assert sorted(found("Where does a quokka live?")) == [1, 2]
    assert found("quokka") == [1]
    assert found("Why wombats dig?") == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [("Why wombats dig?", [1, 2]), ("วอมแบตขุดอะไร", [1, 2]), ("wombats dig", [1]), ("วอมแบตขุด", [1])],
)
def test_where_something_stands_out_the_nearest_others_compete_for_a_question(
    paths: WorkspacePaths, search: Any, text: str, lines: list[int]
) -> None:
    """A question of Thai has no mark, but a word that asks."""
    paths.memory_file.write_text("- a quokka lives here\n- something else entirely\n")
    search.passages.catch_up()
    out, other = (search.passages.find(word)[0].number for word in ("quokka", "entirely"))

    def nearness(_among: Collection[int]) -> Nearness:
        return Nearness("m", (out, other), (out,), {out: 1.0, other: 0.9})

    query = parse_query(text, shipped_words())
    hits = PassageFinder(search.passages.index).find(query, nearness=nearness)
    assert [hit.line for hit in hits] == lines


def test_an_empty_query_finds_nothing(search: Any) -> None:
    assert search.passages.find("?!") == []
    assert search.passages.find("quokka") == []


def test_a_word_being_typed_is_found_before_it_is_whole(paths: WorkspacePaths, search: Any) -> None:
    paths.memory_file.write_text("- a quokka\n")
    search.passages.catch_up()
    paths.memory_file.write_text("- a quokka\n- a quok\n")
    assert found(search, "quok", typing=True) == found(search, "quok")
    assert [hit[2] for hit in found(search, "quok")] == ["- a quok", "- a quokka"]


def test_words_of_the_message_before_find_the_answer(paths: WorkspacePaths, search: Any) -> None:
    session(paths, message("Which bus goes to the quokka park?", "assistant"), message("Number 14"))
    assert (("sessions/cli_direct.jsonl", 3, "Number 14")) in found(search, "quokka park")


def test_a_file_that_was_only_touched_is_as_it_was(paths: WorkspacePaths, search: Any) -> None:
    file = session(paths, message("a quokka"))
    search.passages.catch_up()
    os.utime(file, ns=(1, 1))
    assert len(found(search, "quokka")) == 1


def test_words_of_passages_looked_at_before_are_not_kept_for_ever(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No question looks at as many as are kept in truth.
    monkeypatch.setattr(passage_search, "_CUT_KEPT", 2)
    paths.memory_file.write_text("- one quokka\n- two quokkas\n- a third quokka\n")
    assert len(found(search, "quokka")) == 3


def test_a_hit_that_nobody_marks_has_no_marks() -> None:
    assert SearchHit("MEMORY.md", SearchKind.MEMORY, 1, "a quokka", 1.0).mark("a quokka") == ()


def test_numbers_are_found_however_they_are_grouped(paths: WorkspacePaths, search: Any) -> None:
    lines = ["My number is +998 90 123 45 67", "Hers is 901112233", "Rent is 12 000 a month", "Plate AB 123 CD", "wifi"]
    (paths.root / "memory/MEMORY.md").write_text("".join(f"- {line}\n" for line in lines))
    search.passages.catch_up()
    for asked, number in (
        ("901234567", 0),
        ("+998901234567", 0),
        ("1234567", 0),
        ("90 111 22 33", 1),
        ("12000", 2),
        ("12,000", 2),
        ("AB123CD", 3),
        ("wi-fi", 4),
    ):
        assert found(search, asked)[0][2] == f"- {lines[number]}", asked
    assert found(search, "45 123 90 67")[0][2] == f"- {lines[0]}"
    assert not found(search, "451239067")


def test_a_place_is_found_in_either_alphabet_one_character_and_a_picture_by_itself(
    paths: WorkspacePaths, search: Any
) -> None:
    (paths.root / "memory/MEMORY.md").write_text("- Менинг акам Тошкентда яшайди\n- 我女儿叫小满\n- Fridays: 🍕\n")
    search.passages.catch_up()
    assert found(search, "Toshkent")[0][1] == 1
    assert found(search, "Тошкент")[0][1] == 1
    assert found(search, "女")[0][1] == 2
    assert [hit[1] for hit in found(search, "🍕")] == [3]


def test_a_word_inside_another_is_found_where_it_counts_and_nothing_holds_it_by_itself(paths: WorkspacePaths) -> None:
    paths.memory_file.write_text("- the workshop on Friday\n- a bishop\n- tea\n")
    search = WorkspaceSearch(paths)
    assert {text for _, _, text in found(search, "shop")} == {"- a bishop", "- the workshop on Friday"}
    assert search.passages.find("shop")[0].mark("- a bishop") == ((4, 10),)
    assert search.passages.find("sh") == search.passages.find("商店") == []
    paths.memory_file.write_text("- the workshop on Friday\n- a shop\n")
    assert [text for _, _, text in found(search, "shop")] == ["- a shop", "- the workshop on Friday"]
    assert search.passages.index.words_with("shop", 9) == ["shop", "workshop"]
    paths.memory_file.write_text("- the workshop\n- a shop\n- two shops\n- the old shop\n")
    assert "- the workshop" not in {text for _, _, text in found(search, "shop")}
    plain = PassageSearch(paths, search.database, Weights(inside=0))
    assert plain.find("orkshop") == []
    search.close()


@pytest.mark.parametrize(
    ("asked", "whole", "holder"),
    [("API", "- the api key", "- uses FastAPI"), ("dienst", "- im Dienst", "- der Schlüsseldienst kam")],
)
def test_what_is_written_as_a_word_of_its_own_ranks_above_a_part_of_one(
    paths: WorkspacePaths, search: Any, asked: str, whole: str, holder: str
) -> None:
    paths.memory_file.write_text(f"{holder}\n")
    assert [text for _, _, text in found(search, asked)] == [holder]
    paths.memory_file.write_text(f"{whole}\n{holder}\n")
    assert [text for _, _, text in found(search, asked)] == [whole, holder]


def test_a_character_that_stands_for_a_word_is_found_with_the_one_behind_it(paths: WorkspacePaths, search: Any) -> None:
    word = next(each for each in passage_search.shipped_words().spaceless if len(each) == 1)
    paths.memory_file.write_text(f"- {word}\n- 很{word}了\n")
    assert {text for _, _, text in found(search, word)} == {f"- {word}", f"- 很{word}了"}


def test_words_that_were_met_long_ago_are_looked_up_again(
    paths: WorkspacePaths, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_index, "_VOCABULARY_KEPT", 0)
    paths.memory_file.write_text("- a quokka\n")
    assert len(found(search, "quokka")) == 1
    paths.memory_file.write_text("- a quokka\n- a quokka and a wombat\n")
    assert len(found(search, "quokka")) == 2
    assert search.passages.index.words_with("omba", 9) == ["wombat"]


def test_of_the_same_words_those_of_the_day_asked_for_stand_for_all(paths: WorkspacePaths, search: Any) -> None:
    for day in ("2026-05-06", "2026-05-07", "2026-05-08"):
        (paths.memory_dir / f"{day}.md").write_text(f"# {day}\n\n- The bandicoot dug up the garden\n", encoding="utf-8")
    search.passages.catch_up()

    def first(asked: str) -> SearchHit:
        hits: list[SearchHit] = search.passages.find(asked, 5)
        return hits[0]

    assert first("bandicoot garden").path == "memory/2026-05-08.md"
    asked = first("what did the bandicoot do on 7 May 2026")
    assert asked.path == "memory/2026-05-07.md"
    assert {each.path for each in asked.duplicates} == {"memory/2026-05-06.md", "memory/2026-05-08.md"}

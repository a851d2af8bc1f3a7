from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.ui.memory.editor.working_copy import FileText, WorkingCopy

FILE = "# A\n- one\n- two\n"
MINE = FILE + "- mine\n"
THEIRS = FILE.replace("- one\n", "- one\n- theirs\n")
BOTH = THEIRS + "- mine\n"


def writers() -> WorkingCopy:
    made = WorkingCopy()
    made.load(FILE, "v1")
    return made


def test_a_clean_editor_takes_and_a_dirty_one_asks() -> None:
    assert writers().announce(FileText(THEIRS, "v2", "outside"), FILE, dirty=False) == "take"
    assert writers().announce(FileText(THEIRS, "v2", "outside"), MINE, dirty=True) == "ask"


def test_the_same_text_from_elsewhere_is_simply_saved() -> None:
    assert writers().announce(FileText(MINE, "v2", "outside"), MINE, dirty=True) == "take"


def test_a_file_that_went_back_to_what_the_editor_knows_asks_nothing() -> None:
    made = writers()
    made.announce(FileText(THEIRS, "v2", "outside"), MINE, dirty=True)
    assert made.announce(FileText(FILE, "v1", "outside"), MINE, dirty=True) == "nothing"
    assert made.incoming is None


def test_a_draft_whose_ancestor_is_lost_is_merged_after_keep_mine_was_taken_back() -> None:
    made = WorkingCopy()
    made.load(THEIRS, "v2")
    made.resume("v1")
    made.bring_back(made.keep_mine())
    assert made.merge_incoming(MINE).text == BOTH


def test_what_came_after_keep_mine_is_not_lost_when_it_is_taken_back() -> None:
    made = writers()
    made.announce(FileText("old\n", "v2", "outside"), MINE, dirty=True)
    before = made.keep_mine()
    made.announce(FileText(THEIRS, "v3", "outside"), MINE, dirty=True)
    made.bring_back(before)
    assert made.merge_incoming(MINE).text == BOTH


def test_a_save_that_includes_what_waited_settles_it() -> None:
    made = writers()
    made.announce(FileText(THEIRS, "v2", "outside"), MINE, dirty=True)
    assert made.send(MINE) == (MINE, "v1")
    assert made.saved(BOTH, "v3", MINE).text == BOTH
    assert made.incoming is None
    assert made.base.digest == "v3"


LINES = st.lists(st.sampled_from(["- one", "- two", "- three", "- mine", "- also mine"]), max_size=6, unique=True)


@given(LINES, LINES)
def test_no_line_that_was_typed_is_lost_in_a_merge(mine: list[str], theirs: list[str]) -> None:
    made = writers()
    typed = "# A\n" + "".join(f"{line}\n" for line in mine)
    made.announce(FileText("# A\n" + "".join(f"{line}\n" for line in theirs), "v2", "outside"), typed, dirty=True)
    merged = made.merge_incoming(typed).text
    fresh = [line for line in mine if line not in FILE]
    assert [line for line in fresh if line not in merged] == []

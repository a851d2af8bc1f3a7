"""The person's own files of capture: rules, what is switched off, and marks."""

from pathlib import Path

import pytest

from mnemoscope.domain.capture.judgements import Judgement, encode_judgement
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.capture.rule_files import SWITCHED_OFF, load_rules
from mnemoscope.store.capture.user_rules import MARKS, RuleFile, UserCaptureRules
from mnemoscope.store.files.calls import FileCalls

TEA = Judgement("I prefer tea", 0, 12, "preference", "right")


def test_there_is_a_file_to_begin_with_before_anything_is_written(tmp_path: Path) -> None:
    assert UserCaptureRules(tmp_path).files() == [RuleFile("my-rules.toml", "", "")]


def test_files_are_listed_by_name_without_the_one_that_switches_off(tmp_path: Path) -> None:
    own = UserCaptureRules(tmp_path)
    own.write("a.toml", "# a\n", "")
    own.switch_off(["x"])
    (tmp_path / "capture" / "folder.toml").mkdir()
    assert [file.name for file in own.files()] == ["a.toml", "my-rules.toml"]


@pytest.mark.parametrize("name", ["../a.toml", "a/b.toml", "a.txt", ".toml", ""])
def test_only_a_plain_name_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError, match="no name for a file"):
        UserCaptureRules(tmp_path).write(name, "", "")


def test_a_rule_switched_off_is_off_whatever_its_id(tmp_path: Path) -> None:
    own = UserCaptureRules(tmp_path)
    odd = 'a "b" \\ c'
    own.switch_off([odd, "en.name"])
    assert own.switched_off() == {odd, "en.name"}
    assert load_rules(tmp_path).problems == ()
    own.switch_off([])
    assert own.switched_off() == frozenset()


@pytest.mark.parametrize("text", ["", "off = 5", "off = [", "\udcff"])
def test_a_file_of_that_name_by_another_hand_switches_off_nothing(tmp_path: Path, text: str) -> None:
    own = UserCaptureRules(tmp_path)
    assert own.switched_off() == frozenset()
    own.folder.mkdir()
    (own.folder / SWITCHED_OFF).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert own.switched_off() == frozenset()


class Between(FileCalls):
    """Another program adds a line in the moment before ours is put in place."""

    def __init__(self, path: Path, line: str) -> None:
        self._path, self._line = path, line

    def fsync(self, descriptor: int) -> None:
        super().fsync(descriptor)
        line, self._line = self._line, ""
        if line:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)


def test_a_mark_another_program_adds_in_the_same_moment_stays(tmp_path: Path) -> None:
    UserCaptureRules(tmp_path).write_marks([TEA])
    theirs = Judgement("I like rain", 0, 11, "preference", "wrong")
    calls = Between(tmp_path / "capture" / MARKS, encode_judgement(theirs) + "\n")
    own = UserCaptureRules(tmp_path, calls=calls)
    mine = Judgement("Call me Ann", 0, 11, "proper_noun", "right")
    own.write_marks([TEA, mine])
    assert own.marks() == [TEA, mine, theirs]


def test_a_file_that_changed_since_it_was_read_is_not_written_over(tmp_path: Path) -> None:
    own = UserCaptureRules(tmp_path)
    read = own.write("mine.toml", "# one\n", "")
    (own.folder / "mine.toml").write_text("# theirs\n")
    with pytest.raises(StorageError, match=r"mine\.toml was changed by another program"):
        own.write("mine.toml", "# two\n", read.digest)
    assert (own.folder / "mine.toml").read_text() == "# theirs\n"

"""A fact is written to another agent's file as it was shown, or not at all; nobody else's words are lost."""

from __future__ import annotations

import fcntl
import os
import stat
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.copying.fact_target import NOTES, FactCopy, FactForm, FactTarget, FileBudget
from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.store.copying.fact_files import FactFiles
from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.files.calls import FileCalls
from tests.foreign_stores.hashes import hashes_of

BEFORE = "# Ada\n- Lives in Graz\n"
AFTER = "# Ada\n- Lives in Graz\n- Likes tea\n"


def target(root: Path, path: str = "memory/MEMORY.md", form: FactForm = FactForm.BULLET, **more: object) -> FactTarget:
    return FactTarget("claude-code", "Claude Code", root, path, form, **more)  # type: ignore[arg-type]  # its own fields


def kept(root: Path, data: bytes = BEFORE.encode(), path: str = "memory/MEMORY.md") -> Path:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)
    return root / path


def looked(root: Path, fact: str = "- Likes tea", **more: object) -> FactCopy:
    return FactFiles().look(target(root, **more), fact)  # type: ignore[arg-type]  # its own fields


def test_a_fact_is_shown_then_written_then_taken_back(tmp_path: Path) -> None:
    file = kept(tmp_path)
    file.chmod(0o640)
    before = hashes_of(tmp_path)
    copy = looked(tmp_path)
    assert (copy.text_before, copy.text_after, copy.fact) == (BEFORE, AFTER, "Likes tea")
    assert hashes_of(tmp_path) == before
    FactFiles().write(copy)
    assert file.read_text() == AFTER
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [each.name for each in file.parent.iterdir()] == ["MEMORY.md"]
    FactFiles().undo(copy)
    assert file.read_text() == BEFORE
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_fact_is_written_where_another_program_only_reads_the_file_meanwhile(tmp_path: Path) -> None:
    class Read(FileCalls):
        times = 2

        def is_open_elsewhere(self, path: str) -> bool:
            self.times -= 1
            return self.times >= 0

    file = kept(tmp_path)
    calls = Read()
    FactFiles(calls=calls).write(looked(tmp_path))
    assert calls.times < 0
    assert file.read_text() == AFTER


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbf- a\r\n- b\r\n", b"\xef\xbb\xbf- a\r\n- b\r\n- Likes tea\r\n"),
        (b"\xef\xbb\xbf- a\n", b"\xef\xbb\xbf- a\n- Likes tea\n"),
        (b"- a\r\n- b\n", b"- a\r\n- b\n- Likes tea\n"),
        (b"- a\rb\x0c\n", b"- a\rb\x0c\n- Likes tea\n"),
        (b"", b"- Likes tea\n"),
    ],
)
def test_the_file_keeps_its_line_ends_and_its_byte_order_mark(tmp_path: Path, before: bytes, after: bytes) -> None:
    file = kept(tmp_path, before)
    os.utime(file, (1_700_000_000, 1_700_000_000))
    FactFiles().write(looked(tmp_path))
    assert file.read_bytes() == after


def test_a_fact_that_is_there_already_is_not_written(tmp_path: Path) -> None:
    kept(tmp_path, b"- likes **tea**.\r\n")
    copy = looked(tmp_path)
    assert (copy.is_held, copy.before, copy.after) == (True, b"- likes **tea**.\r\n", b"- likes **tea**.\r\n")
    with pytest.raises(StorageError, match="This may not be written there"):
        FactFiles().write(copy)


def test_what_the_agent_would_refuse_is_not_written(tmp_path: Path) -> None:
    file = kept(tmp_path)
    copy = looked(tmp_path, budget=FileBudget(characters=10, is_strict=True))
    with pytest.raises(StorageError, match="This may not be written there"):
        FactFiles().write(copy)
    assert file.read_text() == BEFORE


def test_a_file_that_changed_since_it_was_shown_stays_as_it_is(tmp_path: Path) -> None:
    file = kept(tmp_path)
    copy = looked(tmp_path)
    file.write_text("- theirs\n")
    with pytest.raises(StorageError, match=r"MEMORY\.md was changed meanwhile"):
        FactFiles().write(copy)
    assert file.read_text() == "- theirs\n"
    file.unlink()
    with pytest.raises(StorageError, match=r"MEMORY\.md was changed meanwhile"):
        FactFiles().write(copy)
    assert not file.exists()


def test_an_undo_leaves_what_was_written_since(tmp_path: Path) -> None:
    file = kept(tmp_path)
    copy = looked(tmp_path)
    FactFiles().write(copy)
    file.write_text(AFTER + "- theirs\n")
    with pytest.raises(StorageError, match=r"MEMORY\.md was changed meanwhile"):
        FactFiles().undo(copy)
    assert file.read_text() == AFTER + "- theirs\n"


class WrittenMeanwhile(FileCalls):
    """Another program writes the file in the moment before the two change places."""

    def __init__(self, file: Path, *texts: str) -> None:
        self.file, self.texts = file, list(texts)

    def exchange(self, one: str, other: str) -> bool:
        if self.texts:
            theirs = self.file.with_name("theirs.swp")
            theirs.write_text(self.texts.pop(0))
            os.utime(theirs, (1_700_000_000, 1_700_000_000))
            os.replace(theirs, self.file)
        return super().exchange(one, other)


def test_what_is_written_in_the_moment_of_the_copy_stays(tmp_path: Path) -> None:
    file = kept(tmp_path)
    copy = looked(tmp_path)
    with pytest.raises(StorageError, match=r"MEMORY\.md was changed meanwhile"):
        FactFiles(WrittenMeanwhile(file, "- theirs\n")).write(copy)
    assert file.read_text() == "- theirs\n"
    assert [each.name for each in file.parent.iterdir()] == ["MEMORY.md"]


class IntoOurs(FileCalls):
    """Two programs write: one puts another file in place, one writes into ours while it stands there."""

    def __init__(self, file: Path) -> None:
        self.file, self.turns = file, 0

    def exchange(self, one: str, other: str) -> bool:
        self.turns += 1
        if self.turns == 1:
            theirs = self.file.with_name("theirs.swp")
            theirs.write_text("- first\n")
            os.utime(theirs, (1_700_000_000, 1_700_000_000))
            os.replace(theirs, self.file)
        elif self.turns == 2:
            self.file.write_text("- second\n")
            os.utime(self.file, (1_700_000_000, 1_700_000_000))
        return super().exchange(one, other)


def test_two_texts_that_are_written_in_that_moment_both_stay(tmp_path: Path) -> None:
    file = kept(tmp_path)
    copy = looked(tmp_path)
    with pytest.raises(StorageError, match=r"MEMORY\.md was changed meanwhile"):
        FactFiles(IntoOurs(file)).write(copy)
    said = {each.read_text() for each in file.parent.iterdir()}
    assert {"- first\n", "- second\n"} <= said


def test_a_disk_that_is_full_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    class Full(FileCalls):
        def write(self, descriptor: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

    file = kept(tmp_path)
    with pytest.raises(DiskFull):
        FactFiles(Full()).write(looked(tmp_path))
    assert hashes_of(tmp_path)["memory/MEMORY.md"][0] == digest_of(BEFORE.encode())
    assert [each.name for each in file.parent.iterdir()] == ["MEMORY.md"]


def test_what_a_crash_left_is_removed_with_the_next_copy_and_nothing_else(tmp_path: Path) -> None:
    file = kept(tmp_path)
    old = digest_of(BEFORE.encode())[:16]
    ours = file.with_name(f".MEMORY.md.{digest_of(AFTER.encode())[:16]}-{old}.mnemo-tmp")
    ours.write_text(AFTER)
    others = [file.with_name(".other.md.0123456789ab.mnemo-tmp"), file.with_name(".MEMORY.md.odd.mnemo-tmp")]
    for each in others:
        each.write_text("theirs")
    linked = file.with_name(f".MEMORY.md.{old}-{old}.mnemo-tmp")
    linked.symlink_to(others[0])
    FactFiles().write(looked(tmp_path))
    assert sorted(file.parent.iterdir()) == sorted([file, *others, linked])


class Gone(FileCalls):
    def unlink(self, path: str) -> None:
        super().unlink(path)
        super().unlink(path)


def test_a_leftover_that_another_window_removes_is_no_fault(tmp_path: Path) -> None:
    file = kept(tmp_path)
    old = digest_of(BEFORE.encode())[:16]
    file.with_name(f".MEMORY.md.{old}-{old}.mnemo-tmp").write_text(BEFORE)
    FactFiles(Gone()).write(looked(tmp_path))
    assert file.read_text() == AFTER


# A note


def note(root: Path) -> FactTarget:
    return FactTarget("codex", "Codex", root, NOTES, FactForm.NOTE)


def test_a_note_is_a_file_of_its_own_and_goes_when_it_is_taken_back(tmp_path: Path) -> None:
    files = FactFiles(now=lambda: datetime(2026, 11, 23, 9, 8, 7))
    copy = files.look(note(tmp_path), "Likes tea")
    assert (copy.path, copy.before) == (f"{NOTES}/2026-11-23T09-08-07-likes-tea.md", None)
    assert list(tmp_path.iterdir()) == []
    files.write(copy)
    file = tmp_path / copy.path
    assert file.read_text() == "Add this to memory:\n\n- Likes tea\n"
    with pytest.raises(StorageError, match="was changed meanwhile"):
        files.write(copy)
    files.undo(copy)
    assert not file.exists()
    with pytest.raises(StorageError, match="was changed meanwhile"):
        files.undo(copy)


def test_a_note_of_the_same_name_is_not_replaced(tmp_path: Path) -> None:
    files = FactFiles(now=lambda: datetime(2026, 11, 23, 9, 8, 7))
    first = files.look(note(tmp_path), "Likes tea")
    files.write(first)
    assert files.look(note(tmp_path), "Likes tea").is_held
    second = files.look(note(tmp_path), "Likes: TEA?!")
    assert second.path == f"{NOTES}/2026-11-23T09-08-07-likes-tea-2.md"
    files.write(second)
    assert len(list((tmp_path / NOTES).iterdir())) == 2


# Where nothing is written


def test_no_link_is_written_through_and_no_way_out_is_taken(tmp_path: Path) -> None:
    outside = kept(tmp_path / "outside", path="MEMORY.md")
    root = tmp_path / "root"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").symlink_to(outside)
    (root / "linked").symlink_to(outside.parent)
    for path, words in [
        ("memory/MEMORY.md", r"MEMORY\.md is a symbolic link"),
        ("linked/MEMORY.md", "linked is a symbolic link"),
        ("../outside/MEMORY.md", "lies outside of the store"),
        (str(outside), "lies outside of the store"),
        ("a\0b", "lies outside of the store"),
        ("", "lies outside of the store"),
    ]:
        with pytest.raises(StorageError, match=words):
            FactFiles().look(target(root, path), "Likes tea")
    assert outside.read_text() == BEFORE


def test_a_link_that_is_put_in_place_after_the_look_is_not_written_through(tmp_path: Path) -> None:
    file = kept(tmp_path / "root")
    outside = kept(tmp_path / "outside", path="MEMORY.md")
    copy = looked(tmp_path / "root")
    file.unlink()
    file.symlink_to(outside)
    with pytest.raises(StorageError, match="is a symbolic link"):
        FactFiles().write(copy)
    assert outside.read_text() == BEFORE


def test_a_root_that_is_a_link_of_the_person_s_is_followed(tmp_path: Path) -> None:
    file = kept(tmp_path / "dotfiles")
    (tmp_path / ".claude").symlink_to(tmp_path / "dotfiles")
    FactFiles().write(looked(tmp_path / ".claude"))
    assert file.read_text() == AFTER


def test_a_file_with_other_names_is_not_parted_from_them(tmp_path: Path) -> None:
    file = kept(tmp_path)
    os.link(file, tmp_path / "other")
    with pytest.raises(StorageError, match="has other names") as raised:
        FactFiles().write(looked(tmp_path))
    assert raised.value.next_step == "Nothing was written."
    assert file.read_text() == BEFORE


@pytest.mark.parametrize(
    ("data", "words"), [(b"- a\xff\n", r"MEMORY\.md is no UTF-8"), (b"x" * ((8 << 20) + 1), "longer than 8 MB")]
)
def test_a_file_that_cannot_be_kept_as_it_is_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    kept(tmp_path, data)
    with pytest.raises(StorageError, match=words):
        looked(tmp_path)


def test_a_file_or_a_store_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is not there any more"):
        looked(tmp_path)
    with pytest.raises(StorageError, match="it, or its folder, is not there"):
        looked(tmp_path / "gone")


def test_no_words_are_no_fact(tmp_path: Path) -> None:
    kept(tmp_path)
    with pytest.raises(StorageError, match="There are no words to copy"):
        looked(tmp_path, " \u200b ")


# Hermes' lock


def hermes(root: Path) -> FactTarget:
    return FactTarget("hermes", "Hermes Agent", root, "memories/MEMORY.md", FactForm.SECTION, locks=True)


def test_the_lock_of_the_agent_is_waited_for_and_held(tmp_path: Path) -> None:
    file = kept(tmp_path, b"Lives in Graz", "memories/MEMORY.md")
    copy = FactFiles().look(hermes(tmp_path), "Likes tea")
    with (file.parent / "MEMORY.md.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StorageError, match="Hermes Agent is writing its memory"):
            FactFiles(patience=0).write(copy)
        assert file.read_text() == "Lives in Graz"
        FactFiles(patience=30, pause=lambda _: fcntl.flock(lock, fcntl.LOCK_UN)).write(copy)
    assert file.read_text() == "Lives in Graz\n§\nLikes tea"

    class Held(FileCalls):
        """Looks from outside whether the lock is held while the texts change places."""

        def exchange(self, one: str, other: str) -> bool:
            with (file.parent / "MEMORY.md.lock").open("w") as lock, pytest.raises(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return super().exchange(one, other)

    FactFiles(Held()).undo(copy)
    assert file.read_text() == "Lives in Graz"


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    file = kept(tmp_path, b"Lives in Graz", "memories/MEMORY.md")
    copy = FactFiles().look(hermes(tmp_path), "Likes tea")
    (file.parent / "MEMORY.md.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="its links lead in a circle"):
        FactFiles().write(copy)
    assert not (tmp_path / "elsewhere").exists()
    assert file.read_text() == "Lives in Graz"

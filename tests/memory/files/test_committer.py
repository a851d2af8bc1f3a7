"""Each change of memory becomes a version that says who made it and what it came from."""

from __future__ import annotations

import hashlib
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.domain.commits import CommitInfo
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.memory.files import committer
from mnemoscope.memory.files.committer import note_of
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import RootedCalls
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.sessions.session import Session
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory

MEMORY = "memory/MEMORY.md"


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 10, 0)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    store = MemoryStore(tmp_path, clock=Clock())
    store.write_long_term("# Memory\n\n- likes tea\n")
    return store


def commits_in(root: Path) -> list[tuple[str, str]]:
    return [(info.author, info.subject) for info in GitStore(root).log()]


async def test_a_save_of_the_person_is_a_version_of_theirs(store: MemoryStore, tmp_path: Path) -> None:
    keeper = store.committer()
    assert keeper.commit_changes() == []
    base = store.editing.read_text()
    await store.editing.save_text(base.text + "- has a cat\n", base.digest)
    keeper.commit_changes()
    newest = GitStore(tmp_path).log(1)[0]
    assert (newest.author, newest.subject) == ("You", "memory/MEMORY.md: Edited")
    assert "+ has a cat" in newest.message
    assert newest.files == (MEMORY,)


async def test_the_commits_before_are_read_once_and_again_only_where_others_were_made(
    store: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = store.committer()
    keeper.commit_changes()
    read: list[int] = []
    real = GitStore.log

    def log(git: GitStore, most: int = 20, path: str = "") -> list[CommitInfo]:
        read.append(most)
        return real(git, most, path)

    # Nothing else tells how often git is asked.
    monkeypatch.setattr(GitStore, "log", log)
    for number in range(3):
        await store.editing.save_text(f"- line {number}\n", store.editing.read_text().digest)
        keeper.commit_changes()
    assert read == []
    await store.editing.save_text("- once more\n", store.editing.read_text().digest)
    assert store.committer().commit_changes() == []
    keeper.commit_changes()
    assert len(read) == 2
    subjects = [subject for _, subject in commits_in(tmp_path)]
    assert subjects == ["memory/MEMORY.md: Edited"] * 5 + ["Versions begin"]


async def test_a_file_that_was_not_changed_for_long_is_not_committed_once_more(
    store: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "_LOOKED_BACK", 3)
    for line in ("- one", "- two"):
        await store.editing.save_text(line, store.editing.read_text("USER.md").digest, path="USER.md")
    keeper = store.committer()
    keeper.commit_changes()
    for number in range(4):
        await store.editing.save_text(f"- line {number}\n", store.editing.read_text().digest)
        keeper.commit_changes()
    before = commits_in(tmp_path)
    assert store.committer().commit_changes() == []
    assert commits_in(tmp_path) == before
    state = tmp_path / ".mnemoscope" / "versions.json"
    state.write_text('{"changes": ["odd"]}')
    assert store.committer().commit_changes() == []


def test_a_change_whose_writer_was_not_noted_before_a_crash_is_nobodys() -> None:
    change = MemoryChange("c1", "2026-03-14T10:00:00", MemoryOrigin("recovered", "2026-03-14T09:58:00"), "a", "b")
    note = note_of({MEMORY: change})
    assert (note.author, note.subject) == ("Unknown", "memory/MEMORY.md: Written just before a crash")


async def test_versions_begin_with_the_text_before_the_first_change(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    assert commits_in(tmp_path) == [("You", "memory/MEMORY.md: Edited"), ("Mnemoscope", "Versions begin")]
    first = GitStore(tmp_path).log()[-1]
    assert GitStore(tmp_path).text_at(first.id, MEMORY) is None


async def test_a_consolidation_names_its_messages_and_its_transaction(store: MemoryStore, tmp_path: Path) -> None:
    session = Session("desktop:a")
    for number in range(20):
        session.add_message("user", f"I have a cat called Mau {number}")
    memory = store.read_long_term() + "- has a cat called Mau\n"
    model = ScriptedProvider([save_memory("[2026-03-01 10:00] Talked of Mau.", memory)])
    assert await store.consolidate(session, model, "m", memory_window=10)
    store.committer().commit_changes()
    newest = GitStore(tmp_path).log(1)[0]
    assert (newest.author, newest.subject) == ("Consolidation", "memory/MEMORY.md: Consolidated messages 1 to 15")
    assert newest.trailers["Conversation"] == ("desktop:a",)
    assert newest.trailers["Messages"] == ("0-15",)


def test_one_message_is_named_as_one() -> None:
    origin = MemoryOrigin("consolidation", "2026-03-01T10:00", "desktop:a", 12, 13, "t1")
    change = MemoryChange("t1", "2026-03-01T10:00", origin, "a", "b")
    assert note_of({MEMORY: change}).subject == "memory/MEMORY.md: Consolidated message 13"


async def test_what_another_program_wrote_is_its_own(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    (tmp_path / MEMORY).write_bytes(b"# Memory\r\n\r\n- likes coffee\r\n")
    (tmp_path / "SOUL.md").write_text("Be brief.\n", encoding="utf-8")
    store.editing.read_text()
    keeper = store.committer()
    assert keeper.is_behind()
    keeper.commit_changes()
    assert not keeper.is_behind()
    assert [author for author, _ in commits_in(tmp_path)[:2]] == ["Outside", "Outside"]
    newest = GitStore(tmp_path).log(2)
    assert {path for info in newest for path in info.files} == {MEMORY, "SOUL.md"}
    blob = GitStore(tmp_path).text_at(newest[0].id, MEMORY)
    assert blob == "# Memory\r\n\r\n- likes coffee\r\n"


async def test_changes_made_while_no_version_could_be_are_all_made_later(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    for fact in ("a cat", "a dog", "a bird"):
        base = store.editing.read_text()
        await store.editing.save_text(base.text + f"- has {fact}\n", base.digest)
    store.committer().commit_changes()
    made = GitStore(tmp_path).log(3)
    assert [info.message.split("+ ")[1].split("\n")[0] for info in made] == ["has a bird", "has a dog", "has a cat"]


def test_keeping_twice_makes_nothing_twice(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    before = commits_in(tmp_path)
    store.committer().commit_changes()
    (tmp_path / ".mnemoscope" / "versions.json").unlink()
    store.committer().commit_changes()
    assert commits_in(tmp_path) == before


def test_broken_versions_begin_again_and_that_is_said(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    shutil.rmtree(GitStore(tmp_path).git_dir / "objects")
    store.write_long_term("# Memory\n\n- likes coffee\n")
    (said,) = store.committer().commit_changes()
    assert said.startswith("The versions of memory could not be read and begin again from the files as they are.")
    assert ".mnemoscope/quarantine/versions-" in said
    assert store.read_long_term() == "# Memory\n\n- likes coffee\n"


def test_a_lock_of_another_program_makes_versions_wait(store: MemoryStore, tmp_path: Path) -> None:
    keeper = store.committer()
    keeper.commit_changes()
    lock = GitStore(tmp_path).git_dir / "refs" / "heads" / "main.lock"
    lock.write_bytes(b"")
    store.write_long_term("# Memory\n\n- likes coffee\n")
    assert keeper.commit_changes() == []
    assert keeper.is_behind()
    lock.unlink()
    keeper.commit_changes()
    assert commits_in(tmp_path)[0] == ("You", "memory/MEMORY.md: Edited")


def test_where_nothing_ever_changed_git_is_not_even_begun(tmp_path: Path) -> None:
    keeper = MemoryStore(tmp_path).committer()
    assert not keeper.is_behind()
    assert not (tmp_path / "memory" / ".git").exists()


def test_a_version_bears_the_time_of_its_change_not_that_of_its_making(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    edited, first = GitStore(tmp_path).log()
    when = datetime.fromisoformat(store.editing.changes(MEMORY)[-1].when)
    assert datetime.fromtimestamp(edited.seconds) == datetime.fromtimestamp(first.seconds) == when


@pytest.mark.parametrize("when", ["", "some day", "1969-12-31T23:59:00"])
def test_a_change_whose_time_git_cannot_tell_is_a_version_of_now(when: str) -> None:
    assert note_of({MEMORY: MemoryChange("c1", when, MemoryOrigin("editor"), "", "")}).when is None


async def test_a_clock_that_stands_still_or_goes_back_keeps_the_order_of_changes(tmp_path: Path) -> None:
    times = iter([datetime(2026, 3, 1, 10, 0)] * 40 + [datetime(2025, 1, 1)] * 400)
    store = MemoryStore(tmp_path, clock=lambda: next(times))
    for fact in ("a cat", "a dog", "a bird", "a fish"):
        base = store.editing.read_text()
        await store.editing.save_text(base.text + f"- has {fact}\n", base.digest)
        soul = store.editing.read_text("SOUL.md")
        await store.editing.save_text(soul.text + f"Speak of {fact}.\n", soul.digest, path="SOUL.md")
    store.committer().commit_changes()
    for path, begin in ((MEMORY, "- has "), ("SOUL.md", "Speak of ")):
        texts = [GitStore(tmp_path).text_at(info.id, path) or "" for info in GitStore(tmp_path).log(99, path)]
        assert [text.count(begin) for text in texts] == [4, 3, 2, 1]
    assert {author for author, _ in commits_in(tmp_path)} == {"You", "Mnemoscope"}


def test_what_a_killed_process_left_in_the_repository_stands_in_nobodys_way(store: MemoryStore, tmp_path: Path) -> None:
    store.committer().commit_changes()
    half_made = tmp_path / "memory" / ".git-0123abcd"
    (half_made / "objects").mkdir(parents=True)
    theirs = tmp_path / "memory" / ".git-notes"
    theirs.mkdir()
    store.write_long_term("# Memory\n\n- likes coffee\n")
    blob = store.memory_file.read_bytes()
    name = hashlib.sha1(b"blob %d\0" % len(blob) + blob).hexdigest()
    lock = GitStore(tmp_path).git_dir / "objects" / name[:2] / f"{name[2:]}.lock"
    lock.parent.mkdir(exist_ok=True)
    lock.write_bytes(b"half")
    store.committer().commit_changes()
    assert commits_in(tmp_path)[0] == ("You", "memory/MEMORY.md: Edited")
    assert not half_made.exists()
    assert not lock.exists()
    assert theirs.exists()


def test_in_a_folder_that_took_the_place_of_the_workspace_no_version_is_made(tmp_path: Path) -> None:
    root = tmp_path / "home"
    (root / "memory").mkdir(parents=True)
    store = MemoryStore(root, clock=Clock(), calls=RootedCalls(root))
    store.write_long_term("# Memory\n\n- likes tea\n")
    root.rename(tmp_path / "elsewhere")
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("Of another workspace.\n", encoding="utf-8")
    assert store.committer().commit_changes() == []
    assert [path.name for path in root.rglob("*")] == ["memory", "MEMORY.md"]

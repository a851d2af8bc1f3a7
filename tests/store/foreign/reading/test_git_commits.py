"""The commits of an agent's memory are read, loose and packed, whatever is wrong with them, and nothing is written."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.store.foreign.reading import git_commits
from mnemoscope.store.foreign.reading.git_commits import GitCommits
from mnemoscope.store.foreign.reading.store_files import MOST_BYTES, StoreFiles
from tests.foreign_stores.git_memory import BEGAN, GitMemory, back, delta, entry
from tests.foreign_stores.hashes import hashes_of

BLOB = 3


@pytest.fixture
def memory(tmp_path: Path) -> GitMemory:
    return GitMemory(tmp_path / "memory")


def read(memory: GitMemory, path: str = "system/human.md") -> tuple[list[tuple[str, str, str]], list[str]]:
    """Returns the subject and the texts of each commit of a file, and what could not be read."""
    files = StoreFiles(memory.root)
    commits = GitCommits(files, "")
    found = [(each.subject, each.before, each.after) for each in commits.of_file(path)]
    commits.close()
    return found, files.problems


def two(memory: GitMemory) -> tuple[str, str]:
    return memory.commit("one", {"system/human.md": "a\n"}), memory.commit("two", {"system/human.md": "a\nb\n"})


def blob_of(memory: GitMemory, text: bytes) -> str:
    """Returns the id of the blob that holds a text."""
    for path in (memory.git / "objects").glob("??/*"):
        if zlib.decompress(path.read_bytes()).partition(b"\0")[2] == text:
            return path.parent.name + path.name
    raise AssertionError(text)


def test_commits_that_changed_a_file_are_told_oldest_first_and_nothing_is_written(memory: GitMemory) -> None:
    memory.commit("begin", {"notes.md": "x\n"})
    first = memory.commit("one", {"system/human.md": "a\n", "notes.md": "x\n"})
    memory.commit("other", {"system/human.md": "a\n", "notes.md": "y\n"})
    memory.commit("away", {"notes.md": "y\n"})
    memory.commit("back", {"system/human.md": "b\n"})
    before = hashes_of(memory.root)
    commits = GitCommits(StoreFiles(memory.root), "")
    found = commits.of_file("system/human.md")
    assert [(each.subject, each.before, each.after) for each in found] == [
        ("one", "", "a\n"),
        ("away", "a\n", ""),
        ("back", "", "b\n"),
    ]
    assert (found[0].id, found[0].author) == (first, "Letta Code")
    assert found[0].when == datetime.fromtimestamp(BEGAN + 120, UTC)
    assert [each.subject for each in commits.of_file("notes.md")] == ["begin", "other", "back"]
    assert commits.of_file("nowhere.md") == []
    commits.close()
    commits.close()
    assert hashes_of(memory.root) == before


def test_a_file_in_the_place_of_a_folder_is_another_file(memory: GitMemory) -> None:
    memory.commit("file", {"system": "text\n"})
    memory.root.joinpath("system").unlink()
    memory.commit("folder", {"system/human.md": "a\n"})
    assert read(memory) == ([("folder", "", "a\n")], [])


def test_what_is_not_waited_for_is_not_read(memory: GitMemory) -> None:
    two(memory)
    commits = GitCommits(StoreFiles(memory.root), "")
    assert commits.of_file("system/human.md", lambda: False) == []
    asked = iter([True, True, True, False, False])
    assert commits.of_file("system/human.md", lambda: next(asked)) == []
    assert len(commits.of_file("system/human.md")) == 2


def test_packed_references_and_a_head_by_itself(memory: GitMemory) -> None:
    first, second = two(memory)
    reference = memory.git / "refs" / "heads" / "main"
    reference.unlink()
    (memory.git / "packed-refs").write_text(
        f"# pack-refs with: peeled\n{first} refs/heads/old\n{second} refs/heads/main\n"
    )
    assert len(read(memory)[0]) == 2
    (memory.git / "HEAD").write_text(f"{first}\n")
    assert len(read(memory)[0]) == 1
    for other in ("ref: refs/heads/none", "ref: refs/../../../etc/passwd", "ref: refs/heads/..", "nothing", ""):
        (memory.git / "HEAD").write_text(other)
        assert read(memory) == ([], [])
    (memory.git / "HEAD").unlink()
    assert read(memory) == ([], [])


def test_a_folder_that_is_no_repository_has_no_commits(tmp_path: Path) -> None:
    files = StoreFiles(tmp_path)
    assert GitCommits(files, "memories").of_file("a.md") == []
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / ".git").write_text("gitdir: /elsewhere\n")
    assert GitCommits(files, "memories").of_file("a.md") == []
    (tmp_path / "other" / ".git").mkdir(parents=True)
    (tmp_path / "other" / ".git" / "HEAD").write_text("0" * 40)
    assert GitCommits(files, "other").of_file("a.md") == []
    assert files.problems == []
    (tmp_path / "other" / ".git" / "objects").mkdir()
    assert GitCommits(files, "other").of_file("a.md") == []
    assert files.problems == ["The commits in other could not all be read."]


def test_what_lies_elsewhere_is_not_followed(memory: GitMemory, tmp_path: Path) -> None:
    two(memory)
    elsewhere = tmp_path / "elsewhere"
    for place in (memory.git / "objects" / "pack", memory.git / "objects", memory.git):
        (elsewhere / place.name).parent.mkdir(exist_ok=True)
        place.rename(elsewhere / place.name)
        place.symlink_to(elsewhere / place.name)
        assert read(memory) == ([], ["The commits in the folder are a link out of the store and were not followed."])
        place.unlink()
        (elsewhere / place.name).rename(place)
    head = memory.git / "HEAD"
    (elsewhere / "HEAD").write_text(head.read_text())
    head.unlink()
    head.symlink_to(elsewhere / "HEAD")
    assert read(memory) == ([], [])
    head.unlink()
    head.write_text("ref: refs/heads/main\n")
    (memory.git / "objects" / "info").mkdir(exist_ok=True)
    (memory.git / "objects" / "info" / "alternates").write_text(str(elsewhere))
    assert read(memory) == ([], ["The commits in the folder lie in another repository and are not read."])


def test_of_very_many_commits_the_newest_are_read(memory: GitMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_commits, "_MOST_COMMITS", 1)
    two(memory)
    assert read(memory) == (
        [("two", "", "a\nb\n")],
        ["The commits in the folder are more than 1; the older ones are not read."],
    )


def test_a_packed_object_is_read_along_its_deltas(memory: GitMemory) -> None:
    two(memory)
    one, other = blob_of(memory, b"a\n"), blob_of(memory, b"a\nb\n")
    base = entry(BLOB, b"a\n")
    memory.pack([(one, base), (other, entry(6, delta(2, b"a\nb\n"), before=back(len(base))))])
    assert [after for *_, after in read(memory)[0]] == ["a\n", "a\nb\n"]


def test_a_delta_may_name_what_it_is_on(memory: GitMemory) -> None:
    two(memory)
    one, other = blob_of(memory, b"a\n"), blob_of(memory, b"a\nb\n")
    named = entry(7, delta(2, b"a\nb\n"), before=bytes.fromhex(one))
    memory.pack([(other, named), ("1" * 40, entry(BLOB, b"x" * 300)), (one, entry(BLOB, b"a\n"))])
    assert [after for *_, after in read(memory)[0]] == ["a\n", "a\nb\n"]


def too_large(memory: GitMemory, name: str) -> None:
    memory.loose(name).chmod(0o644)
    memory.loose(name).write_bytes(zlib.compress(b"blob 1\0" + b"x" * (4 * MOST_BYTES)))


def too_large_packed(memory: GitMemory, name: str) -> None:
    memory.pack([(name, entry(BLOB, b"x", length=1 << 40))])


def too_large_made(memory: GitMemory, name: str) -> None:
    base = entry(BLOB, b"a\n")
    memory.pack([("1" * 40, base), (name, entry(6, delta(2, b"x", length=1 << 50), before=back(len(base))))])


@pytest.mark.parametrize("spoil", [too_large, too_large_packed, too_large_made])
def test_of_a_text_that_is_too_large_nothing_is_read(
    memory: GitMemory, spoil: Callable[[GitMemory, str], None]
) -> None:
    two(memory)
    spoil(memory, blob_of(memory, b"a\n"))
    assert read(memory) == ([("one", "", ""), ("two", "", "a\nb\n")], [])


def cut(memory: GitMemory, name: str) -> None:
    path = memory.loose(name)
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-5])


def another_kind(memory: GitMemory, name: str) -> None:
    memory.loose(name).chmod(0o644)
    memory.loose(name).write_bytes(zlib.compress(b"tree 0\0"))


def gone(memory: GitMemory, name: str) -> None:
    memory.loose(name).unlink()


def on_nothing(memory: GitMemory, name: str) -> None:
    memory.pack([(name, entry(7, delta(2, b"a\n"), before=b"\1" * 20))])


def on_what_comes_later(memory: GitMemory, name: str) -> None:
    memory.pack([(name, entry(6, delta(2, b"a\n"), before=back(5_000)))])


def in_a_circle(memory: GitMemory, name: str) -> None:
    memory.pack([(name, entry(7, delta(2, b"a\n"), before=bytes.fromhex(name)))])


@pytest.mark.parametrize("spoil", [cut, another_kind, gone, on_nothing, on_what_comes_later, in_a_circle])
def test_a_text_that_is_damaged_is_told(memory: GitMemory, spoil: Callable[[GitMemory, str], None]) -> None:
    two(memory)
    spoil(memory, blob_of(memory, b"a\n"))
    assert read(memory) == ([], ["The commits in the folder could not be read."])


@pytest.mark.parametrize("spoil", [cut, another_kind, gone])
def test_commits_behind_a_damaged_one_are_not_read(memory: GitMemory, spoil: Callable[[GitMemory, str], None]) -> None:
    first, _ = two(memory)
    spoil(memory, first)
    assert read(memory) == ([("two", "", "a\nb\n")], ["The commits in the folder could not all be read."])


def test_a_time_beyond_reason_is_none(memory: GitMemory) -> None:
    memory.commit("far", {"system/human.md": "a\n"}, when=10**15)
    commits = GitCommits(StoreFiles(memory.root), "")
    assert [(each.subject, each.when) for each in commits.of_file("system/human.md")] == [("far", None)]


def test_several_packs_are_looked_into(memory: GitMemory) -> None:
    two(memory)
    for text in (b"a\n", b"a\nb\n"):
        memory.pack([(blob_of(memory, text), entry(BLOB, text))])
    assert [after for *_, after in read(memory)[0]] == ["a\n", "a\nb\n"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(0, 40), at=st.floats(0, 1), data=st.binary(max_size=6))
def test_no_bytes_make_it_fail(memory: GitMemory, number: int, at: float, data: bytes) -> None:
    if not memory.newest:
        two(memory)
        one, other = blob_of(memory, b"a\n"), blob_of(memory, b"a\nb\n")
        base = entry(BLOB, b"a\n")
        memory.pack([(one, base), (other, entry(6, delta(2, b"a\nb\n"), before=back(len(base))))])
    paths = sorted(path for path in memory.git.rglob("*") if path.is_file())
    path = paths[number % len(paths)]
    sound = path.read_bytes()
    path.chmod(0o644)
    place = int(at * len(sound))
    path.write_bytes(sound[:place] + data + sound[place + len(data) :])
    read(memory)
    path.write_bytes(sound)

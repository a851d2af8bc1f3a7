"""What the person agreed to of a folder comes back as it was kept, for that very folder, and otherwise not at all."""

import errno
import json
import os
import stat
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from mnemoscope.domain.errors import DiskFull, StorageError
from mnemoscope.domain.trust import FolderIdentity, Terms
from mnemoscope.store.workspace.trust_store import SIZE_LIMIT, TrustStore, identity_of
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill
from tests.support.privileges import as_nobody, reachable_folder

FOLDER = FolderIdentity("/home/someone/notes", 64, 4711)
TERMS = Terms(
    {"model": "openai/gpt-4o", "exec_enabled": True, "dream_batch": 20, "api_base": "https://example.org/ü\ud800"},
    {"AGENTS.md": "a" * 64, "skills/tea/SKILL.md": "b" * 64},
)
OTHERS = Terms({"model": "openai/gpt-4o-mini"})
Document = dict[str, Any]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Returns a folder of records in which TERMS are kept of FOLDER."""
    TrustStore(tmp_path / "trust").save(FOLDER, TERMS)
    return tmp_path / "trust"


def record_in(folder: Path) -> Path:
    (record,) = folder.iterdir()
    return record


def rewrite(folder: Path, change: Callable[[Document], object]) -> None:
    document = json.loads(record_in(folder).read_bytes())
    change(document)
    record_in(folder).write_text(json.dumps(document), "ascii")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# Kept and found again.


def test_what_was_agreed_to_is_known_in_the_next_run(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert TrustStore(kept).load(FOLDER) == TERMS
    TrustStore(kept).save(FOLDER, OTHERS)
    assert TrustStore(kept).load(FOLDER) == OTHERS
    TrustStore(kept).save(FOLDER, Terms())
    assert TrustStore(kept).load(FOLDER) == Terms()
    assert caplog.messages == []


def test_nothing_is_known_and_nothing_is_said_of_a_folder_never_asked_about(
    tmp_path: Path, kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert TrustStore(tmp_path / "none").load(FOLDER) is None
    assert not (tmp_path / "none").exists()
    assert TrustStore(kept).load(replace(FOLDER, path="/home/someone/other")) is None
    assert caplog.messages == []


def test_each_folder_has_its_own_record(kept: Path) -> None:
    other = FolderIdentity("/home/someone/\\xff", 64, 4712)
    TrustStore(kept).save(other, OTHERS)
    assert len(list(kept.iterdir())) == 2
    assert TrustStore(kept).load(FOLDER) == TERMS
    assert TrustStore(kept).load(other) == OTHERS


def test_without_a_folder_it_is_known_until_the_program_ends() -> None:
    store = TrustStore()
    assert store.load(FOLDER) is None
    store.save(FOLDER, TERMS)
    assert store.load(FOLDER) == TERMS
    assert store.load(replace(FOLDER, inode=4712)) is None
    assert TrustStore().load(FOLDER) is None


@pytest.mark.skipif(os.name == "nt", reason="there are no permission bits here")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_the_record_is_for_the_person_alone_whatever_the_mask(tmp_path: Path, mask: int) -> None:
    folder = tmp_path / "state" / "trust"
    before = os.umask(mask)
    try:
        TrustStore(folder).save(FOLDER, TERMS)
        assert (mode_of(folder), mode_of(record_in(folder))) == (0o700, 0o600)
        record_in(folder).chmod(0o666)
        TrustStore(folder).save(FOLDER, OTHERS)
    finally:
        os.umask(before)
    assert mode_of(record_in(folder)) == 0o600
    assert TrustStore(folder).load(FOLDER) == OTHERS


# Another folder.


@pytest.mark.parametrize("other", [replace(FOLDER, device=65), replace(FOLDER, inode=4712)], ids=["device", "inode"])
def test_another_folder_at_the_same_path_is_asked_about(
    kept: Path, caplog: pytest.LogCaptureFixture, other: FolderIdentity
) -> None:
    assert TrustStore(kept).load(other) is None
    (message,) = caplog.messages
    assert message.endswith(f"it is asked about again: {record_in(kept).name}: it is about another folder")
    assert TrustStore(kept).load(FOLDER) == TERMS


def test_the_record_of_one_folder_does_not_hold_for_another_that_it_is_copied_to(kept: Path) -> None:
    other = replace(FOLDER, path="/home/someone/unpacked")
    data = record_in(kept).read_bytes()
    store = TrustStore(kept)
    store.save(other, OTHERS)
    for record in kept.iterdir():
        record.write_bytes(data)
    assert store.load(other) is None
    assert store.load(FOLDER) == TERMS


def test_a_folder_is_the_same_behind_a_link_and_another_once_it_was_replaced(tmp_path: Path) -> None:
    root, store = tmp_path / "notes", TrustStore(tmp_path / "trust")
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    agreed = identity_of(root)
    store.save(agreed, TERMS)
    assert agreed == FolderIdentity(os.path.realpath(root), root.stat().st_dev, root.stat().st_ino)
    assert store.load(identity_of(tmp_path / "link")) == TERMS
    root.rename(tmp_path / "moved")
    with pytest.raises(FileNotFoundError):
        identity_of(root)
    root.mkdir()
    assert store.load(identity_of(root)) is None
    assert store.load(identity_of(tmp_path / "moved")) is None
    root.rmdir()
    (tmp_path / "moved").rename(root)
    assert store.load(identity_of(root)) == TERMS


@pytest.mark.skipif(os.name == "nt", reason="names are text here")
def test_a_folder_whose_name_is_no_text_is_agreed_to_as_well(tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xff"))
    root.mkdir()
    TrustStore(tmp_path / "trust").save(identity_of(root), TERMS)
    assert identity_of(root).path.endswith("/n\\xff")
    assert TrustStore(tmp_path / "trust").load(identity_of(root)) == TERMS


# Damaged.


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"{}", b"7", b"[]", b"null", b"9" * 10_000])
def test_a_record_that_cannot_be_read_is_asked_about_again(
    kept: Path, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    record_in(kept).write_bytes(data)
    assert TrustStore(kept).load(FOLDER) is None
    assert len(caplog.messages) == 1
    TrustStore(kept).save(FOLDER, TERMS)
    assert TrustStore(kept).load(FOLDER) == TERMS


@pytest.mark.slow
def test_a_record_cut_short_anywhere_is_asked_about_again(kept: Path) -> None:
    record, store = record_in(kept), TrustStore(kept)
    whole = record.read_bytes().rstrip()
    for length in range(len(whole)):
        record.write_bytes(whole[:length])
        assert store.load(FOLDER) is None, length
    record.write_bytes(whole)
    assert store.load(FOLDER) == TERMS


@pytest.mark.slow
def test_one_bit_changed_anywhere_never_agrees_to_something_else(kept: Path) -> None:
    record, store = record_in(kept), TrustStore(kept)
    whole = record.read_bytes()
    refused = 0
    for place in range(len(whole)):
        for bit in (0, 4):
            record.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
            found = store.load(FOLDER)
            assert found in (None, TERMS), (place, bit)
            refused += found is None
    assert refused > len(whole)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda said: said.update(format=2), "it is about another folder"),
        (lambda said: said.update(path="/home/someone/other"), "it is about another folder"),
        (lambda said: said["settings"].update(model="openai/other"), "it is damaged"),
        (lambda said: said["settings"].pop("exec_enabled"), "it is damaged"),
        (lambda said: said["files"].update({"SOUL.md": "c" * 64}), "it is damaged"),
        (lambda said: said.update(fingerprint=""), "it is damaged"),
        (lambda said: said.update(settings=[]), "its settings are not readable"),
        (lambda said: said["settings"].update(model=None), "its settings are not readable"),
        (lambda said: said["settings"].update(dream_batch=[2]), "its settings are not readable"),
        (lambda said: said.update(files=[]), "its files are not readable"),
        (lambda said: said["files"].update({"AGENTS.md": 7}), "its files are not readable"),
    ],
)
def test_a_record_that_says_something_else_is_asked_about_again(
    kept: Path, caplog: pytest.LogCaptureFixture, change: Callable[[Document], object], reason: str
) -> None:
    rewrite(kept, change)
    assert TrustStore(kept).load(FOLDER) is None
    (message,) = caplog.messages
    assert message.endswith(f": {reason}")


@pytest.mark.parametrize("name", ["format", "path", "device", "inode", "settings", "files", "fingerprint"])
def test_a_record_that_lacks_something_is_asked_about_again(
    kept: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    rewrite(kept, lambda said: said.pop(name))
    assert TrustStore(kept).load(FOLDER) is None
    (message,) = caplog.messages
    assert message.endswith(f": '{name}'")


def test_a_record_is_read_up_to_its_largest_size(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    record = record_in(kept)
    record.write_bytes(record.read_bytes().ljust(SIZE_LIMIT))
    assert TrustStore(kept).load(FOLDER) == TERMS
    record.write_bytes(record.read_bytes() + b" ")
    assert TrustStore(kept).load(FOLDER) is None
    (message,) = caplog.messages
    assert message.endswith(": it is too large")


# Not this person's, or no file.


@pytest.mark.skipif(os.name == "nt", reason="there are no permission bits here")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_record_that_others_may_write_is_asked_about_again(
    kept: Path, caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    record_in(kept).chmod(0o644)
    assert TrustStore(kept).load(FOLDER) == TERMS
    record_in(kept).chmod(mode)
    assert TrustStore(kept).load(FOLDER) is None
    (message,) = caplog.messages
    assert message.endswith(": another person may have written it")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_record_of_another_person_is_asked_about_again(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.chown(record_in(kept), 65534, -1)
    assert TrustStore(kept).load(FOLDER) is None
    (message,) = caplog.messages
    assert message.endswith(": another person may have written it")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_the_place_of_a_record_is_not_waited_for(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    record = record_in(kept)
    record.unlink()
    os.mkfifo(record, 0o600)
    assert TrustStore(kept).load(FOLDER) is None
    (message,) = caplog.messages
    assert message.endswith(": it is no file")
    TrustStore(kept).save(FOLDER, TERMS)
    assert TrustStore(kept).load(FOLDER) == TERMS


def test_a_folder_in_the_place_of_a_record_is_asked_about_again_and_stays(
    kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = record_in(kept)
    record.unlink()
    record.mkdir()
    (record / "mine").write_text("kept", "utf-8")
    assert TrustStore(kept).load(FOLDER) is None
    assert len(caplog.messages) == 1
    with pytest.raises(StorageError, match="it is a folder"):
        TrustStore(kept).save(FOLDER, TERMS)
    assert (record_in(kept) / "mine").read_text("utf-8") == "kept"


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are followed here")
def test_a_link_in_the_place_of_a_record_is_neither_read_nor_written_through(tmp_path: Path, kept: Path) -> None:
    record, elsewhere = record_in(kept), tmp_path / "elsewhere.json"
    record.rename(elsewhere)
    data = elsewhere.read_bytes()
    record.symlink_to(elsewhere)
    assert TrustStore(kept).load(FOLDER) is None
    TrustStore(kept).save(FOLDER, OTHERS)
    assert not record.is_symlink()
    assert TrustStore(kept).load(FOLDER) == OTHERS
    assert elsewhere.read_bytes() == data


# Writing is refused, or cut off.


def calls_of_a_save(folder: Path) -> list[str]:
    calls = CountedCalls()
    TrustStore(folder, calls=calls).save(FOLDER, OTHERS)
    return calls.names


def test_a_record_is_on_the_disk_before_it_takes_its_place(kept: Path) -> None:
    assert calls_of_a_save(kept) == ["open", "write", "fsync", "replace", "fsync"]


def test_the_folder_of_the_first_record_is_on_the_disk_too(tmp_path: Path) -> None:
    calls = calls_of_a_save(tmp_path / "state" / "trust")
    assert calls == ["mkdir", "fsync", "mkdir", "fsync", "open", "write", "fsync", "replace", "fsync"]


@pytest.mark.parametrize(("error", "kind"), [(errno.ENOSPC, DiskFull), (errno.EIO, StorageError)])
def test_a_refused_write_is_told_and_leaves_what_was_agreed_to(
    tmp_path: Path, kept: Path, error: int, kind: type[StorageError]
) -> None:
    count = len(calls_of_a_save(kept))
    for at in range(1, count + 1):
        folder = tmp_path / str(at)
        TrustStore(folder).save(FOLDER, TERMS)
        with pytest.raises(kind):
            TrustStore(folder, calls=FailingOnce(at, error)).save(FOLDER, OTHERS)
        assert record_in(folder).suffix == ".json"
        assert TrustStore(folder).load(FOLDER) == (TERMS if at < count else OTHERS), at


def test_what_cannot_be_removed_either_hides_nothing(kept: Path) -> None:
    class NeitherReplacedNorRemoved(CountedCalls):
        def replace(self, source: str, target: str) -> None:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

        def unlink(self, path: str) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(StorageError, match="read-only"):
        TrustStore(kept, calls=NeitherReplacedNorRemoved()).save(FOLDER, OTHERS)
    assert len(list(kept.iterdir())) == 2
    assert TrustStore(kept).load(FOLDER) == TERMS


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no permission bits here")
def test_a_folder_that_may_not_be_written_is_told() -> None:
    with reachable_folder() as folder:
        folder.chmod(0o555)
        with as_nobody(), pytest.raises(StorageError, match="access is refused"):
            TrustStore(folder).save(FOLDER, TERMS)
        folder.chmod(0o755)
        assert list(folder.iterdir()) == []


def test_a_file_where_the_records_belong_is_told_and_stays(tmp_path: Path) -> None:
    (tmp_path / "trust").write_text("mine", "utf-8")
    with pytest.raises(StorageError):
        TrustStore(tmp_path / "trust").save(FOLDER, TERMS)
    assert TrustStore(tmp_path / "trust").load(FOLDER) is None
    assert (tmp_path / "trust").read_text("utf-8") == "mine"


@pytest.mark.parametrize("when", ["before", "half", "after"])
def test_an_end_at_any_call_leaves_the_one_or_the_other(tmp_path: Path, kept: Path, when: str) -> None:
    names = calls_of_a_save(kept)
    placed = names.index("replace") + 1
    for at in range(1, len(names) + 1):
        folder = tmp_path / str(at)
        TrustStore(folder).save(FOLDER, TERMS)
        with pytest.raises(SimulatedKill):
            TrustStore(folder, calls=KillingCalls(at, when)).save(FOLDER, OTHERS)
        is_placed = at > placed or (at == placed and when == "after")
        assert TrustStore(folder).load(FOLDER) == (OTHERS if is_placed else TERMS), at
        TrustStore(folder).save(FOLDER, Terms())
        assert TrustStore(folder).load(FOLDER) == Terms()


def test_what_an_end_left_of_a_record_is_gone_once_it_is_saved_again(kept: Path) -> None:
    record = record_in(kept)
    left, others = kept / f".{record.name}.0123456789ab.mnemo-tmp", kept / ".other.json.0123456789ab.mnemo-tmp"
    left.write_text("{")
    others.write_text("{")
    assert TrustStore(kept).load(FOLDER) == TERMS
    TrustStore(kept).save(FOLDER, OTHERS)
    assert not left.exists()
    assert others.exists()
    assert TrustStore(kept).load(FOLDER) == OTHERS


@pytest.mark.skipif(sys.platform == "win32", reason="leftovers are cleared nowhere on this system")
def test_what_lies_there_is_left_while_another_window_is_writing(kept: Path) -> None:
    import fcntl

    record = record_in(kept)
    of_the_other = kept / f".{record.name}.0123456789ab.mnemo-tmp"
    of_the_other.write_text("{")
    other = os.open(kept, os.O_RDONLY)
    try:
        fcntl.flock(other, fcntl.LOCK_SH)
        TrustStore(kept).save(FOLDER, OTHERS)
    finally:
        os.close(other)
    assert of_the_other.exists()
    assert TrustStore(kept).load(FOLDER) == OTHERS
    TrustStore(kept).save(FOLDER, TERMS)
    assert not of_the_other.exists()


def test_two_windows_that_save_at_once_leave_one_whole_record(kept: Path) -> None:
    begin = Barrier(3)

    def save_often(terms: Terms) -> None:
        begin.wait()
        for _ in range(40):
            TrustStore(kept).save(FOLDER, terms)

    def load_often() -> list[Terms | None]:
        begin.wait()
        return [TrustStore(kept).load(FOLDER) for _ in range(400)]

    with ThreadPoolExecutor(3) as threads:
        saves = [threads.submit(save_often, terms) for terms in (TERMS, OTHERS)]
        found = threads.submit(load_often).result()
        for save in saves:
            save.result()
    assert all(terms in (TERMS, OTHERS) for terms in found)
    assert record_in(kept).suffix == ".json"
    assert TrustStore(kept).load(FOLDER) in (TERMS, OTHERS)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system does not list open files")
def test_a_folder_in_the_records_place_keeps_no_file_open(kept: Path) -> None:
    record = record_in(kept)
    record.unlink()
    record.mkdir()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        assert TrustStore(kept).load(FOLDER) is None
    assert len(os.listdir("/proc/self/fd")) == before

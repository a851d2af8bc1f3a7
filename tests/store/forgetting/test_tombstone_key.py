"""The key of the tombstones lies in the keychain, or in a file that only the person reads; never in a workspace."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.forgetting.tombstone_key import FILE_NAME, KEY_NAME, TombstoneKey
from mnemoscope.store.workspace.keychain import Keychain


class LockableBackend:
    """A keychain of the system that can be locked."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._refuse()
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._refuse()
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[username]

    def _refuse(self) -> None:
        if self.is_locked:
            raise RuntimeError("locked")


def test_it_lies_in_the_keychain_where_there_is_one(tmp_path: Path) -> None:
    backend = LockableBackend()
    made = TombstoneKey(Keychain(backend, environment={}), tmp_path).make()
    assert bytes.fromhex(backend.kept[KEY_NAME]) == made
    assert not (tmp_path / FILE_NAME).exists()
    assert TombstoneKey(Keychain(backend, environment={}), tmp_path).make() == made


def test_without_a_keychain_it_is_a_file_that_only_the_person_reads(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    made = TombstoneKey(None, folder).make()
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert list(TombstoneKey(None, folder).known()) == [made]


def test_a_locked_keychain_has_no_key_and_a_new_one_goes_to_the_file(tmp_path: Path) -> None:
    backend = LockableBackend()
    backend.is_locked = True
    key = TombstoneKey(Keychain(backend, environment={}), tmp_path)
    assert list(key.known()) == []
    assert [key.make()] == list(key.known())
    assert (tmp_path / FILE_NAME).exists()


def test_what_is_no_key_in_the_keychain_is_none() -> None:
    backend = LockableBackend()
    backend.kept[KEY_NAME] = "not hexadecimal"
    assert list(TombstoneKey(Keychain(backend, environment={})).known()) == []


def test_without_either_it_lasts_as_long_as_the_program() -> None:
    key = TombstoneKey()
    assert key.make() == key.make()
    assert TombstoneKey().make() != key.make()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StorageError):
        TombstoneKey(None, tmp_path / "file" / "state").make()

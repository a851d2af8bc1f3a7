"""The tombstones of a workspace hold hashes alone, know what comes back, and say where they cannot be read."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.tombstone import Recall
from mnemoscope.store.forgetting import tombstones_file
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import (
    NO_KEY,
    Tombstones,
    put_back_if_refused,
    tombstones_of_this_person,
)
from mnemoscope.store.workspace.paths import WorkspacePaths

FACT = "I'm allergic to peanuts."
AGAIN = "- Allergy: peanuts"


@pytest.fixture
def key(tmp_path: Path) -> TombstoneKey:
    return TombstoneKey(None, tmp_path / "state")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workspace" / "tombstones.json"


@pytest.fixture
def tombstones(path: Path, key: TombstoneKey) -> Tombstones:
    return Tombstones(path, key)


def test_without_any_nothing_is_held_and_no_key_is_asked_for(tombstones: Tombstones, tmp_path: Path) -> None:
    assert tombstones.match(FACT) is None
    assert tombstones.problem() == ""
    tombstones.remove("one")
    tombstones.lift([FACT])
    assert tombstones.count == 0
    assert list(tmp_path.iterdir()) == []


def test_what_was_forgotten_is_known_also_after_a_restart(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    assert tombstones.match(AGAIN) is None
    tombstones.add([FACT])
    assert tombstones.match(AGAIN) is Recall.FORGOTTEN
    assert Tombstones(path, key).match(AGAIN) is Recall.FORGOTTEN
    assert tombstones.match("- Likes tea") is None
    assert tombstones.match("- Likes tea") is None
    assert tombstones.count == 1


def test_what_is_asked_about_a_text_has_a_name_that_needs_the_key(
    tombstones: Tombstones, path: Path, key: TombstoneKey, tmp_path: Path
) -> None:
    tombstones.add([FACT])
    name = tombstones.name_of(FACT)
    assert Tombstones(path, key).name_of(FACT) == name
    assert len(name) == 16
    assert tombstones.name_of(AGAIN) != name
    # Neither another workspace nor somebody without the key comes to the same name.
    other = Tombstones(tmp_path / "other.json", key)
    other.add([FACT])
    without = Tombstones(path, TombstoneKey(None, tmp_path / "elsewhere"))
    assert name not in (other.name_of(FACT), without.name_of(FACT))
    assert len(without.name_of(FACT)) == 16


def test_many_texts_are_compared_with_the_file_as_it_was_when_that_began(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT])
    recall, other = tombstones.as_of_now(), Tombstones(path, key)
    other.lift([FACT])
    # Neither what another window wrote since, nor what this one writes, leaves it without what it began with.
    tombstones.add(["Has a locker."])
    assert recall(AGAIN) is Recall.FORGOTTEN
    assert recall("Has a locker.") is None
    assert tombstones.match(AGAIN) is None
    assert tombstones.match("Has a locker.") is Recall.FORGOTTEN


def test_the_file_has_none_of_the_words(tombstones: Tombstones, path: Path) -> None:
    tombstones.add(["Anna's code is 7319-Zulu.", "我对花生过敏。"])
    text = path.read_text("ascii").casefold()
    assert not any(word in text for word in ("anna", "code", "7319", "zulu", "花生", "\\u82b1"))


def test_the_same_words_have_other_hashes_in_another_workspace(path: Path, key: TombstoneKey) -> None:
    other = path.with_name("other.json")
    for each in (path, other):
        Tombstones(each, key).add([FACT])
    assert path.read_bytes() != other.read_bytes()


def test_taken_back_is_what_was_added_and_no_more(tombstones: Tombstones) -> None:
    tombstones.add([FACT], owner="one")
    tombstones.add(["Anna lives in Leeds."], owner="two")
    assert tombstones.count == 2
    tombstones.remove("none")
    assert tombstones.count == 2
    tombstones.remove("one")
    assert tombstones.match(FACT) is None
    assert tombstones.match("Anna: lives in Leeds") is Recall.FORGOTTEN


@pytest.mark.parametrize("first", ["one", "two"])
def test_what_two_owners_added_goes_with_the_last_of_them(tombstones: Tombstones, first: str) -> None:
    tombstones.add([FACT], owner="one")
    tombstones.add([FACT], owner="two")
    assert tombstones.owners == {"one", "two"}
    assert tombstones.owners_of(AGAIN) == {"one", "two"}
    assert tombstones.owners_of("- Likes tea") == frozenset()
    tombstones.remove(first)
    assert tombstones.match(FACT) is Recall.FORGOTTEN
    tombstones.remove("two" if first == "one" else "one")
    assert tombstones.match(FACT) is None


def test_what_was_lifted_belongs_to_whoever_forgot_it_first_and_since(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT], owner="one")
    lifted = tombstones.lift([FACT])
    tombstones.add([FACT], owner="two")
    lifted.put_back()
    again = Tombstones(path, key)
    again.remove("two")
    assert again.match(FACT) is Recall.FORGOTTEN
    again.remove("none", "one")
    assert again.count == 0


def test_what_was_forgotten_before_owners_were_kept_stays(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT])
    assert '"of"' not in path.read_text("ascii")
    tombstones.add([FACT], owner="two")
    Tombstones(path, key).remove("two")
    assert tombstones.match(FACT) is Recall.FORGOTTEN


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_lifted_for_something_that_is_refused_is_held_again(tombstones: Tombstones, *, fails: bool) -> None:
    tombstones.add([FACT])
    lifted = [tombstones.lift([FACT])]
    with suppress(StorageError), put_back_if_refused(lifted):
        if fails:
            raise StorageError("There is no room.")
    assert (tombstones.match(FACT) is Recall.FORGOTTEN) == fails


def test_what_was_held_before_stays_held_when_an_owner_takes_the_same_back(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT], owner="before the restart")
    later = Tombstones(path, key)
    later.add([FACT, "Anna lives in Leeds."], owner="two")
    later.remove("two")
    assert later.match(FACT) is Recall.FORGOTTEN
    assert later.match("Anna lives in Leeds.") is None


def test_what_the_person_said_again_is_lifted_whatever_its_words(tombstones: Tombstones) -> None:
    tombstones.add([FACT, "Anna lives in Leeds."])
    tombstones.lift([AGAIN])
    assert tombstones.match(FACT) is None
    assert tombstones.count == 1


def test_what_was_lifted_is_put_back_beside_what_was_forgotten_since(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT, "Anna lives in Leeds."], "2026-03-01")
    lifted, nothing = tombstones.lift([AGAIN]), tombstones.lift(["Likes tea."])
    tombstones.add(["Has a locker."])
    before = path.read_bytes()
    nothing.put_back()
    assert path.read_bytes() == before
    lifted.put_back()
    lifted.put_back()
    again = Tombstones(path, key)
    assert again.since(AGAIN) == "2026-03-01"
    assert again.match("Has a locker.") is Recall.FORGOTTEN
    assert again.count == 3


def test_what_was_lifted_of_a_file_that_is_gone_is_not_put_back(tombstones: Tombstones, path: Path) -> None:
    tombstones.add([FACT])
    lifted = tombstones.lift([AGAIN])
    path.unlink()
    lifted.put_back()
    assert tombstones.count == 0


def test_a_change_by_another_window_is_seen(tombstones: Tombstones, path: Path, key: TombstoneKey) -> None:
    assert tombstones.match(FACT) is None
    Tombstones(path, key).add([FACT])
    assert tombstones.match(FACT) is Recall.FORGOTTEN
    path.unlink()
    assert tombstones.match(FACT) is None


def test_without_the_key_nothing_passes_and_it_is_said(tombstones: Tombstones, path: Path) -> None:
    tombstones.add([FACT])
    elsewhere = Tombstones(path, TombstoneKey())
    assert elsewhere.match(FACT) is Recall.UNCHECKED
    assert elsewhere.match("- Likes tea") is Recall.UNCHECKED
    assert elsewhere.problem() == NO_KEY


def test_what_is_forgotten_under_another_key_stands_beside(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT])
    other = TombstoneKey()
    elsewhere = Tombstones(path, other)
    elsewhere.add(["Anna lives in Leeds."])
    assert elsewhere.match("Lives in Leeds: Anna") is Recall.FORGOTTEN
    elsewhere.lift(["Anna lives in Leeds."])
    again = Tombstones(path, key)
    assert again.match(AGAIN) is Recall.FORGOTTEN
    assert again.count == 1


def test_a_key_that_comes_later_is_found(tombstones: Tombstones, path: Path, tmp_path: Path) -> None:
    tombstones.add([FACT])
    kept = tmp_path / "state" / "tombstones.key"
    away = kept.rename(tmp_path / "away")
    opened = Tombstones(path, TombstoneKey(None, tmp_path / "state"))
    assert opened.problem() == NO_KEY
    away.rename(kept)
    assert opened.problem() == ""
    assert opened.match(AGAIN) is Recall.FORGOTTEN


@pytest.mark.parametrize("damaged", [b"", b"{", b"[]", b'{"format": 2, "rings": []}', b'{"format": 1, "rings": [1]}'])
def test_a_file_that_cannot_be_read_holds_everything_and_is_not_overwritten(
    tombstones: Tombstones, path: Path, damaged: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(damaged)
    assert tombstones.match("- Likes tea") is Recall.UNCHECKED
    assert tombstones.problem() == NO_KEY
    with pytest.raises(StorageError):
        tombstones.add([FACT])
    assert path.read_bytes() == damaged


def test_many_lines_are_not_remembered_for_ever(tombstones: Tombstones, monkeypatch: pytest.MonkeyPatch) -> None:
    # To compare as many as are remembered in truth takes twenty seconds.
    monkeypatch.setattr(tombstones_file, "_LINES_KNOWN", 3)
    tombstones.add([FACT])
    assert [tombstones.match(f"Line {number}") for number in range(9)] == [None] * 9
    assert tombstones.match(AGAIN) is Recall.FORGOTTEN


def test_what_a_change_lifted_is_held_again_when_that_is_undone_also_by_another_run(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT], owner="one")
    tombstones.lift([FACT], "change")
    again = Tombstones(path, key)
    assert again.match(FACT) is None
    assert (again.count, again.owners) == (0, frozenset({"one"}))
    again.reinstate("another")
    assert again.match(FACT) is None
    again.reinstate("another", "change")
    assert again.match(FACT) is Recall.FORGOTTEN
    assert again.owners_of(FACT) == {"one"}
    assert "lifted" not in json.loads(path.read_bytes())["rings"][0]


def test_of_what_a_change_lifted_that_alone_is_held_again_which_holds_a_text(tombstones: Tombstones) -> None:
    tombstones.add([FACT, "Likes tea"])
    tombstones.lift([FACT], "change")
    tombstones.lift(["Likes tea"], "change")
    tombstones.reinstate("change", texts=["Has a dog"])
    tombstones.reinstate("another", texts=[FACT])
    assert (tombstones.match(FACT), tombstones.match("Likes tea")) == (None, None)
    tombstones.reinstate("change", texts=[FACT])
    assert (tombstones.match(FACT), tombstones.match("Likes tea")) == (Recall.FORGOTTEN, None)
    tombstones.reinstate("change")
    assert tombstones.match("Likes tea") is Recall.FORGOTTEN


def test_what_lifted_a_tombstone_stands_in_the_file_by_no_name(tombstones: Tombstones, path: Path) -> None:
    tombstones.add([FACT])
    tombstones.lift([FACT], "decided")
    assert "decided" not in path.read_text("ascii")


def test_a_forgetting_that_is_taken_back_leaves_nothing_to_be_held_again(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT], owner="one")
    tombstones.lift([FACT], "change")
    tombstones.remove("one")
    assert Tombstones(path, key).owners == frozenset()
    tombstones.reinstate("change")
    assert tombstones.match(FACT) is None


@pytest.mark.parametrize("between", [498, 499])
def test_the_newest_of_what_was_lifted_are_kept_for_an_undo(tombstones: Tombstones, path: Path, between: int) -> None:
    tombstones.add([FACT, "Likes tea"])
    tombstones.lift([FACT], "first")
    document = json.loads(path.read_bytes())
    [(_, stone)] = document["rings"][0]["lifted"]
    document["rings"][0]["lifted"] += [[f"by another change, {number}", stone] for number in range(between)]
    path.write_text(json.dumps(document), encoding="ascii")
    tombstones.lift(["Likes tea"], "second")
    tombstones.reinstate("first", "second")
    assert tombstones.match(FACT) is (Recall.FORGOTTEN if between == 498 else None)
    assert tombstones.match("Likes tea") is Recall.FORGOTTEN


def test_what_was_lifted_stays_kept_where_its_key_is_not_here(
    tombstones: Tombstones, path: Path, key: TombstoneKey
) -> None:
    tombstones.add([FACT])
    tombstones.lift([FACT], "change")
    Tombstones(path, TombstoneKey()).add(["Anna lives in Leeds."])
    again = Tombstones(path, key)
    again.reinstate("change")
    assert again.match(FACT) is Recall.FORGOTTEN


def test_what_is_held_is_told_by_keyed_hashes(tombstones: Tombstones, path: Path) -> None:
    assert tombstones.held == frozenset()
    tombstones.add([FACT])
    rings = json.loads(path.read_bytes())["rings"]
    assert tombstones.held == {stone["whole"] for ring in rings for stone in ring["tombstones"]}
    tombstones.lift([AGAIN])
    assert tombstones.held == frozenset()


def test_many_lines_are_told_at_once_with_the_key_of_this_person(tmp_path: Path) -> None:
    tombstones = tombstones_of_this_person(WorkspacePaths(tmp_path))
    assert not tombstones.forgotten_now()(AGAIN)
    tombstones.add([FACT])
    is_forgotten = tombstones_of_this_person(WorkspacePaths(tmp_path)).forgotten_now()
    assert is_forgotten(AGAIN)
    assert not is_forgotten("- Likes tea")
    apart = tombstones.forgotten_now(apart=True)
    assert apart(AGAIN)
    assert not apart("- Likes tea")
    assert AGAIN not in tombstones._known

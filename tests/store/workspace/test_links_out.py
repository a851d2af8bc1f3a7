"""Links that lead out of a workspace are found, and hold only once a person agreed to each of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemoscope.domain.errors import LeadsOut
from mnemoscope.domain.trust import Terms, links_agreed_to
from mnemoscope.store.workspace.links_out import leads_elsewhere, links_out, require_agreed_links, shared_links_out
from mnemoscope.store.workspace.trust_store import TrustStore, identity_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    for name in ("memory/.git", "sessions/branches", ".mnemoscope/ledger", "skills"):
        (root / name).mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("- A fact.\n", "utf-8")
    return root


@pytest.mark.parametrize(
    "name",
    [
        "USER.md",
        "SESSION-STATE.md",
        "memory/HISTORY.md",
        "memory/deep",
        "sessions/one.jsonl",
        "sessions/branches/two.jsonl",
    ],
)
def test_a_link_out_of_the_folder_is_found_with_where_it_leads(root: Path, tmp_path: Path, name: str) -> None:
    (root / name).symlink_to(tmp_path / "private")
    assert links_out(root) == shared_links_out(root) == {name: os.path.realpath(tmp_path / "private")}


@pytest.mark.parametrize(
    "name", ["config.json", "SOUL.md", "skills/shared", ".mnemoscope/lock", ".mnemoscope/ledger/a.json"]
)
def test_what_no_model_is_sent_counts_where_it_would_be_written(root: Path, tmp_path: Path, name: str) -> None:
    (root / name).symlink_to(tmp_path / "private")
    assert list(links_out(root)) == [name]
    assert shared_links_out(root) == {}


@pytest.mark.parametrize("name", ["memory", "sessions", ".mnemoscope"])
def test_a_whole_folder_behind_a_link_is_found_and_not_looked_through(root: Path, tmp_path: Path, name: str) -> None:
    (root / name).rename(tmp_path / "private")
    (tmp_path / "private" / "further").symlink_to(tmp_path)
    (root / name).symlink_to(tmp_path / "private")
    assert links_out(root)[name] == os.path.realpath(tmp_path / "private")


def test_what_stays_inside_or_is_not_of_the_workspace_is_none(root: Path, tmp_path: Path) -> None:
    (root / "notes.md").write_text("- A fact.\n", "utf-8")
    (root / "USER.md").symlink_to("notes.md")
    (root / "memory" / "again.md").symlink_to("../notes.md")
    (root / "pictures").symlink_to(tmp_path)
    (root / "memory" / ".git" / "alternates").symlink_to(tmp_path)
    assert links_out(root) == {}
    require_agreed_links(root, TrustStore())


def test_a_folder_beside_it_whose_name_begins_alike_is_outside(root: Path, tmp_path: Path) -> None:
    (tmp_path / "home2").mkdir()
    (root / "USER.md").symlink_to("../home2/USER.md")
    assert list(links_out(root)) == ["USER.md"]


def test_a_folder_that_is_a_link_itself_leads_nowhere_else(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert links_out(tmp_path / "link") == {}


def test_links_hold_once_they_were_agreed_to_and_no_others(root: Path, tmp_path: Path) -> None:
    store = TrustStore(tmp_path / "kept")
    store.save(identity_of(root), Terms({"model": "openai/one"}, {"SOUL.md": "a" * 64}))
    (root / "memory" / "one").symlink_to(tmp_path / "private")
    with pytest.raises(LeadsOut) as caught:
        require_agreed_links(root, store)
    assert "memory/one" in str(caught.value)
    fingerprint = str(caught.value.context["fingerprint"])
    # One more came while the first was shown: that is not what was agreed to.
    (root / "memory" / "two").symlink_to(tmp_path / "private")
    with pytest.raises(LeadsOut):
        require_agreed_links(root, store, fingerprint)
    (root / "memory" / "two").unlink()
    require_agreed_links(root, store, fingerprint)
    require_agreed_links(root, store)
    known = store.load(identity_of(root))
    assert known is not None
    assert (known.settings["model"], known.files) == ("openai/one", {"SOUL.md": "a" * 64})
    assert links_agreed_to(known) == {"memory/one": os.path.realpath(tmp_path / "private")}
    (root / "memory" / "one").unlink()
    (root / "memory" / "one").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LeadsOut):
        require_agreed_links(root, store)


def test_a_copy_of_the_folder_is_asked_about_again(root: Path, tmp_path: Path) -> None:
    store = TrustStore(tmp_path / "kept")
    (root / "memory" / "one").symlink_to(tmp_path / "private")
    with pytest.raises(LeadsOut) as caught:
        require_agreed_links(root, store)
    require_agreed_links(root, store, str(caught.value.context["fingerprint"]))
    root.rename(tmp_path / "moved")
    with pytest.raises(LeadsOut):
        require_agreed_links(tmp_path / "moved", store)


def test_of_many_links_the_sentence_names_a_few_and_the_error_all(root: Path, tmp_path: Path) -> None:
    for number in range(9):
        (root / "memory" / f"{number}").symlink_to(tmp_path)
    with pytest.raises(LeadsOut) as caught:
        require_agreed_links(root, TrustStore())
    assert "memory/4, …" in caught.value.sentence
    links = caught.value.context["links"]
    assert isinstance(links, dict)
    assert len(links) == 9


def test_a_path_through_a_link_that_nobody_is_asked_about_leads_elsewhere(root: Path, tmp_path: Path) -> None:
    (root / "pictures").symlink_to(tmp_path)
    (root / "skills" / "shared").symlink_to(tmp_path)
    (root / "inner").symlink_to("memory")
    assert leads_elsewhere(root, "pictures/start.sh")
    assert not leads_elsewhere(root, "inner/MEMORY.md")
    assert not leads_elsewhere(root, "skills/shared/SKILL.md")
    assert not leads_elsewhere(root, "notes.md")

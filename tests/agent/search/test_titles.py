"""Conversations are found by their titles, archived ones too, and none of which memory takes nothing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from mnemoscope.agent.search.titles import titled_hits, with_titles
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.session_manager import SessionManager

WHEN = datetime(2026, 11, 23, 12)


def titled(root: Path) -> list[SearchHit]:
    manager = SessionManager(root)
    for key, title in (
        ("d:boat", "The boat on the lake"),
        ("d:shed", "A shed for the boat"),
        ("d:still", "Boat, kept out"),
    ):
        session = manager.create(title, key=key)
        session.add_message("user", "How much would that be?")
        manager.save(session)
    manager.create("The empty boat", key="d:empty")
    untitled = manager.get_or_create("d:untitled")
    untitled.add_message("user", "How much would a boat be?")
    manager.save(untitled)
    manager.set_discretion(manager.get_or_create("d:still"), Discretion.READS_MEMORY)
    manager.archive(manager.get_or_create("d:shed"), WHEN)
    archive = SessionArchive(root / "sessions" / "archive")
    return titled_hits(manager.overviews(), archive.overviews(), root)


def test_a_title_finds_its_conversation_open_or_closed(tmp_path: Path) -> None:
    every = titled(tmp_path)
    found = with_titles("boat", every, [])
    assert {(each.kind, each.session_key, each.text, each.message_index) for each in found} == {
        (SearchKind.SESSION, "d:boat", "The boat on the lake", 0),
        (SearchKind.ARCHIVE, "d:shed", "A shed for the boat", 0),
    }
    (shed,) = with_titles("BOAT shed", every, [])
    assert (tmp_path / shed.path).is_file()
    assert shed.mark(shed.text) == ((2, 6), (15, 19))
    assert with_titles("boat quokka", every, []) == []
    assert with_titles("b", every, []) == with_titles("  ", every, []) == []


def test_titles_stand_before_what_was_said(tmp_path: Path) -> None:
    every = titled(tmp_path)
    (boat,) = with_titles("lake", every, [])
    assert not with_titles("much would", every, [])
    said = SearchHit("sessions/other.jsonl", SearchKind.SESSION, 2, "On the lake it rains.", 1.0, 1, "d:other")
    assert with_titles("lake", every, [said]) == [boat, said]


def test_a_title_whose_letters_fold_into_more_is_found_without_marks(tmp_path: Path) -> None:
    hit = SearchHit("sessions/a.jsonl", SearchKind.SESSION, 1, "Große Straße", 0.0, 0, "d:a")
    (found,) = with_titles("strasse", [hit], [])
    assert found.mark(found.text) == ()

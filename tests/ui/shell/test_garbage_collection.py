"""Garbage of Python is collected on the window's thread, and everything is looked through in quiet moments alone."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from mnemoscope.ui.shell.garbage_collection import QUIET_SECONDS, GarbageCollection


@pytest.fixture
def collection(qtbot: QtBot) -> Iterator[GarbageCollection]:
    del qtbot
    thresholds = gc.get_threshold()
    parent = QObject()
    yield GarbageCollection(parent)
    delete(parent)
    gc.unfreeze()
    gc.set_threshold(*thresholds)


def collected(collection: GarbageCollection, *, new: int = 10) -> list[int]:
    """Returns which generations a second's look collects, all of them being due, with so many objects that are new."""
    seen: list[int] = []

    def hear(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            seen.append(info["generation"])

    kept: list[list[int]] = [[] for _ in range(10)]
    gc.collect(1)
    gc.set_threshold(1, 0, 0)
    kept += [[] for _ in range(10)]
    gc.collect(0)
    gc.collect(1)
    kept += [[] for _ in range(new)]
    gc.callbacks.append(hear)
    try:
        collection.collect_what_is_due()
    finally:
        gc.callbacks.remove(hear)
    return seen


def circle() -> ref[Circle]:
    """Returns a reference to an object that only a circle holds."""
    made = Circle()
    made.itself = made
    return ref(made)


class Circle:
    itself: Circle


def test_everything_is_looked_through_after_quiet_seconds_where_there_is_a_quarter_more(
    collection: GarbageCollection,
) -> None:
    lost = circle()
    gc.freeze()
    for new in (1_000, *[10] * (QUIET_SECONDS - 1)):
        gc.unfreeze()
        gc.freeze()
        objects: list[list[int]] = [[] for _ in range(gc.get_freeze_count() // 3)]
        collected(collection, new=new)
        assert lost() is not None
        del objects
    objects = [[] for _ in range(gc.get_freeze_count() // 3)]
    assert collected(collection) == [2]
    assert lost() is None
    assert objects


def test_a_second_in_which_many_were_looked_through_was_not_quiet(collection: GarbageCollection) -> None:
    lost = circle()
    gc.freeze()
    for _ in range(QUIET_SECONDS):
        objects: list[list[int]] = [[] for _ in range(5_000)]
        collection.collect_what_is_new()
        gc.unfreeze()
        gc.freeze()
        objects += [[] for _ in range(gc.get_freeze_count() // 3)]
        collected(collection)
        del objects
    assert lost() is not None


def test_what_was_frozen_stays_so_where_there_is_hardly_more(collection: GarbageCollection) -> None:
    lost = circle()
    gc.freeze()
    for _ in range(QUIET_SECONDS + 2):
        assert collected(collection) == [2]
    assert lost() is not None


def test_many_old_objects_are_looked_through_once_and_then_frozen(collection: GarbageCollection) -> None:
    frozen = gc.get_freeze_count()
    assert collected(collection, new=1_000) == [2]
    assert gc.get_freeze_count() <= frozen
    kept: list[list[int]] = [[] for _ in range(15_000)]
    lost = circle()
    assert collected(collection, new=1_000) == [2]
    assert lost() is None
    assert frozen + 15_000 <= gc.get_freeze_count()
    assert len(kept) == 15_000


def test_what_hangs_together_and_is_young_goes_at_once(collection: GarbageCollection) -> None:
    lost = circle()
    collected(collection)
    assert lost() is None


def test_many_new_objects_are_looked_through_before_it_takes_long(collection: GarbageCollection) -> None:
    seen: list[int] = []

    def hear(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            seen.append(info["generation"])

    gc.collect()
    gc.callbacks.append(hear)
    kept: list[list[int]] = []
    try:
        collection.collect_what_is_new()
        assert seen == []
        for _ in range(2):
            kept += [[] for _ in range(5_000)]
            collection.collect_what_is_new()
    finally:
        gc.callbacks.remove(hear)
    assert seen == [0, 1]
    assert not any(len(gc.get_objects(generation=age)) > 1_000 for age in (0, 1))


def test_more_old_objects_than_can_be_looked_through_in_a_frame_are_frozen_unseen(
    collection: GarbageCollection,
) -> None:
    kept: list[list[int]] = [[] for _ in range(60_000)]
    made = Circle()
    made.itself = made
    gc.collect(1)
    lost, frozen = ref(made), gc.get_freeze_count()
    del made
    assert collected(collection, new=1_000) == []
    assert lost() is not None
    assert frozen + len(kept) <= gc.get_freeze_count()

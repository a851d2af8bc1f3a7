"""Garbage of Python is collected on the window's thread, and all of it is looked through only where there is more."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from mnemoscope.ui.support.garbage_collection import GarbageCollection


@pytest.fixture
def collection(qtbot: QtBot) -> Iterator[GarbageCollection]:
    del qtbot
    thresholds = gc.get_threshold()
    parent = QObject()
    yield GarbageCollection(parent)
    delete(parent)
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


def test_all_is_looked_through_where_there_is_a_quarter_more(collection: GarbageCollection) -> None:
    objects: list[list[int]] = [[] for _ in range(1_000)]
    assert collected(collection) == [2]
    objects += [[] for _ in range(50)]
    assert collected(collection) == [1]
    objects += [[] for _ in range(len(gc.get_objects()))]
    assert collected(collection) == [2]


def test_all_is_looked_through_where_nobody_works_or_there_is_very_much(collection: GarbageCollection) -> None:
    assert collected(collection, new=1_000) == [1]
    assert collected(collection) == [2]
    kept: list[list[int]] = [[] for _ in range(len(gc.get_objects()) + 60_000)]
    kept += [[] for _ in range(len(gc.get_objects()))]
    assert collected(collection, new=1_000) == [2]


def test_what_hangs_together_and_is_young_goes_at_once(collection: GarbageCollection) -> None:
    assert collected(collection) == [2]
    circle: list[object] = []
    circle.append(circle)
    before = len(gc.get_objects())
    del circle
    assert collected(collection) == [1]
    assert len(gc.get_objects()) < before + 100


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

"""Tries how the tests tell what a program took from what other programs kept the processor for."""

from __future__ import annotations

from time import sleep

from tests.support.own_time import Watch


def test_what_a_thread_waited_before_it_ended_does_not_count() -> None:
    looks = iter([{"main": 1.0}, {"main": 1.0, "disk": 60.0}, {"main": 1.0}])
    watch = Watch(look=lambda _process: next(looks))
    sleep(0.01)
    assert watch.seconds() == 0.0
    assert watch.seconds() == 0.0, "the thread has ended by then"


def test_what_nobody_waited_for_counts() -> None:
    watch = Watch(look=lambda _process: {"main": 7.0})
    sleep(0.01)
    assert watch.seconds() >= 0.01

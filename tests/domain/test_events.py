"""Tests of the bus: who subscribed to a kind of event hears of that alone, in order, whatever another listener does."""

from __future__ import annotations

import pytest

from mnemoscope.domain.events import Event, EventBus, SettingsChanged, TurnEnded, TurnStarted


def test_a_listener_for_kinds_of_events_hears_of_no_other_in_the_order_of_subscription() -> None:
    bus = EventBus()
    heard: list[tuple[str, Event]] = []
    bus.subscribe(lambda event: heard.append(("all", event)))
    leave = bus.on((TurnStarted, TurnEnded), lambda event: heard.append(("turns", event)))
    bus.on(SettingsChanged, lambda event: heard.append(("settings", event)))

    bus.publish(TurnStarted("a"))
    bus.publish(SettingsChanged())
    leave()
    bus.publish(TurnEnded("a", "answered"))

    assert heard == [
        ("all", TurnStarted("a")),
        ("turns", TurnStarted("a")),
        ("all", SettingsChanged()),
        ("settings", SettingsChanged()),
        ("all", TurnEnded("a", "answered")),
    ]


@pytest.mark.logs_errors
def test_a_listener_that_fails_keeps_no_other_from_hearing() -> None:
    bus = EventBus()
    heard: list[Event] = []

    def fail(_event: TurnStarted) -> None:
        raise RuntimeError

    bus.on(TurnStarted, fail)
    bus.on(TurnStarted, heard.append)

    bus.publish(TurnStarted("a"))

    assert heard == [TurnStarted("a")]

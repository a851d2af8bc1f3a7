"""The actions that links in messages carry, and who runs them."""

from typing import get_args

import pytest

from mnemoscope.ui.chat.message_actions import (
    CopyMessage,
    FoldCall,
    MessageAction,
    MessageActions,
    OpenResult,
    StopAnswer,
    action_at,
    address_of,
)
from mnemoscope.ui.markdown.reading.link_address import may_be_clicked
from tests.ui.window_fixture import Stage

ACTIONS: tuple[MessageAction, ...] = (
    CopyMessage(3),
    StopAnswer(),
    FoldCall(0, "a/b %2F?#c"),
    OpenResult("é/…/x y.txt"),
)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_an_address_leads_back_to_its_action(action: MessageAction) -> None:
    assert action_at(address_of(action)) == action


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_no_message_can_carry_the_address_of_an_action(action: MessageAction) -> None:
    assert not may_be_clicked(address_of(action))


@pytest.mark.parametrize("address", ["", "https://example.org/", "mnemo:", "mnemo:Nothing/1", "CopyMessage/1"])
def test_other_addresses_name_no_action(address: str) -> None:
    assert action_at(address) is None


def test_an_action_is_run_by_all_who_said_that_they_can() -> None:
    actions, done = MessageActions(), list[MessageAction]()
    actions.on(CopyMessage, done.append)
    actions.on(CopyMessage, done.append)
    actions.run(CopyMessage(1))
    assert done == [CopyMessage(1), CopyMessage(1)]


@pytest.mark.logs_errors("nobody can do")
def test_an_action_that_nobody_can_do_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    MessageActions().run(StopAnswer())
    assert caplog.messages == ["nobody can do StopAnswer()"]


async def test_the_window_can_do_every_action(stage: Stage) -> None:
    stage.make(("user", "Tea?"), ("assistant", "Yes."))
    person = await stage.open()
    assert person.transcript.message_actions.kinds == set(get_args(MessageAction))

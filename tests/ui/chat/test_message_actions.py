"""Who runs the actions that messages offer."""

from typing import get_args

import pytest

from mnemoscope.ui.chat.message_actions import (
    CopyMessage,
    MessageAction,
    MessageActions,
    StopAnswer,
)
from tests.ui.window_fixture import Stage


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

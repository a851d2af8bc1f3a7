"""Tells inactive messages, which are deleted or on other branches, from those that a conversation goes on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.message import Message, is_deleted


class MessagePlace(Protocol):
    """Names a message by its branch and its number in it."""

    @property
    def session_created_at(self) -> str:
        """Returns the name of the branch that it was said in."""

    @property
    def index(self) -> int:
        """Returns its number, from 0."""


def inactive_on(
    branch: Branch, others: Sequence[Branch], messages: Sequence[Message]
) -> Callable[[MessagePlace], bool]:
    """Returns what tells whether a message is deleted or not on this branch, whose `messages` these are.

    `others` are the other branches of the conversation. A message of none of them is not known to be left.
    """
    known = {began for each in (branch, *others) for began, _ in each.path()}
    count = len(messages)

    def is_left(place: MessagePlace) -> bool:
        if place.session_created_at not in known:
            return False
        if branch.owner_of(place.index) != place.session_created_at:
            return True
        return place.index < count and is_deleted(messages[place.index])

    return is_left

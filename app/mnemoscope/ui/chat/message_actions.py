"""Names the actions that a message offers: each button and link in it carries one of these, and one place runs it.

To add a button to a message, touch:

1. here: a class for the action with the fields it needs, named in `MessageAction`;
2. `transcript/message_drawer`: its words and `NewAction(index)`, as a pair in what `links_of` returns; they stand in
   the message's caption while the pointer is over the message, and in the menu of a right click, to which
   `transcript/transcript_view` adds what is in the menu alone. On the card of a call (`cards/tool_card`) and within
   a text it is a format, `style.action(NewAction(index))`;
3. whoever can do it, who says `transcript.message_actions.on(NewAction, self._do_it)`: `transcript/transcript_view`
   where the transcript alone is needed, as for copying, else the controller of the thing that is acted on;
4. where the button has words of its own, the translations (`packaging/translations` adds the words to the files in
   `resources/translations`, where they are then translated), and `resources/manual/chat.md`, which says what it does;
5. the test of whoever does it, which begins it by `pane.message_actions.run(NewAction(index))`. That the window can do
   it at all is asked by `tests/ui/chat/test_message_actions` already.

A piece of the transcript's text has either an address, which a message gave it, or an action, which is a value in the
document's `ActionTable` (`ui.markdown.document.text_style`); `transcript/link_spans` finds both. Nothing that a message
says becomes an action: only what the program draws has one. Of addresses, `ui.markdown.reading.link_address` lets none
through but those of the web, of mail and of places in a text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any, TypeVar

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CopyMessage:
    """Puts the Markdown of message `index` on the clipboard."""

    index: int


@dataclass(frozen=True, slots=True)
class CopyCode:
    """Puts the code of the card with this number on the clipboard."""

    number: int


@dataclass(frozen=True, slots=True)
class ShowWholeMessage:
    """Shows message `index`, which is too long to be rendered, as plain text."""

    index: int


@dataclass(frozen=True, slots=True)
class SaveMessage:
    """Saves message `index`, which is too long to be rendered, as a file."""

    index: int


@dataclass(frozen=True, slots=True)
class ExportMessages:
    """Offers messages [start, stop) to be exported."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class StopAnswer:
    """Stops the answer that is being written."""


@dataclass(frozen=True, slots=True)
class StopWorkBeside:
    """Stops the consolidation or the run of Dream that has the server at work that an answer waits for."""


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Has the newest message answered once more, below an answer that was broken off."""


@dataclass(frozen=True, slots=True)
class EditMessage:
    """Puts the person's message `index` into the composer, to be sent in its place."""

    index: int


@dataclass(frozen=True, slots=True)
class AnswerAnew:
    """Has the question that message `index` answers answered anew, on a branch of its own."""

    index: int


@dataclass(frozen=True, slots=True)
class AnswerByAnother:
    """Offers the models that can answer it anew, this once."""

    index: int


@dataclass(frozen=True, slots=True)
class BranchFrom:
    """Lets the conversation go on from message `index` on a branch of its own."""

    index: int


@dataclass(frozen=True, slots=True)
class SwitchBranch:
    """Shows another of the branches that go on at message `index`, by its place among them."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class DeleteMessage:
    """Deletes message `index`, a call with its results."""

    index: int


@dataclass(frozen=True, slots=True)
class DeleteTurn:
    """Deletes the turn that message `index` belongs to: a question and all that answers it."""

    index: int


@dataclass(frozen=True, slots=True)
class RestoreDeleted:
    """Brings back what was deleted with the message that stood at `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class RunCommand:
    """Runs the command that the answer of a command, message `index`, offers at `place`."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class FoldMessage:
    """Folds or unfolds the person's long message `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class FoldCall:
    """Folds or unfolds the card of a call that message `index` made."""

    index: int
    call_id: str


@dataclass(frozen=True, slots=True)
class OpenImage:
    """Shows the image at `place` among those of message `index` as large as it is."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class LoadPicture:
    """Loads the picture at `place` among those that the text of message `index` links to."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class OpenPicture:
    """Shows the picture at `place` among those that the text of message `index` links to, as large as it is."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class OpenAnswerReceipt:
    """Shows what of memory the prompt of the answer, message `index`, held, and what the answer likely rests on."""

    index: int


@dataclass(frozen=True, slots=True)
class OpenResult:
    """Opens all of a tool's result, by the name of its file."""

    name: str


@dataclass(frozen=True, slots=True)
class ReviewSuggestion:
    """Shows what a call of message `index` wanted to write to memory."""

    index: int


@dataclass(frozen=True, slots=True)
class UndoChange:
    """Takes back the change of memory with this id, which a call made."""

    change: str


@dataclass(frozen=True, slots=True)
class RedoChange:
    """Brings back the change of memory with this id."""

    change: str


@dataclass(frozen=True, slots=True)
class ShowCapture:
    """Shows what was captured of message `index`, at `place` among its records, where it stands in memory."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class ListCapture:
    """Shows what is noted of message `index`, at `place` among its records, in the list of all captures."""

    index: int
    place: int


@dataclass(frozen=True, slots=True)
class UndoCaptures:
    """Takes back all that was captured of message `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class RedoCaptures:
    """Keeps again all that was captured of message `index`."""

    index: int


MessageAction = (
    CopyMessage
    | CopyCode
    | ShowWholeMessage
    | SaveMessage
    | ExportMessages
    | StopAnswer
    | StopWorkBeside
    | TryAgain
    | EditMessage
    | AnswerAnew
    | AnswerByAnother
    | BranchFrom
    | SwitchBranch
    | DeleteMessage
    | DeleteTurn
    | RestoreDeleted
    | RunCommand
    | FoldMessage
    | FoldCall
    | OpenImage
    | LoadPicture
    | OpenPicture
    | OpenAnswerReceipt
    | OpenResult
    | ReviewSuggestion
    | UndoChange
    | RedoChange
    | ShowCapture
    | ListCapture
    | UndoCaptures
    | RedoCaptures
)
ActionT = TypeVar("ActionT", bound=MessageAction)


class MessageActions:
    """Runs the actions of a transcript's messages: whoever can do one says so with `on`."""

    def __init__(self) -> None:
        self._handlers: dict[type[Any], list[Callable[[Any], object]]] = {}

    def on(self, kind: type[ActionT], handler: Callable[[ActionT], object]) -> None:
        """Has actions of a kind done by `handler`."""
        self._handlers.setdefault(kind, []).append(handler)

    def run(self, action: MessageAction) -> None:
        """Has an action done. One that nobody can do is a mistake of the program's, which the log tells."""
        if type(action) not in self.kinds:
            log.error("nobody can do %s", action)
        for handler in self._handlers.get(type(action), ()):
            handler(action)

    @property
    def kinds(self) -> Set[type[Any]]:
        """Returns the kinds of action that somebody can do."""
        return self._handlers.keys()

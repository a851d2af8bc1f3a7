import copy
import json
import pickle
from collections.abc import Callable
from operator import add
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.sessions.file_format.message_log import LocatedMessage, MessageBlocks, MessageLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.session_files import SteppingClock, message, metadata, write_session

KEY = "cli:direct"


def opened(tmp_path: Path, count: int) -> MessageLog:
    write_session(
        tmp_path / "sessions" / "cli_direct.jsonl", [metadata(), *(message(number) for number in range(count))]
    )
    return SessionManager(tmp_path).get_or_create(KEY).messages


def test_it_is_a_sequence_of_messages(tmp_path: Path) -> None:
    log = opened(tmp_path, 10)
    log.append(message(10))
    expected = [message(number) for number in range(11)]
    assert len(log) == 11
    assert list(log) == expected
    assert log == expected
    assert log != expected[:-1]
    assert log[0] == expected[0]
    assert log[-1] == expected[-1]
    assert log[2:5] == expected[2:5]
    assert log[-3:] == expected[-3:]
    assert log[::-4] == expected[::-4]
    assert log[5:100] == expected[5:]
    assert log[100:] == []
    assert list(reversed(log)) == expected[::-1]
    assert message(3) in log
    assert log.index(message(3)) == 3
    assert (log.durable, log.pending) == (10, [message(10)])


@pytest.mark.parametrize("place", [3, -4, 10**9])
def test_a_number_outside_is_an_index_error(tmp_path: Path, place: int) -> None:
    with pytest.raises(IndexError):
        opened(tmp_path, 3)[place]


def test_reading_it_is_reading_a_list(tmp_path: Path) -> None:
    log = opened(tmp_path, 3)
    log.append({"role": "user", "content": "and one more"})
    plain = [log[number] for number in range(4)]
    assert isinstance(log, list)
    for indent in (None, 2):
        assert json.loads(json.dumps(log, indent=indent)) == plain
        assert json.loads(json.dumps({"messages": log}, indent=indent)) == {"messages": plain}
    assert json.dumps(MessageLog()) == "[]"
    copies = [log.copy(), copy.copy(log), copy.deepcopy(log), pickle.loads(pickle.dumps(log))]
    copies += [list(log), [*log], log[:]]
    assert (tuple(log), [*zip(log, plain, strict=True)]) == (tuple(plain), [*zip(plain, plain, strict=True)])
    assert all(type(each) is list and each == plain for each in copies)
    assert [add(log, [{}]), add([{}], log), log + log] == [[*plain, {}], [{}, *plain], plain * 2]
    assert [log * 2, 2 * log] == [plain * 2] * 2
    assert [plain == log, log == plain, log != plain, {} in log, plain[2] in log] == [True, True, False, False, True]
    assert (log.index(plain[2]), log.count(plain[2]), list(reversed(log))) == (2, 1, plain[::-1])
    with pytest.raises(ValueError, match="no such message"):
        log.index(plain[1], 2)
    with pytest.raises(TypeError):
        add(log, ({},))


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log.pop(),
        lambda log: log.insert(0, {}),
        lambda log: log.remove(log[0]),
        lambda log: log.sort(key=str),
        lambda log: log.reverse(),
        lambda log: log.clear(),
        lambda log: log.__setitem__(0, {}),
        lambda log: log.__delitem__(0),
        lambda log: log.__imul__(2),
        lambda log: log < [],
    ],
)
def test_nothing_is_taken_out_or_changed_as_in_a_list(tmp_path: Path, change: Callable[[MessageLog], object]) -> None:
    log = opened(tmp_path, 2)
    before = log.copy()
    with pytest.raises(TypeError, match="can only grow"):
        change(log)
    assert log == before


def test_adding_to_it_in_place_appends(tmp_path: Path) -> None:
    session = Session("cli:x")
    log = session.messages
    session.messages += [{"role": "user", "content": "Hello"}]
    assert session.messages is log
    assert [each["content"] for each in log] == ["Hello"]


def test_an_empty_log_is_false_and_has_no_last_message() -> None:
    log = MessageLog()
    assert not log
    assert list(log) == []
    with pytest.raises(IndexError):
        log[-1]


def test_a_message_is_read_once_while_it_is_looked_at(tmp_path: Path) -> None:
    log = opened(tmp_path, 1000)
    assert log[500] is log[500]
    assert log[:3][1] is log[1]


def test_what_was_decoded_of_the_last_block_stays_so_while_messages_are_added(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(4))
    manager.append(session)
    first, last = session.messages[0], session.messages[3]
    for number in range(4, 40):
        session.messages.append(message(number))
        manager.append(session)
        assert session.messages[number] == message(number)
    assert session.messages[0] is first
    # Another program may have gone on in the last line that was known.
    assert session.messages[3] is not last
    assert [each["content"] for each in session.messages] == [message(number)["content"] for number in range(40)]
    assert session.messages.file is not None
    assert session.messages._blocks.size <= session.messages.file.path.stat().st_size


def test_what_is_kept_decoded_is_bounded(tmp_path: Path) -> None:
    write_session(
        tmp_path / "sessions" / "cli_direct.jsonl",
        [metadata(), *(message(number, "x" * 10_000) for number in range(2000))],
    )
    log = SessionManager(tmp_path).get_or_create(KEY).messages
    assert sum(1 for _ in log) == 2000
    assert log._blocks.size <= 2 << 20
    assert log[0]["content"].endswith(" 0")


def test_iterating_sees_messages_added_meanwhile() -> None:
    log = MessageLog([message(0)])
    seen = []
    for each in log:
        seen.append(each)
        if len(log) < 3:
            log.append(message(len(log)))
    assert seen == [message(0), message(1), message(2)]


def test_a_session_made_of_a_list_is_one_in_memory() -> None:
    session = Session("cli:x", [message(0)], last_consolidated=1)
    assert session.messages == [message(0)]
    assert session.last_consolidated == 1
    assert session.metadata == {}


def test_a_message_is_stamped_with_naive_local_time_and_keeps_its_fields() -> None:
    clock = SteppingClock()
    session = Session("cli:x", clock=clock)
    added = session.add_message("tool", "text", tool_call_id="c1", name="exec")
    stamp = clock.now.isoformat()
    assert added == {"role": "tool", "content": "text", "timestamp": stamp, "tool_call_id": "c1", "name": "exec"}
    assert list(added) == ["role", "content", "timestamp", "tool_call_id", "name"]
    assert session.updated_at == clock.now


def test_clearing_begins_anew() -> None:
    session = Session("cli:x", [message(0), message(1)], last_consolidated=1)
    session.clear()
    assert session.messages == []
    assert session.last_consolidated == 0


def test_messages_can_be_set_as_a_whole() -> None:
    session = Session("cli:x", [message(0)])
    log = session.messages
    session.messages = [message(1), message(2)]
    assert session.messages == [message(1), message(2)]
    assert log == [message(0)]


def test_a_lone_surrogate_does_not_cost_the_file(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.add_message("tool", "a\ud800b")
    manager.append(session)
    assert SessionManager(tmp_path).get_or_create(KEY).messages[0]["content"] == "a\ufffdb"


def test_a_value_json_does_not_know_is_kept_as_its_text(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.add_message("tool", "x", where=Path("a/b"))
    manager.append(session)
    assert session.messages[0]["where"] == "a/b"


class Interrupted:
    """A message that was found; while it is decoded something else is done."""

    def __init__(self, found: LocatedMessage, meanwhile: Callable[[], None]) -> None:
        self.found, self.meanwhile = found, meanwhile

    def message(self) -> Message:
        self.meanwhile()
        return self.found.message()


class ReadByTwo(MessageBlocks):
    """While one message is decoded, another thread reads one."""

    def __init__(self, log: MessageLog) -> None:
        super().__init__()
        self.log = log
        self.other: list[object] = [None]

    def find(self, *given: Any) -> Any:
        return Interrupted(super().find(*given), self.read_one)

    def read_one(self) -> None:
        if not self.other:
            self.other.append(None)
            reader = Thread(target=lambda: self.other.append(self.log[-1]), daemon=True)
            reader.start()
            reader.join(60)


def test_reading_everything_keeps_nobody_from_reading_one(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path)
    session = manager.get_or_create(KEY)
    session.messages.extend(message(number) for number in range(8))
    manager.append(session)
    log = MessageLog()
    blocks = log._blocks = ReadByTwo(log)
    log.attach(session.messages.file)
    blocks.other.clear()
    log.append(message(9))
    assert len(log[:]) == 9
    assert blocks.other == [None, message(9)]

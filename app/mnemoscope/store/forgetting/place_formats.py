"""The forms in which words are kept in files, each with a way to read its texts and to write it without the words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Protocol

from mnemoscope.domain.conversation.deletion import message_with_results, record_of_deleted
from mnemoscope.domain.conversation.message import DAMAGED_ROLE, Message, text_of
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.merge.held_back import fact_hashes
from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.files.json_record import RecordDamaged, bare
from mnemoscope.store.logs.prompt_log import KeptRequest, decode_request, encode_request, text_hash
from mnemoscope.store.sessions.file_format.record_line import decode_message, encode_record, session_record

_MARKS: Final = ("deleted", "restored")
_SPEAKERS: Final = ("user", "assistant")


class Format(Protocol):
    """Finds words in one form of a file, and takes them out."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts that a file holds."""
        ...

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the file without the words; a file without them is returned as it is, byte for byte."""
        ...


class PlainText:
    """Redacts text, Markdown, or bytes of any kind: what is no UTF-8 stays as it is."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the file."""
        yield data.decode("utf-8", "surrogateescape")

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the file without the words."""
        return what.redacted(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


class JsonTexts:
    """Redacts a JSON value a line, or one in the whole file; a line that holds none is text."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts of each value."""
        for line in data.split(b"\n"):
            value = decoded_json(line)
            yield from what.texts_in(line.decode("utf-8", "replace") if value is None else value)

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the file with each value written anew that has the words."""
        return b"\n".join(self._line(line, what) for line in data.split(b"\n"))

    def _line(self, line: bytes, what: ForgottenText) -> bytes:
        value = decoded_json(line)
        if value is None:
            return PlainText().without(line, what)
        redacted = self._redacted(value, what)
        if redacted == value:
            return line
        end = b"\r" if line.endswith(b"\r") else b""
        return json.dumps(redacted, ensure_ascii=line.isascii()).encode("utf-8", "surrogatepass") + end

    def _redacted(self, value: Any, what: ForgottenText) -> Any:
        return what.redacted_value(value)


class DamagedBytes:
    """Redacts bytes that could not be read otherwise: lines that are JSON all the same, and text, whose words
    may go over several lines."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts of each value, and all lines between two as one text."""
        for is_text, lines in self._runs(data):
            yield from (PlainText() if is_text else JsonTexts()).texts(lines, what)

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the bytes without the words."""
        runs = self._runs(data)
        return b"\n".join((PlainText() if is_text else JsonTexts()).without(lines, what) for is_text, lines in runs)

    @staticmethod
    def _runs(data: bytes) -> Iterator[tuple[bool, bytes]]:
        for is_text, lines in groupby(data.split(b"\n"), lambda line: decoded_json(line) is None):
            yield is_text, b"\n".join(lines)


class ChangeLines(JsonTexts):
    """Redacts the log of changes of a memory file, which holds hashes of deleted lines too: those of forgotten
    ones go, as who guesses a line could tell by them that it stood there."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts of each change, and for a hash of a forgotten line the phrase it is of."""
        yield from super().texts(data, what)
        known = data.decode("utf-8", "replace")
        yield from (phrase for phrase in what.phrases for mark in fact_hashes(phrase) if f'"{mark}"' in known)

    def _redacted(self, value: Any, what: ForgottenText) -> Any:
        redacted = what.redacted_value(value)
        if not isinstance(redacted, dict):
            return redacted
        marks = {mark for phrase in what.phrases for mark in fact_hashes(phrase)}
        lists = {name: redacted[name] for name in _MARKS if isinstance(redacted.get(name), list)}
        kept: dict[str, Any] = {name: [each for each in found if each not in marks] for name, found in lists.items()}
        if isinstance(pairs := redacted.get("deletions"), list):
            kept["deletions"] = [each for each in pairs if not (isinstance(each, list) and each and each[0] in marks)]
        return {**redacted, **kept}


class DraftTexts(JsonTexts):
    """Redacts a draft of what is typed and not sent or saved. What of a text was pasted, and where files stand
    in it, is noted by places in the text, which move with it."""

    def _redacted(self, value: Any, what: ForgottenText) -> Any:
        return self._moved(value, what.redacted_value(value), what)

    def _moved(self, value: Any, redacted: Any, what: ForgottenText) -> Any:
        if isinstance(value, list):
            return [self._moved(*each, what) for each in zip(value, redacted, strict=True)]
        if not isinstance(value, dict):
            return redacted
        fresh = {name: self._moved(each, redacted[name], what) for name, each in value.items()}
        text = value.get("text")
        if isinstance(text, str) and text != redacted["text"]:
            quotes, files = value.get("quotes"), value.get("files")
            if isinstance(quotes, list):
                fresh["quotes"] = _moved_spans(fresh["quotes"], (0, 1), text, fresh["text"], what)
            if isinstance(files, list):
                fresh["files"] = _moved_spans(fresh["files"], ("start", "stop"), text, fresh["text"], what)
        return fresh


def _moved_spans(spans: list[Any], bounds: tuple[Any, Any], text: str, now: str, what: ForgottenText) -> list[Any]:
    """Returns the spans of a text as they are in what it says `now`; what is none, or is gone, is left out. Of a text
    that was written anew as a value of JSON nobody can tell: all of it is as it was in part."""
    is_same = what.redacted(text) == now
    moved: list[Any] = []
    for span in spans:
        with suppress(LookupError, TypeError):
            places = [span[bound] for bound in bounds]
            if all(type(place) is int for place in places):
                start, stop = what.places_after(text, places) if is_same else (0, len(now))
                fresh = span.copy()
                fresh[bounds[0]], fresh[bounds[1]] = start, stop
                moved += [fresh] if start < stop else []
    return moved


class CaptureLines(JsonTexts):
    """Redacts the log of captures, whose records name what they say by its hash too: that of a record with the
    words goes."""

    def _redacted(self, value: Any, what: ForgottenText) -> Any:
        redacted = what.redacted_value(value)
        return redacted if redacted == value or not isinstance(redacted, dict) else {**redacted, "fact": ""}


class SealedJson:
    """Redacts an intent: one JSON object, and its SHA-256 on a line of its own."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts of the object."""
        yield from JsonTexts().texts(data.partition(b"\n")[0], what)

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the file without the words, sealed anew; one whose seal is broken stays so."""
        line, _, seal = data.partition(b"\n")
        clean = JsonTexts().without(line, what)
        if clean == line:
            return data
        is_sound = seal.strip() == digest_of(line).encode()
        return clean + b"\n" + (digest_of(clean).encode() + b"\n" if is_sound else seal)


class PromptLines:
    """Redacts the log of prompts: a compressed request a line. A text goes by its hash, which is another one
    without the words: who guesses a text could tell by the former one that it was sent."""

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts of each request that can be read."""
        for line in data.split(b"\n"):
            if (request := decode_request(line) if line else None) is not None:
                yield from what.texts_in(list(request.texts.values()))
                yield from what.texts_in(dict(request.record))

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the file with each request packed anew that has the words, or names a text that had them."""
        lines = data.split(b"\n")
        requests = [decode_request(line) if line else None for line in lines]
        names = {
            name: text_hash(clean)
            for request in requests
            if request is not None
            for name, text in request.texts.items()
            if (clean := what.redacted(text)) != text
        }
        return b"\n".join(
            line if request is None else self._line(line, request, names, what)
            for line, request in zip(lines, requests, strict=True)
        )

    def _line(self, line: bytes, request: KeptRequest, names: Mapping[str, str], what: ForgottenText) -> bytes:
        record = _renamed(what.redacted_value(dict(request.record)), names)
        texts = {names.get(name, name): what.redacted(text) for name, text in request.texts.items()}
        if (record, texts) == (request.record, request.texts):
            return line
        # One that is not as it was written does not look sound afterwards.
        check = {"check": request.check} if request.doubt else {}
        return encode_request({**check, "record": record, "texts": texts}).removesuffix(b"\n")


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Returns a value of JSON in which each text that is one of these names is the other one."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return {name: _renamed(each, names) for name, each in value.items()} if isinstance(value, dict) else value


@dataclass(frozen=True, slots=True)
class SessionRecords:
    """Redacts a conversation: a message that has the words becomes a record without any, a tool's call with its
    results.

    The records that are left name the forgetting `id`.
    """

    id: str

    def texts(self, data: bytes, what: ForgottenText) -> Iterator[str]:
        """Yields the texts of each message, and of what is noted of the conversation."""
        yield from JsonTexts().texts(data, what)

    def without(self, data: bytes, what: ForgottenText) -> bytes:
        """Returns the file with marks for the messages that have the words, so that no other changes its number."""
        lines = data.split(b"\n")
        places = [place for place, line in enumerate(lines) if bare(line) and session_record(line) is None]
        messages = [_message(lines[place]) for place in places]
        for index in sorted(messages_going(messages, what)):
            end = b"\r" if lines[places[index]].endswith(b"\r") else b""
            record = record_of_deleted(messages[index], self.id, index, is_forgotten=True)
            lines[places[index]] = encode_record(record)[:-1] + end
        return JsonTexts().without(b"\n".join(lines), what)


def messages_going(messages: Sequence[Message], what: ForgottenText) -> set[int]:
    """Returns the numbers of the messages that have the words, a tool's call with its results."""
    found = [index for index, message in enumerate(messages) if _has(message, what)]
    return {each for index in found for each in message_with_results(messages, index)}


def _has(message: Mapping[str, Any], what: ForgottenText) -> bool:
    return bool(what.redacted_value(message) != message)


def _message(line: bytes) -> Message:
    with suppress(RecordDamaged):
        return decode_message(line)
    return {"role": DAMAGED_ROLE, "content": ""}


def messages_with(data: bytes, what: ForgottenText) -> Iterator[tuple[Message, bool]]:
    """Yields the messages of a session file that can be read, each with whether it has the words."""
    for line in data.split(b"\n"):
        with suppress(RecordDamaged):
            if bare(line) and session_record(line) is None:
                message = decode_message(line)
                yield message, _has(message, what)


def said_in(data: bytes) -> Iterator[str]:
    """Yields what the person and the model said in a session file, as far as it can be read."""
    for line in data.split(b"\n"):
        with suppress(RecordDamaged):
            if bare(line) and session_record(line) is None:
                message = decode_message(line)
                if message.get("role") in _SPEAKERS:
                    yield text_of(message)


def decoded_json(line: bytes) -> Any:
    """Returns the object or list of a line of JSON, None where it holds none or nothing to look at."""
    with suppress(ValueError, RecursionError):
        value = json.loads(line) if line.strip() else None
        return value if isinstance(value, dict | list) else None
    return None

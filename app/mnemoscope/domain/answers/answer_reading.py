"""The object that was asked for is found in a model's answer, whichever way it came: as a call, wrapped in other
things, as JSON in the text, or as a call written out in one of the forms that models were trained on.

What is found is the model's own words, never filled up: where two objects say different things neither is taken.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mnemoscope.domain.answers.error_pages import BLANK
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.text.fences import FENCE_MARK, unfenced

Mend = Callable[[str], object]
"""Reads JSON that is not quite JSON; raises ValueError where it makes nothing of it."""

_MAX_TEXT: Final = 16_000_000
_MAX_MENDED: Final = 200_000
_DEPTH: Final = 6
_CANDIDATES: Final = 40
_WRAPPERS: Final = (
    "arguments", "parameters", "properties", "input", "args", "action_input", "tool_input", "kwargs", "params",
    "function", "tool_calls", "tool_call", "function_call", "calls", "result", "output", "response", "data", "json",
    "answer", "content", "value", "object",
)  # fmt: skip
_VALUES: Final = ("value", "content", "text", "default", "const", "example")
_THOUGHT: Final = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|analysis|scratchpad)\b[^>]*>.*?</\1\s*>"
    r"|\[THINK\].*?\[/THINK\]|<\|channel\|>(?:analysis|thought)\b.*?(?=<\|(?:end|start|channel|return|call)\|>)"
    r"|◁think▷.*?◁/think▷|<\|START_THINKING\|>.*?<\|END_THINKING\|>",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END: Final = re.compile(r"\A.*?</(?:think|thinking|thought|reasoning)\s*>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT: Final = re.compile(r"<(?:think|thinking|thought|reasoning)\b[^>]*>|\[THINK\]", re.IGNORECASE)
_PREFIX = r"(?:\w+:|[｜|]\w+[｜|])?"
_TAGGED: Final = (
    # <parameter=name>value</parameter> and <parameter name="name">value</parameter>, with or without a prefix
    re.compile(
        rf"<{_PREFIX}parameter(?:=|\s+name=)[\"']?(?P<name>\w+)[\"']?[^>]*>(?P<value>.*?)</{_PREFIX}parameter>",
        re.DOTALL,
    ),
    # <arg_key>name</arg_key><arg_value>value</arg_value>
    re.compile(r"<arg_key>\s*(?P<name>\w+)\s*</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>", re.DOTALL),
)


class NoStructuredAnswer(Exception):
    """Nothing that was asked for is in the answer; the message says why, as a sentence.

    `is_form`: the model answered in another form than the one it was asked for, so another way of asking may help.
    """

    def __init__(self, problem: str, *, is_form: bool = True) -> None:
        super().__init__(problem)
        self.is_form = is_form


class JsonRepair:
    """Mends JSON, and notes whether what was taken had to be mended."""

    def __init__(self, mend: Mend) -> None:
        self._mend = mend
        self.was_needed = False

    def __call__(self, text: str) -> object:
        """Returns what is read. Raises ValueError."""
        return self._mend(text)

    def note(self, text: str) -> None:
        """Notes that what this text says was taken."""
        try:
            json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError):
            self.was_needed = True


def no_mending(text: str) -> object:
    """Mends nothing, where there is no library for it."""
    raise ValueError(text[:40])


@dataclass(frozen=True, slots=True)
class ExpectedObject:
    """Says what is asked for: a tool's name, the keys of its arguments, and other names under which models give
    them."""

    name: str
    keys: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    """From a name in small letters without blanks and marks to the key it stands for."""

    def key_of(self, name: object) -> str:
        """Returns the key that a name means, or ""."""
        plain = _plain_name(name)
        return next((key for key in self.keys if _plain_name(key) == plain), "") or self.aliases.get(plain, "")

    def is_called(self, name: object) -> bool:
        """Returns whether a call of this name means the tool."""
        return _plain_name(str(name).rpartition(".")[2].partition(":")[0]) == _plain_name(self.name)


def find_object(response: LLMResponse, asked: ExpectedObject, mend: Mend = no_mending) -> Mapping[str, Any]:
    """Returns the object that was asked for, from a call of the tool or else from the text.

    A call is taken as it is, also with a key missing; from a text only what has all keys. Raises NoStructuredAnswer.
    """
    calls = [call for call in response.tool_calls or () if asked.is_called(call.name)]
    if calls:
        read = [unwrapped(_decoded(call.arguments, mend, asked.name), asked) for call in calls]
        return _one_of(read, f"The model called {asked.name} {len(read)} times, each time with something else.")
    found = list(objects_in(response.content or "", asked, mend))
    if found:
        return _one_of(found, "The answer held several different objects; one was asked for.")
    called = ", ".join(str(call.name) for call in response.tool_calls or ())
    if called:
        raise NoStructuredAnswer(f"The model called {called} instead of {asked.name}.")
    if not (response.content or "").strip(BLANK):
        raise NoStructuredAnswer("The answer was empty.")
    raise NoStructuredAnswer(f"The model answered with text instead of calling {asked.name}.")


def _plain_name(name: object) -> str:
    return re.sub(r"[\W_]+", "", str(name)).casefold()


def without_thinking(text: str, *, closed: bool = False) -> str:
    """Returns an answer without the thinking that some models write before it; `closed`: only what has an end."""
    text = _THOUGHT.sub("", text)
    # Templates open the thinking themselves, so that only its end stands in the answer.
    text = _THOUGHT_END.sub("", text)
    opened = None if closed else _OPEN_THOUGHT.search(text)
    return text if opened is None else text[: opened.start()]


def _one_of(found: Sequence[Mapping[str, Any]], problem: str) -> Mapping[str, Any]:
    if len(found) > 1 and any(_compared(each) != _compared(found[0]) for each in found):
        raise NoStructuredAnswer(problem, is_form=False)
    return found[0]


def _compared(value: Mapping[str, Any]) -> dict[str, str]:
    try:
        return {str(key): " ".join(str(each).split()) for key, each in value.items()}
    except (ValueError, RecursionError):
        # A number or a nesting beyond what can be told: it is compared with nothing.
        return {}


def _decoded(value: object, mend: Mend, name: str) -> Mapping[str, Any]:
    for _ in range(3):
        if isinstance(value, Mapping):
            return value
        if isinstance(value, list):
            value = next((item for item in value if isinstance(item, Mapping)), None)
        elif isinstance(value, str):
            value = _parsed(value, mend, name)
    if isinstance(value, Mapping):
        return value
    raise NoStructuredAnswer(f"The arguments of {name} were not an object.")


def _parsed(text: str, mend: Mend, name: str) -> object:
    if len(text) > _MAX_TEXT:
        raise NoStructuredAnswer(f"The arguments of {name} were far too long.")
    block = unfenced(text)
    text = text.strip(BLANK) if block is None else block
    try:
        value = strict_or_mended(text, mend)
    except (ValueError, RecursionError) as error:
        raise NoStructuredAnswer(f"The arguments of {name} were not valid JSON.") from error
    note_taken(text, mend)
    return value


def note_taken(text: str, mend: Mend) -> None:
    """Notes that what a JSON text says was taken, where that is asked of `mend`."""
    if isinstance(mend, JsonRepair):
        mend.note(text)


def strict_or_mended(text: str, mend: Mend) -> object:
    """Returns the JSON in a text: read strictly, else without comments and the like, else mended if nothing is lost by
    it. Raises ValueError.
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError(str(error)) from error
    except ValueError:
        if not text.startswith(("{", "[")) or len(text) > _MAX_MENDED:
            raise
    plain = _regular(text)
    try:
        return json.loads(plain, strict=False, parse_constant=_no_number)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    if _is_cut(plain):
        raise ValueError("it ends in the middle of a text")
    mended = mend(plain)
    if not _is_whole(plain, mended):
        raise ValueError("mending would have lost or made up words")
    return mended


def _regular(text: str) -> str:
    """Returns JSON without comments and without commas before a closing bracket, its texts between straight quotation
    marks."""
    parts: list[str] = []
    place = 0
    while place < len(text):
        end = _string_end(text, place)
        if end > place:
            inside = text[place + 1 : end - 1]
            parts.append(text[place:end] if text[place] == '"' else json.dumps(_unescaped(inside), ensure_ascii=False))
        elif comment := _COMMENT.match(text, place):
            end = comment.end()
        elif comma := _LAST_COMMA.match(text, place):
            end = comma.end()
        else:
            parts.append(text[place])
            end = place + 1
        place = end
    return "".join(parts)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA: Final = re.compile(r",(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": ""}


def _no_number(constant: str) -> object:
    raise ValueError(constant)


_WORD: Final = re.compile(r"\w+")
_LOST: Final = 2


def _is_whole(text: str, mended: object) -> bool:
    """Returns whether mended JSON says what the text says: no words went, none came."""
    written = len(_WORD.findall(re.sub(r"\\[ntr\"]", " ", text)))
    kept = len(_WORD.findall(" ".join(_texts(mended))))
    return abs(written - kept) <= max(_LOST, written // 50)


def _is_cut(text: str) -> bool:
    """Returns whether JSON ends in the middle of a text: that is one broken off, not one that lacks a brace."""
    place = 0
    while place < len(text):
        end = _string_end(text, place)
        if end > len(text):
            return True
        place = max(end, place + 1)
    return False


def _string_end(text: str, place: int) -> int:
    """Returns where the text ends that a quotation mark at this place begins, beyond the end of `text` if nowhere;
    `place` itself if none begins here."""
    mark = _MARKS.get(text[place])
    if mark is None or not _BEGINS_STRING.search(text[max(0, place - 60) : place]):
        return place
    at = place + 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == mark and _ENDS_STRING.match(text, at + 1):
            return at + 1
        at += 1
    return len(text) + 1


_MARKS: Final = {'"': '"', "'": "'", "“": "”"}
_BEGINS_STRING: Final = re.compile(r"(?:[:,{\[]|\*/|//[^\n]*\n)\s*\Z")
_ENDS_STRING: Final = re.compile(r"\s*(?:[:}\]]|,\s*[\"'“{\[}\]/]|,\s*\w+\s*:|,\s*\Z|//|/\*|\Z)")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key)
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, bool | None):
        yield json.dumps(value)
    else:
        yield str(value)


def unwrapped(value: Mapping[str, Any], asked: ExpectedObject) -> Mapping[str, Any]:
    """Returns the object with the keys inside of what models put around it; `value` itself if there is none."""
    inner = _within(value, asked, 0)
    return value if inner is None else _by_key(inner, asked)


def _within(value: object, asked: ExpectedObject, depth: int) -> Mapping[str, Any] | None:
    """Returns the first mapping that has one of the keys, looked for in wrappers alone."""
    if depth > _DEPTH:
        return None
    if isinstance(value, str) and ((block := unfenced(value)) or value.strip(BLANK).startswith(("{", "["))):
        try:
            value = json.loads(block or value.strip(BLANK), strict=False)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, list):
        return next((found for each in value[:_CANDIDATES] if (found := _within(each, asked, depth + 1))), None)
    if not isinstance(value, Mapping):
        return None
    names = [name for name in value if str(name).lower() in _WRAPPERS]
    # An object of one thing is a wrapper whatever it is called.
    names += [name for name in value if len(value) == 1 and name not in names]
    inner = next((found for name in names if (found := _within(value[name], asked, depth + 1))), None)
    return inner or (value if any(map(asked.key_of, value)) else None)


def _by_key(found: Mapping[str, Any], asked: ExpectedObject) -> Mapping[str, Any]:
    """Returns the object under the keys that were asked for, with values such as {"type": "string", "value": "…"}
    replaced by what they hold. A key as it was asked for goes before another name for it."""
    plain: dict[str, Any] = {}
    for name, value in sorted(found.items(), key=lambda item: str(item[0]) not in asked.keys):
        key = asked.key_of(name)
        if key and key not in plain:
            plain[key] = _plain_value(value)
    return plain


def _plain_value(value: Any) -> Any:
    if isinstance(value, Mapping) and "type" in value:
        return next((value[name] for name in _VALUES if name in value), value.get("description"))
    return value


def objects_in(text: str, asked: ExpectedObject, mend: Mend) -> Iterator[Mapping[str, Any]]:
    """Yields the objects with all the keys that a text holds, in the first form in which there is one."""
    if len(text) > _MAX_TEXT:
        return
    text = _with_json_calls(without_thinking(text)).strip(BLANK)
    for form in (_by_tags, _by_json, _by_python, _by_labels):
        found = [each for each in form(text, asked, mend) if all(each.get(key) is not None for key in asked.keys)]
        if found:
            yield from found
            return


def _with_json_calls(text: str) -> str:
    """Returns a text in which calls such as `<start_function_call>call:name{key:<escape>words<escape>}` hold JSON."""
    return _ESCAPED_CALL.sub(lambda found: _as_json(found["body"]), text)


_ESCAPED_CALL: Final = re.compile(
    r"<start_function_call>\s*call:\s*[\w.]+\s*(?P<body>\{.*?\})\s*(?:<end_function_call>|(?=<start_function_call>)|\Z)",
    re.DOTALL,
)


def _as_json(body: str) -> str:
    """Returns an object with bare keys, its texts between `<escape>` marks, as JSON."""
    parts = re.split(r"<escape>", body)
    return "".join(
        json.dumps(part, ensure_ascii=False) if place % 2 else re.sub(r"([{,]\s*)(\w+)\s*:", r'\1"\2":', part)
        for place, part in enumerate(parts)
    )


def _by_tags(text: str, asked: ExpectedObject, mend: Mend) -> Iterator[Mapping[str, Any]]:
    for form in _TAGGED:
        current: dict[str, str] = {}
        for match in form.finditer(text):
            key = asked.key_of(match["name"])
            if key in current:
                yield current
                current = {}
            current[key] = match["value"].strip("\n")
        yield current
    current = {}
    for key in asked.keys:
        if found := re.search(rf"<{key}>(.*?)</{key}>", text, re.DOTALL):
            current[key] = found[1].strip("\n")
    yield current


def _by_json(text: str, asked: ExpectedObject, mend: Mend) -> Iterator[Mapping[str, Any]]:
    for piece in _json_pieces(text):
        try:
            value = strict_or_mended(piece, mend)
        except (ValueError, RecursionError):
            continue
        for each in value if isinstance(value, list) else [value]:
            if (found := _within(each, asked, 0)) is not None:
                plain = _by_key(found, asked)
                if all(plain.get(key) is not None for key in asked.keys):
                    note_taken(piece, mend)
                yield plain


def _json_pieces(text: str) -> Iterator[str]:
    """Yields what begins with a brace or a bracket, up to where it is closed, else up to the end."""
    place = 0
    for _ in range(_CANDIDATES):
        begin = _OPENING.search(text, place)
        if begin is None:
            return
        try:
            _, end = _DECODER.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            end = _closed_at(text, begin.start())
        yield _CLOSING_TAG.sub("", text[begin.start() : end])
        place = end


_OPENING: Final = re.compile(r"\{|\[\s*\{")
_CLOSING_TAG: Final = re.compile(rf"\s*(?:{FENCE_MARK}|</\w+>|<\|[^|]*\|>|<｜[^｜]*｜>)\s*\Z")
_DECODER: Final = json.JSONDecoder(strict=False)


def _closed_at(text: str, begin: int) -> int:
    """Returns where what is opened at `begin` is closed, texts in quotation marks passed over; the end of the text if
    nowhere."""
    depth, place = 0, begin
    while place < len(text):
        end = _string_end(text, place)
        if end > place:
            place = end
            continue
        if text[place] in "{[":
            depth += 1
        elif text[place] in "}]":
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return len(text)


def _by_python(text: str, asked: ExpectedObject, mend: Mend) -> Iterator[Mapping[str, Any]]:
    """Reads `save_memory(history_entry="…", memory_update="…")`, as a line of Python, and `save_memory.call(…)`."""
    for begin in re.finditer(rf"\b{re.escape(asked.name)}(?:\.\w+)?\s*\(", text):
        for end in list(re.finditer(r"\)", text[begin.end() :]))[-_CANDIDATES:]:
            try:
                tree = ast.parse(text[begin.start() : begin.end() + end.end()].strip(), mode="eval")
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                continue
            if isinstance(tree.body, ast.Call):
                yield _literals(tree.body, asked)
            break


def _literals(call: ast.Call, asked: ExpectedObject) -> Mapping[str, Any]:
    given: dict[str, Any] = {}
    try:
        given |= {key: ast.literal_eval(value) for key, value in zip(asked.keys, call.args, strict=False)}
        given |= {asked.key_of(each.arg): ast.literal_eval(each.value) for each in call.keywords if each.arg}
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return {}
    return given


def _by_labels(text: str, asked: ExpectedObject, mend: Mend) -> Iterator[Mapping[str, Any]]:
    """Reads sections that begin with a key at the start of a line: `**history_entry:** …`, `## memory_update`."""
    label = re.compile(
        rf"^[ \t]*[#*_ ]*(?P<key>{'|'.join(map(re.escape, asked.keys))})[*_]*[ \t]*"
        r"(?:[:=]|$)[*_`]*[ \t]*[|>]?-?[ \t]*",
        re.MULTILINE,
    )
    starts = list(label.finditer(text))
    if [match["key"] for match in starts] != list(asked.keys):
        return
    ends = [match.start() for match in starts[1:]] + [len(text)]
    found = {}
    for match, end in zip(starts, ends, strict=True):
        body = text[match.end() : end].strip("\n")
        block = unfenced(body)
        found[match["key"]] = (textwrap.dedent(body) if block is None else block).strip().strip('"')
    yield found

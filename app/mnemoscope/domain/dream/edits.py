"""Reads the edits that a model gives as one object, and makes them in copies of the files.

An edit that cannot be made is refused in the sentence that its tool says; the others are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.answers.answer_cleanup import tidy
from mnemoscope.domain.answers.answer_reading import (
    ExpectedObject,
    JsonRepair,
    Mend,
    NoStructuredAnswer,
    find_object,
    no_mending,
    note_taken,
    objects_in,
    strict_or_mended,
    unwrapped,
)
from mnemoscope.domain.dream.files import DREAM_TOOLS, DreamFiles, may_edit, plain_path
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.memory.file_registry import DREAM_FILES

EDITS_NAME: Final = "edit_memory"
MOST_EDITS: Final = 100
"""Edits of one answer; more are no small change."""
_TOLD: Final = 3
"""Refusals that are told."""
_DEPTH: Final = 4
_EDITS: Final = ExpectedObject(
    EDITS_NAME,
    ("edits",),
    dict.fromkeys(("changes", "updates", "modifications", "operations", "edit", "fileedits"), "edits")
    | dict.fromkeys(("summary", "words", "explanation", "reason", "comment"), "summary"),
)
_EDIT: Final = ExpectedObject(
    "edit_file",
    ("file", "old", "new"),
    dict.fromkeys(("path", "filepath", "filename", "filetoedit", "target"), "file")
    | dict.fromkeys(("oldtext", "oldstring", "oldstr", "oldline", "search", "find", "before", "replaced"), "old")
    | dict.fromkeys(
        ("newtext", "newstring", "newstr", "newline", "replace", "replacement", "after", "content", "text"), "new"
    ),
)


@dataclass(frozen=True, slots=True)
class AskedEdit:
    """Describes one edit as a model asks for it: `old` stands in the file at `path` once, "" adds a line; `new` comes
    there."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class GivenEdits:
    """Holds the edits of one answer, and what the model says of them. `as_text`: they came as calls written into the
    text; `is_mended`: its JSON had to be mended."""

    edits: tuple[AskedEdit, ...]
    words: str = ""
    as_text: bool = False
    is_mended: bool = False


@dataclass(frozen=True, slots=True)
class MadeEdits:
    """Counts the edits that were made and those that stood there already; says why the others were refused: to the
    model in `refused`, with what it is to do instead, and to a person in `whys`."""

    made: int
    stood: int
    refused: tuple[str, ...]
    whys: tuple[str, ...]

    def problem(self) -> str:
        """Returns the refusals in sentences for a person, "" where there is none."""
        return _first_of(self.whys)

    def complaint(self) -> str:
        """Returns the refusals in sentences for the model."""
        return _first_of(self.refused)


def _first_of(sentences: Sequence[str]) -> str:
    more = len(sentences) - _TOLD
    return " ".join([*sentences[:_TOLD], *([f"And {more} more."] if more > 0 else [])])


def edits_schema(files: Sequence[str]) -> Mapping[str, Any]:
    """Returns the schema of the object that is asked for; `files` are those that it may name."""
    edit_file = next(each["function"] for each in DREAM_TOOLS if each["function"]["name"] == "edit_file")
    texts = {name: each["description"] for name, each in edit_file["parameters"]["properties"].items()}
    edit = {
        "type": "object",
        "properties": {
            "file": {"type": "string", "enum": sorted({*DREAM_FILES, *filter(may_edit, files)})},
            "old": {"type": "string", "description": texts["old_text"]},
            "new": {"type": "string", "description": texts["new_text"]},
        },
        "required": ["file", "old", "new"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"edits": {"type": "array", "items": edit}, "summary": {"type": "string"}},
        "required": ["edits", "summary"],
    }


def read_edits(response: LLMResponse, mend: Mend = no_mending) -> GivenEdits:
    """Returns the edits that an answer holds, none of them being an answer too. Raises NoStructuredAnswer where
    it holds no such object, and where an edit is not whole."""
    mend = JsonRepair(mend)
    try:
        found = find_object(response, _EDITS, mend)
    except NoStructuredAnswer as problem:
        # Models that were trained to call tools write their calls, and others the edits without the object.
        single = [] if not problem.is_form else list(objects_in(response.content or "", _EDIT, mend))
        if not single:
            sentence = str(problem).replace(f"calling {EDITS_NAME}", "edits").replace(EDITS_NAME, "edits")
            raise NoStructuredAnswer(sentence, is_form=problem.is_form) from None
        edits = _distinct(_edits_in(single, mend))
        return GivenEdits(edits, as_text=True, is_mended=mend.was_needed)
    if found.get("edits") is None:
        raise NoStructuredAnswer("The answer had no list of edits.")
    words, edits = found.get("summary"), _distinct(_edits_in(found["edits"], mend))
    return GivenEdits(edits, words.strip() if isinstance(words, str) else "", is_mended=mend.was_needed)


def make_edits(files: DreamFiles, given: GivenEdits) -> MadeEdits:
    """Makes the edits one after the other; what cannot be made is refused, and the files stay as they are there."""
    made = stood = 0
    refused, whys = [], []
    for edit in given.edits:
        said = files.edit(plain_path(edit.path), edit.old, edit.new)
        made += files.succeeded
        stood += files.stood
        if not files.succeeded and not files.stood:
            refused.append(said)
            whys.append(files.why)
    return MadeEdits(made, stood, tuple(dict.fromkeys(refused)), tuple(dict.fromkeys(whys)))


def _distinct(edits: Iterator[AskedEdit]) -> tuple[AskedEdit, ...]:
    found = tuple(dict.fromkeys(edits))
    if len(found) > MOST_EDITS:
        raise NoStructuredAnswer(
            f"The answer held {len(found)} edits; at most {MOST_EDITS} are made at once.", is_form=False
        )
    return found


def _edits_in(value: object, mend: Mend, file: str = "", depth: int = 0) -> Iterator[AskedEdit]:
    """Yields the edits of a list, of one object, of JSON text, or of an object with files as keys."""
    if isinstance(value, str):
        text = value.strip()
        try:
            value = strict_or_mended(text, mend)
        except ValueError:
            raise NoStructuredAnswer("The edits were no list of objects.") from None
        note_taken(text, mend)
    if isinstance(value, list) and depth < _DEPTH:
        for each in value:
            yield from _edits_in(each, mend, file, depth + 1)
    elif isinstance(value, Mapping):
        yield from _edits_of_object(value, mend, file, depth)
    elif value is not None:
        raise NoStructuredAnswer("The edits were no list of objects.")


def _edits_of_object(value: Mapping[str, Any], mend: Mend, file: str, depth: int) -> Iterator[AskedEdit]:
    if value and depth < _DEPTH and all(may_edit(plain_path(str(name))) for name in value):
        for name, each in value.items():
            yield from _edits_in(each, mend, str(name), depth + 1)
        return
    plain = unwrapped(value, _EDIT)
    if {"old", "new"} & plain.keys():
        yield _edit_of({"file": file, **plain})
    elif value:
        raise NoStructuredAnswer("An edit had neither old nor new words.", is_form=False)


def _edit_of(given: Mapping[str, Any]) -> AskedEdit:
    if "new" not in given:
        raise NoStructuredAnswer("An edit did not say what stands there afterwards.", is_form=False)
    file, old, new = (_text(given.get(name)) for name in ("file", "old", "new"))
    if not old and not new:
        raise NoStructuredAnswer("An edit had neither old nor new words.", is_form=False)
    # What a file of words never holds is not in the file either.
    return AskedEdit(file, tidy(old)[0], new)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise NoStructuredAnswer("The words of an edit were not text.", is_form=False)
    return str(value)

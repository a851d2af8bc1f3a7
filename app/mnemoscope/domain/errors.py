"""The one tree of errors.

MnemoscopeError
├── WorkspaceError        the folder cannot be used as it is
│   ├── NotAWorkspace
│   ├── WorkspaceReadOnly
│   └── WorkspaceInUse
├── StorageError          a file cannot be read or written
│   ├── DiskFull
│   ├── Unfinished
│   ├── UnreadableFile
│   ├── FileShared
│   └── ApprovalMoved
├── KeptOut               the kind of the conversation forbids it: nothing of it is to be kept
├── SettingsError         config.json says something that cannot be followed
├── ModelError            a model did not answer
│   ├── FolderNotTrusted
│   ├── KeyMissing
│   ├── KeyRefused
│   ├── ModelUnknown
│   ├── ModelMissing
│   ├── RateLimited
│   ├── ContextTooLong
│   ├── ServerUnreachable
│   ├── AnswerCutOff
│   └── AnswerTimedOut
└── ToolError             a tool call was refused or failed
    ├── ToolNotRun
    └── PathRefused

Every error carries one plain sentence for the person, one next step, and context for the log.
"""

from __future__ import annotations

from typing import Final, Self

_SENTENCE_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")
_CLOSING: Final = "\"'”’»)"


class MnemoscopeError(Exception):
    """A failure with a sentence for the person and context for the log."""

    next_step = ""
    """The step to take in the window."""
    in_python = ""
    """The step that a Python caller takes instead: a note of the exception, which a traceback shows and no window."""

    def __init__(self, sentence: str, *, next_step: str | None = None, **context: object) -> None:
        """`next_step`: "" where there is none, None for what is usual of its kind."""
        super().__init__(sentence)
        if self.in_python:
            self.add_note(self.in_python)
        self.sentence = sentence
        self.next_step = type(self).next_step if next_step is None else next_step
        self.context = context

    @property
    def detail(self) -> str:
        """Returns what a server said in its own words, without the key; "" where none did."""
        return str(self.context.get("detail") or "")

    def __str__(self) -> str:
        return f"{self.sentence} {self.next_step}".strip()


def reason_of(error: BaseException) -> str:
    """Returns why something failed, with a full stop, also of an exception that says nothing itself, such as a bare
    TimeoutError."""
    said = str(error).strip()
    if not said:
        said = "there was no answer in time" if isinstance(error, TimeoutError) else type(error).__name__
    return said if said.rstrip(_CLOSING).endswith(_SENTENCE_ENDS) else f"{said}."


class WorkspaceError(MnemoscopeError):
    """The folder cannot be used as a workspace."""


class NotAWorkspace(WorkspaceError):
    """The folder holds none of the files of a workspace."""

    next_step = "Create a workspace in it, or choose another folder."


class WorkspaceReadOnly(WorkspaceError):
    """The folder may be read but not written."""

    next_step = "Look around without changing anything, or choose another folder."
    in_python = "From Python, `open_core(root, read_only=True)` looks around without changing anything."


class WorkspaceInUse(WorkspaceError):
    """Another process owns the folder."""

    next_step = "Close the other window, or look around without changing anything."
    in_python = "From Python, `open_core(root, read_only=True)` looks around without changing anything."


class LeadsOut(WorkspaceError):
    """Links lead out of the folder, and nobody on this computer agreed to that yet. The context has `links`, where each
    leads by its path in the folder, and their `fingerprint`."""

    next_step = "Look around without changing anything, or choose another folder."
    in_python = "From Python, give your word for the folder with `open_core(root, trusted=True)`."


class StorageError(MnemoscopeError):
    """A file could not be read or written."""

    next_step = "Nothing was overwritten. Check the disk, then try again."


class DiskFull(StorageError):
    """The disk has no room left."""

    next_step = "Free some space, then try again."


class Unfinished(StorageError):
    """The transaction is committed, and the disk does not let it be finished yet. The context has its `id`."""

    next_step = (
        "It was begun, and is finished when the disk has room, or with the next change of memory, at the latest when "
        "the workspace is opened next."
    )


class UnreadableFile(StorageError):
    """A file exists but its content cannot be understood; it is never overwritten."""


class FileShared(StorageError):
    """A file has other names (hard links), so replacing it under one name would part it from the others."""

    next_step = "Nothing was written. Give this name a file of its own, then save again; the others keep the old text."


class ApprovalMoved(StorageError):
    """The approved text is not the text that would be written now."""

    next_step = "Nothing was written. It is shown again as it is now: look once more, then accept."

    @classmethod
    def of(cls, name: str, suggestion_id: str) -> Self:
        """Returns the error for a suggestion about the file of this name."""
        return cls(f"{name} or the proposal changed after you were shown it.", id=suggestion_id)


class RepositoryBroken(StorageError):
    """The repository of commits cannot be read or written."""

    next_step = (
        "The memory files are untouched. Other versions may still be read; where the newest cannot, they begin again "
        "from the files."
    )


class RepositoryLocked(StorageError):
    """No commit can be made at this moment: the disk is full, or another program, such as git, is at work there."""

    next_step = "The version is made with the next change."


class KeptOut(MnemoscopeError):
    """Nothing of this conversation is to be kept in this way: the person chose so."""

    next_step = "Choose “Remembered” at the message field first."


class SettingsError(MnemoscopeError):
    """config.json cannot be followed."""

    next_step = "Correct config.json; until then the default is used and the file stays as it is."


class ModelError(MnemoscopeError):
    """A model did not answer."""

    next_step = "Try again, or choose another model."
    transient = False


class FolderNotTrusted(ModelError):
    """The folder says where words go, or what runs, and nobody on this computer agreed to it yet."""

    next_step = "Look at what it asks for and choose “Trust this folder”, or take the built-in model."
    in_python = "From Python, give your word for the folder with `open_core(root, trusted=True)`."


class KeyMissing(ModelError):
    """The model needs a key and none is known."""

    next_step = "Enter the key under “Choose model…”, or take the built-in model."


class KeyRefused(ModelError):
    """The server does not accept the key (401, 403)."""

    next_step = "Check the key under “Choose model…”."


class ModelUnknown(ModelError):
    """The server has no such model (404)."""

    next_step = "Check the model's name under “Choose model…”."


class ModelMissing(ModelError):
    """A model that would run on this computer is not installed; the next step says how."""


class RateLimited(ModelError):
    """The server asks to wait (429)."""

    next_step = "Wait a little, then try again."
    transient = True


class ContextTooLong(ModelError):
    """The prompt is longer than the model's context."""

    next_step = "Consolidate now, start a new conversation, or choose a model with a larger context."


class ImagesRefused(ModelError):
    """The model takes no images, and the request held some."""


class ServerUnreachable(ModelError):
    """No answer from the address, or a server error (5xx)."""

    next_step = "Check the connection and the address under “Choose model…”, then try again."
    transient = True


class AnswerCutOff(ModelError):
    """The connection ended in the middle of an answer; what had arrived is kept."""

    next_step = "The part that arrived is kept. Try again to get a whole answer."


class AnswerTimedOut(ModelError):
    """Nothing arrived for the length of the idle limit."""

    next_step = "Try again, or choose another model."
    transient = True


class ToolError(MnemoscopeError):
    """A tool call failed; the sentence goes back to the model as the result."""


class ToolNotRun(ToolError):
    """A tool call that never began: the person did not allow it."""


class PathRefused(ToolError):
    """A path that leads out of the workspace or to a protected file."""

    next_step = "Use a path relative to the workspace, such as notes/plan.md."

"""The record of a run that was committed and interrupted before it had one: made from its transaction."""

from __future__ import annotations

from typing import Final

from mnemoscope.domain.dream import DreamRun, FileEdit, Outcome, Spend, file_edit
from mnemoscope.domain.versions import FileChange
from mnemoscope.store.dream_runs import DreamRuns
from mnemoscope.store.intent import DREAM, Intent
from mnemoscope.store.suggestion_file import decode_suggestion

_FINISHED: Final = "It was interrupted while it was written, and finished afterwards."
_LOOKED_AT: Final = 20


def note_finished(runs: DreamRuns, intent: Intent | None) -> None:
    """Add the record of a run whose transaction was rolled forward, where it has none. Raises StorageError."""
    if intent is None or intent.kind != DREAM or any(run.id == intent.id for run in runs.newest(_LOOKED_AT)):
        return
    written = [file_edit(FileChange(each.path, each.before, each.after), held=False) for each in intent.edits]
    held = [edit for text in intent.holds if (edit := _held(text)) is not None]
    outcome: Outcome = "changed" if written else "held" if held else "nothing"
    runs.add(
        DreamRun(
            id=intent.id,
            when=intent.when,
            seconds=0.0,
            trigger="manual",
            model=intent.model,
            first=intent.start,
            last=intent.stop,
            entries=intent.stop - intent.start + 1,
            rounds=0,
            spend=Spend(money=None),
            outcome=outcome,
            reason=_FINISHED,
            edits=(*written, *held),
        )
    )


def _held(text: str) -> FileEdit | None:
    suggestion = decode_suggestion(text.encode("utf-8"))
    if suggestion is None:
        return None
    return file_edit(FileChange(suggestion.path, suggestion.before, suggestion.proposed), held=True)

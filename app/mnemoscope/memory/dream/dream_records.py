"""The record of a run that was committed and got none, from a crash or a full disk: made from its transaction."""

from __future__ import annotations

from typing import Final

from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.dream.run import DreamRun, FileEdit, Outcome, Spend, file_edit
from mnemoscope.store.journals.dream_runs import DreamRuns
from mnemoscope.store.memory.suggestion_file import decode_suggestion
from mnemoscope.store.transactions.intent import DREAM
from mnemoscope.store.transactions.ledger import Ledger

_FINISHED: Final = "It was interrupted while it was written, and finished afterwards."
_RECORDS: Final = 500


def note_newest(runs: DreamRuns, ledger: Ledger) -> None:
    """Add the record of the newest finished run, where it has none. Raises StorageError."""
    newest = ledger.newest(DREAM)
    if newest is None or any(run.id == newest.id for run in runs.newest(_RECORDS)):
        return
    intent = ledger.intent(newest.id) or newest
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

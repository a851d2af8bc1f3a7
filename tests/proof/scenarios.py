"""Does work in a workspace while calls are killed and fail: one entry a scenario, each with what must hold after."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from mnemoscope.agent.importing.imports import ImportProgress
from mnemoscope.agent.turn.conversation_writer import SentMessage
from mnemoscope.agent.workspace.message_deletions import MessagesToDelete
from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.domain.copying.fact_target import FactCopy, FactForm, FactTarget, FileBudget
from mnemoscope.domain.disagreement.settlement import PairItem, Settlement
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import ConsolidationFailed, TurnFailed
from mnemoscope.domain.forgetting.plan import ForgettingPlan, FoundPlace, PlaceKind
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.domain.memory.outside_proposal import OutsideProposal
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import review_items
from mnemoscope.domain.trust import FolderIdentity, Terms
from mnemoscope.memory.files.memory_editing import Decided
from mnemoscope.store.copying.fact_files import FactFiles
from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.trust_store import TrustStore
from tests.proof.beginnings import (
    COPIED,
    COUNT,
    EDITED,
    EDITED_AS,
    EDITED_FROM,
    EDITED_WITHOUT,
    FORGOTTEN,
    HELD,
    HERMES,
    HERMES_AFTER,
    HERMES_BEFORE,
    IMPORTED,
    KEPT,
    MEMORY,
    NOTE,
    NOTED_WRONG,
    PROPOSED,
    USER,
    beside_an_export,
    beside_hermes,
    beside_qanot,
    conversation,
    crlf,
    in_nanobots_home,
    left_and_not_noted,
    left_behind,
    linked,
    of_a_peer,
    with_a_note,
    with_a_pair,
    with_an_import,
    with_journal,
    with_state,
    with_suggestion,
    with_words_to_forget,
)
from tests.proof.forks import Say, in_fork
from tests.proof.opened import DREAMT, KEY, Opened
from tests.proof.shim import unseen
from tests.support.closing import closed

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
"""An image as far as its first bytes tell; in base64 it has no number of a message."""
"""A message that the person edits, and what it says then."""
HAS_QT = find_spec("PySide6") is not None
OUTSIDE = "- Written by hand elsewhere"
CAPTURED = MEMORY + f"\n## Auto-captured\n\n- **preference**: {KEPT}\n"

TRUSTED = "trusted-folders"
"""The folder that keeps what the person agreed to: within the workspace here, so that its calls are counted too."""
AGREED = (Terms({"model": "openai/gpt-4o"}), Terms({"model": "ollama/qwen3:8b"}, {"AGENTS.md": "0" * 64}))
THIS_FOLDER = FolderIdentity("/home/someone/notes", 64, 4711)
"""The identity that the person agrees to: a folder made again after a cut has another inode, which would void it."""
OFFERED, OFFER = "00000000000000a1", "Likes the rain"
"""A proposal of a program outside, and what it says."""
Step = Callable[[Opened, bool], Awaitable[None]]
"""Something a person does; True: again, after it was refused."""


class Refused(Exception):
    """The program did not do a step, and said so."""


@dataclass(frozen=True)
class Scenario:
    """Describes a scenario. `prepare` fills an empty folder. `from_opening`: opening and recovering count too.

    `texts`: what MEMORY.md may say after, without what consolidations added; the last one must stand once all steps
    are done. `lines`: of MEMORY.md, each there exactly once after all. `window`: of consolidation, in messages.
    `outside`: another program writes into MEMORY.md in the moment it is replaced. `held`: the
    suggestion that waits at the beginning. `versions`: changes of memory are committed too.
    """

    name: str
    prepare: Callable[[Path], None]
    steps: Sequence[Step]
    from_opening: bool = False
    texts: tuple[str, ...] = (MEMORY,)
    lines: tuple[str, ...] = ("- Known before",)
    window: int = 8
    outside: bool = False
    held: str = ""
    journal: bool = False
    """Whether it is about history.jsonl: Dream's cursor has to agree with what MEMORY.md says."""
    versions: bool = False
    tiers: bool = False
    """Exchanges are noted and the context is guarded; what is noted stays whole."""
    waits: bool = False
    """Messages wait for an answer: each is said, waits or is a draft, once, and nothing is sent by itself."""
    deleted: tuple[int, ...] = ()
    """Messages that are deleted; they are, all or none, until all steps are done, and then they are or are back."""
    discreet: bool = False
    """Memory takes nothing from the conversation while its kind says so."""
    inbox: str = ""
    """The id of a proposal that a program outside puts into the inbox: it waits once, or was decided on."""
    images: bool = False
    """Images are sent: whatever message names one, it is there, whole."""
    agrees: bool = False
    """The person agrees to what the folder decides: what is kept of it is whole, and what they said last."""

    copies: bool = False
    """A fact is copied to another agent's memory: that says what it said, or that and the fact."""
    imports: bool = False
    """Conversations of an export come in, and a memory of it waits: each once, whatever was cut off; another import
    brings what is missing, and a third one nothing."""

    pair: bool = False
    """Two facts of two files are settled: both files say it or neither does, and the pair waits as long as neither."""

    corrected: bool = False
    """An entry of a note is corrected and given back its words: the file has the one wording or the other, whole."""
    forgotten: str = ""
    """Words that are forgotten: once that is done, no file says them but those that were `spared`."""
    spared: tuple[str, ...] = ()
    """The patterns of the files that the person left as they are: these say the words still."""

    @property
    def remembers_again(self) -> bool:
        """Tells whether what was forgotten is taken back in the end."""
        return _takes_back_what_was_forgotten in self.steps

    @property
    def brings_back(self) -> bool:
        """Tells whether what was deleted is back in the end."""
        return _undo_deletions in self.steps

    @property
    def takes_back(self) -> bool:
        """Tells whether what was imported is taken back in the end."""
        return _takes_the_import_back in self.steps

    @property
    def branches(self) -> bool:
        """Tells whether the conversation goes on in two ways, of which one at a time is active."""
        return _edit in self.steps or self.prepare in (left_behind, left_and_not_noted)

    @property
    def several(self) -> bool:
        """Tells whether there may be another conversation beside the one every scenario is about."""
        return self.imports or _talks_where_nothing_is_kept in self.steps

    def __reduce__(self) -> tuple[Callable[[str], Scenario], tuple[str]]:
        # Between processes it goes by its name: steps are functions, which cannot be sent.
        return scenario_named, (self.name,)


async def _consolidate(opened: Opened, again: bool) -> None:
    _refuse_unless(await opened.bench.loop.consolidate_now(KEY) or _nothing_is_due(await opened.session()))


async def _start_new(opened: Opened, again: bool) -> None:
    _refuse_unless(await closed(opened.bench.loop, KEY))


async def _consolidate_while_talking(opened: Opened, again: bool) -> None:
    """Consolidates; a message arrives while the model is thinking, after the range was fixed."""
    session = await opened.session()

    async def talk() -> None:
        if len(session.messages) == COUNT:
            await opened.bench.loop.writer.append_person(session, SentMessage(f"m{COUNT}"))

    opened.model._meanwhile = talk
    _refuse_unless(await opened.bench.loop.consolidate_now(KEY) or _nothing_is_due(session))


def _sends(number: int) -> Step:
    async def send(opened: Opened, again: bool) -> None:
        failures = len(opened.seen(TurnFailed))
        done = await (opened.bench.loop.retry(KEY) if again else opened.bench.loop.process(KEY, f"m{number}"))
        _refuse_unless(done and len(opened.seen(TurnFailed)) == failures)

    return send


def _sends_image(number: int) -> Step:
    async def send(opened: Opened, again: bool) -> None:
        failures = len(opened.seen(TurnFailed))
        image = await opened.bench.loop.keep_image(KEY, PICTURE, 3, 2, "garden.png")
        session = await opened.session()
        said = [attachments_of(each) for each in session.messages if each.get("content") == f"m{number}"]
        work = (
            opened.bench.loop.retry(KEY) if said else opened.bench.loop.process(KEY, f"m{number}", attachments=[image])
        )
        _refuse_unless(await work and len(opened.seen(TurnFailed)) == failures)

    return send


async def _says_what_is_kept(opened: Opened, again: bool) -> None:
    """Sends a message with a fact to capture. A fact that could not be captured is captured with the next message."""
    failures = len(opened.seen(TurnFailed))
    done = await (
        opened.bench.loop.retry(KEY) if again and failures else opened.bench.loop.process(KEY, f"{KEPT}. m{COUNT}")
    )
    _refuse_unless(done and len(opened.seen(TurnFailed)) == failures)
    if KEPT not in (await opened.bench.disk.run(opened.bench.memory.editing.read_text)).text:
        await _sends(COUNT + 2)(opened, False)
    _refuse_unless(KEPT in (await opened.bench.disk.run(opened.bench.memory.editing.read_text)).text)


async def _undo_capture(opened: Opened, again: bool) -> None:
    """Takes back what was captured. What a disk kept from being noted is noted with the next message."""
    if KEPT in (await opened.bench.disk.run(opened.bench.memory.editing.read_text)).text:
        if not await opened.bench.memory.captures.log():
            await _sends(COUNT + 4)(opened, False)
        noted = await opened.bench.memory.captures.log()
        _refuse_unless(bool(noted))
        await opened.bench.memory.captures.undo(noted[0].id)


async def _wait_for_consolidation(opened: Opened, again: bool) -> None:
    """Waits for the consolidation that a turn began in the background, and consolidates again if it failed, as the
    program does not try again before more was said."""
    while opened.bench.loop.consolidation.tasks:
        await asyncio.wait(opened.bench.loop.consolidation.tasks)
    if opened.seen(ConsolidationFailed):
        await _consolidate(opened, again)


def _saves(text: str) -> Step:
    async def save(opened: Opened, again: bool) -> None:
        base = await opened.bench.disk.run(opened.bench.memory.editing.read_text)
        await opened.bench.memory.editing.save_text(text, base.digest)

    return save


async def _restore_first(opened: Opened, again: bool) -> None:
    """Restores the text that the workspace began with."""
    await opened.bench.memory.editing.restore_version(digest_of(MEMORY.encode()))


async def _undo(opened: Opened, again: bool) -> None:
    """Takes the person's own edit back."""
    if (await opened.bench.disk.run(opened.bench.memory.editing.read_text)).text == EDITED:
        changes = await opened.bench.disk.run(opened.bench.memory.editing.changes)
        # A disk that takes nothing any more may hold the text and not that it was changed.
        _refuse_unless(bool(changes))
        await opened.bench.memory.editing.undo_change(changes[-1].id)


async def _accept(opened: Opened, again: bool) -> None:
    """Accepts what waits. What was refused half-way waits no more: the window finishes it by itself."""
    await opened.bench.memory.editing.finish_refused()
    waiting = await opened.bench.disk.run(opened.bench.memory.ledger.suggestions)
    if not waiting and again:
        return
    await opened.bench.memory.editing.settle(waiting[0].id, "accept")


async def _accepts_an_item(opened: Opened, again: bool) -> None:
    """Accepts what waits as an item of a review; as in `_accept`."""
    await opened.bench.memory.editing.finish_refused()
    items = review_items(await opened.bench.disk.run(opened.bench.memory.ledger.suggestions))
    if items or not again:
        await opened.bench.memory.editing.decide(items[0], "accept")


async def _reopens_it(opened: Opened, again: bool) -> None:
    """Takes the acceptance back: the suggestion waits again and memory is as it was. Where that was refused once, as a
    person does: the same once more, also where memory is as it was already."""
    bench = opened.bench
    changes = await bench.disk.run(bench.memory.editing.changes)
    accepted = [each for each in changes if each.after == digest_of(PROPOSED.encode())]
    # What was not accepted cannot be taken back. A disk that takes nothing any more may hold the text and not that it
    # was changed.
    _refuse_unless(bool(accepted))
    held = Suggestion(HELD, "2026-01-02T10:00:00", MEMORY, PROPOSED, ("said by a tool",), KEY, 0, 0)
    is_accepted = (await bench.disk.run(bench.memory.editing.read_text)).text == PROPOSED
    if is_accepted or not await bench.disk.run(bench.memory.ledger.suggestions):
        await bench.memory.editing.reopen(Decided(held, accepted[-1].id))
    _refuse_unless(bool(await bench.disk.run(bench.memory.ledger.suggestions)))


async def _corrects_a_note(opened: Opened, again: bool) -> None:
    """Gives an entry other words; what was refused half-way is finished when the entry is looked for."""
    corrections = opened.bench.memory.corrections
    entry = await corrections.find(NOTED_WRONG, "**User:** m1")
    assert entry is not None
    if "m2" in entry.words:
        await corrections.correct(entry, entry.words.replace("m2", "m3"))


async def _gives_its_words_back(opened: Opened, again: bool) -> None:
    """Takes it back, once it is wholly done."""
    await opened.bench.memory.editing.finish_refused()
    corrections = opened.bench.memory.corrections
    entry = await corrections.find(NOTED_WRONG, "**User:** m1")
    assert entry is not None
    if entry.correction is not None:
        await corrections.undo(entry.correction.id)
    last = await corrections.find(NOTED_WRONG, "**User:** m1")
    _refuse_unless(last is not None and last.correction is None and "m2" in last.words)


SCOPED = Settlement("both", None, "until May", "since May")
MEMORY_SCOPED, USER_SCOPED = (text.rstrip() + f" ({when} May)\n" for text, when in ((MEMORY, "until"), (USER, "since")))


async def _settles_a_pair(opened: Opened, again: bool) -> None:
    """Has both facts stand, each with its scope in its own file. What was refused half-way is no pair any more: it is
    finished when the review looks at what waits."""
    editing = opened.bench.memory.editing
    for item in await opened.bench.disk.run(editing.waiting_items):
        if isinstance(item, PairItem):
            await editing.settle_pair(item, SCOPED)
    await editing.bring_up_to_date()
    _refuse_unless(not await opened.bench.disk.run(opened.bench.memory.ledger.suggestions))


async def _reopens_the_pair(opened: Opened, again: bool) -> None:
    """Takes it back: the pair waits again, and both files are as they were."""
    bench = opened.bench
    settled = await bench.disk.run(bench.memory.ledger.settled, HELD)
    changes = await bench.disk.run(bench.memory.editing.changes, USER_PATH)
    made = [each.id for each in changes if each.origin.kind == "review"]
    if settled is not None and made and not await bench.disk.run(bench.memory.ledger.suggestions):
        await bench.memory.editing.reopen(Decided(settled, made[-1]))
    # What was not settled, or is not settled wholly yet, cannot be taken back.
    is_back = (await bench.disk.run(bench.memory.editing.read_text, USER_PATH)).text == USER
    _refuse_unless(bool(made) and is_back and bool(await bench.disk.run(bench.memory.ledger.suggestions)))


async def _is_proposed(opened: Opened, again: bool) -> None:
    """Proposes a line as a program outside does, and has the window take it in."""
    bench, paths = opened.bench, opened.bench.workspace.paths
    proposal = OutsideProposal(OFFERED, "2026-01-02T10:00:00", "Claude Code", OFFER)
    if not await bench.disk.run(bench.memory.ledger.knows_suggestion, OFFERED):
        if not (paths.own.inbox_dir / f"{OFFERED}.json").exists():
            await bench.disk.run(ProposalInbox(paths, calls=bench.calls).put, proposal)
        await bench.disk.run(bench.memory.proposals.take_in)
    _refuse_unless(await bench.disk.run(bench.memory.ledger.knows_suggestion, OFFERED))


async def _accepts_the_proposal(opened: Opened, again: bool) -> None:
    await opened.bench.memory.editing.finish_refused()
    waiting = await opened.bench.disk.run(opened.bench.memory.ledger.suggestions)
    if any(each.id == OFFERED for each in waiting):
        await opened.bench.memory.editing.settle(OFFERED, "accept")
    _refuse_unless(f"- {OFFER}" in (await opened.bench.disk.run(opened.bench.memory.editing.read_text)).text)


async def _dream(opened: Opened, again: bool) -> None:
    run = await opened.bench.dreaming.run_now()
    _refuse_unless(run.settled if run else (await opened.bench.dreaming.state()).waiting == 0)


async def _undo_dream(opened: Opened, again: bool) -> None:
    """Takes the run back, so that its entries are dreamed again. What is not finished yet cannot be."""
    dreamt = (await opened.bench.dreaming.state()).runs
    _refuse_unless(bool(dreamt) and dreamt[0].settled)
    if DREAMT in (await opened.bench.disk.run(opened.bench.memory.editing.read_text)).text:
        changes = await opened.bench.disk.run(opened.bench.memory.editing.changes)
        _refuse_unless(bool(changes))
        await opened.bench.dreaming.undo(changes[-1].id, again=True)


async def _upgrade(opened: Opened, again: bool) -> None:
    await opened.bench.dreaming.upgrade(dream_old=True)


async def _look(opened: Opened, again: bool) -> None:
    """Looks at the conversation and the list of conversations; opening them is all there is to it."""
    await opened.session()
    await opened.bench.conversations.overviews()


async def _delete(opened: Opened, again: bool) -> None:
    if not await opened.bench.conversations.trashed():
        await opened.bench.conversations.delete(KEY)


async def _restore(opened: Opened, again: bool) -> None:
    for each in await opened.bench.conversations.trashed():
        await opened.bench.conversations.restore(each.trashed)


async def _edit(opened: Opened, again: bool) -> None:
    """Edits message 6, which becomes message 100; what followed it stays on a branch of its own."""
    if (await opened.session()).branch.forks:
        await _sends(EDITED_AS)(opened, again)
        return
    failures = len(opened.seen(TurnFailed))
    done = await opened.bench.loop.resend(KEY, EDITED_FROM, f"m{EDITED_AS}")
    _refuse_unless(done and len(opened.seen(TurnFailed)) == failures)


async def _go_back(opened: Opened, again: bool) -> None:
    """Goes to the way the conversation began with."""
    session = await opened.session()
    if session.branch.forks:
        _refuse_unless(await opened.bench.loop.switch_branch(KEY, session.branch.root))


async def _go_over(opened: Opened, again: bool) -> None:
    """Goes to the other way."""
    session = await opened.session()
    if not session.branch.forks:
        others = session.other_branches
        _refuse_unless(bool(others) and await opened.bench.loop.switch_branch(KEY, others[0].began))


async def _takes_back_what_was_left(opened: Opened, again: bool) -> None:
    """Takes out of memory what the branch before had brought into it."""
    session = await opened.session()
    taken = await opened.bench.abandoned.of(session, session.branch.root, EDITED_FROM)
    if taken.can_be_removed:
        await opened.bench.abandoned.remove(taken)
    _refuse_unless(not (await opened.bench.abandoned.of(session, session.branch.root, EDITED_FROM)).lines)


def _deletes(*indices: int) -> Step:
    async def delete(opened: Opened, again: bool) -> None:
        session = await opened.session()
        wanted = tuple(index for index in indices if not is_deleted(session.messages[index]))
        if wanted:
            seen = tuple(session.messages[index] for index in wanted)
            await opened.bench.deletions.delete([MessagesToDelete(session, wanted, seen)])

    return delete


Choice = Callable[[ForgettingPlan], Sequence[FoundPlace]]
"""Chooses, among the places that have the words, those the person takes them out of."""


def _forgets(choice: Choice) -> Step:
    async def forget(opened: Opened, again: bool) -> None:
        """Takes words out of the chosen places. A forgetting that was refused is finished first."""
        run, forgettings = opened.bench.disk.run, opened.bench.memory.forgettings
        forgettings.when_finished(lambda carried: setattr(opened, "forgotten", carried))
        await run(opened.bench.memory.finish_pending)
        if await run(forgettings.receipts):
            return
        plan = await run(forgettings.plan, [FORGOTTEN])
        _refuse_unless(bool(plan.places))
        chosen = choice(plan)
        opened.forgotten = await run(forgettings.carry_out, plan.text, chosen, plan.without(chosen))

    return forget


async def _takes_back_what_was_forgotten(opened: Opened, again: bool) -> None:
    run, forgettings = opened.bench.disk.run, opened.bench.memory.forgettings
    await run(opened.bench.memory.finish_pending)
    _refuse_unless(opened.forgotten is not None and not await run(forgettings.undo, opened.forgotten))


def _not_notes_and_prompts(plan: ForgettingPlan) -> Sequence[FoundPlace]:
    return [each for each in plan.everything if each.kind not in (PlaceKind.NOTES, PlaceKind.PROMPTS)]


async def _undo_deletions(opened: Opened, again: bool) -> None:
    """Brings back whatever is in the trash."""
    await opened.bench.disk.run(opened.bench.memory.finish_pending)
    for path in sorted(WorkspacePaths(opened.root).own.message_trash_dir.glob("*.json")):
        await opened.bench.deletions.restore(path.stem)


async def _rename(opened: Opened, again: bool) -> None:
    await opened.bench.conversations.rename(KEY, "Plans for the summer")


async def _write_on(opened: Opened, again: bool) -> None:
    """Writes two messages while an answer is written; they wait."""
    from tests.proof.waiting import Waiting  # where Qt is

    if not again:
        opened.waiting = Waiting(opened)
        for number in (COUNT, COUNT + 2):
            await opened.waiting.add(number)
    _refuse_unless(await opened.waiting.is_kept())
    for number in (COUNT, COUNT + 2):
        opened.say(f"waits m{number}")


async def _send_what_waits(opened: Opened, again: bool) -> None:
    """Sends what waits, one after the other, now that the answer has come. A turn that failed is tried again first."""
    if again and opened.seen(TurnFailed):
        await opened.bench.loop.retry(KEY)
    failures = len(opened.seen(TurnFailed))
    done = await opened.waiting.send_all() and await opened.waiting.is_kept()
    _refuse_unless(done and len(opened.seen(TurnFailed)) == failures)


async def _goes_discreet(opened: Opened, again: bool) -> None:
    """Makes the conversation discreet: from here on memory takes nothing from it."""
    await opened.bench.discretion.change(KEY, Discretion.READS_MEMORY)


async def _is_remembered_again(opened: Opened, again: bool) -> None:
    await opened.bench.discretion.change(KEY, Discretion.REMEMBERED)


async def _talks_where_nothing_is_kept(opened: Opened, again: bool) -> None:
    """Says messages 12 and 14 in a temporary conversation, and keeps it then. Refused, it is open as before."""
    bench = opened.bench
    left = bench.sessions.temporary.sessions()
    if not left and any(each.key != KEY for each in await bench.conversations.overviews()):
        return
    session = left[0] if left else await bench.discretion.begin_temporary()
    if not len(session.messages):
        opened.is_silent = True
        for number in (COUNT, COUNT + 2):
            _refuse_unless(await bench.loop.process(session.key, f"m{number}"))
        opened.is_silent = False
    kept = await bench.discretion.keep(session.key, Discretion.REMEMBERED)
    for message in kept.messages:
        opened.say(str(message["content"]))


def _agrees(number: int) -> Step:
    async def agree(opened: Opened, again: bool) -> None:
        store = TrustStore(opened.root / TRUSTED, calls=opened.bench.calls)
        await opened.bench.disk.run(store.save, THIS_FOLDER, AGREED[number])

    return agree


def _hermes(root: Path) -> FactTarget:
    home, memory = (root / HERMES).parents[1], "memories/MEMORY.md"
    budget = FileBudget(characters=2_200, is_strict=True)
    return FactTarget("hermes", "Hermes Agent", home, memory, FactForm.SECTION, budget, locks=True)


async def _copies(opened: Opened, again: bool) -> None:
    files, run = FactFiles(opened.bench.calls), opened.bench.disk.run
    copy = await run(files.look, _hermes(opened.root), COPIED)
    if not copy.is_held:
        await run(files.write, copy)


async def _takes_the_copy_back(opened: Opened, again: bool) -> None:
    files, run, target = FactFiles(opened.bench.calls), opened.bench.disk.run, _hermes(opened.root)
    if (await run(files.look, target, COPIED)).is_held:
        made = FactCopy(target, target.path, COPIED, HERMES_BEFORE, HERMES_AFTER, "", "")
        await run(files.undo, made)


async def _imports(opened: Opened, again: bool) -> None:
    seen = await opened.bench.imports.run(opened.root / "export", ImportProgress())
    _refuse_unless(seen.result.is_whole and not seen.result.problems)
    for number in IMPORTED:
        opened.say(f"m{number}")


async def _takes_the_import_back(opened: Opened, again: bool) -> None:
    """Moves the imported conversations to the trash. What a refused undo had done already is not undone again."""
    newest = await opened.bench.disk.run(opened.bench.imports.newest)
    if newest:
        await opened.bench.imports.undo(newest)


async def _settings(opened: Opened, again: bool) -> None:
    await opened.bench.config.change(memory_window=20)


def _refuse_unless(done: bool) -> None:
    if not done:
        raise Refused


def _nothing_is_due(session: Session) -> bool:
    return session.last_consolidated >= min(COUNT, len(session.messages)) - 4


class _EndsAtHistory(FileCalls):
    """Ends the process when a committed consolidation begins to write HISTORY.md: before its entry or half-way."""

    def __init__(self, half: bool) -> None:
        self._half, self._history = half, -1

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        descriptor = super().open(path, flags, mode)
        if path.endswith("/HISTORY.md") and flags & os.O_APPEND:
            self._history = descriptor
        return descriptor

    def write(self, descriptor: int, data: bytes) -> int:
        if descriptor == self._history:
            if self._half:
                super().write(descriptor, data[: len(data) // 2])
            os._exit(0)
        return super().write(descriptor, data)


def _interrupted(half: bool) -> Callable[[Path], None]:
    """Returns a consolidation was committed, then its process was killed."""

    def prepare(root: Path) -> None:
        conversation(root)
        scenario = Scenario("", conversation, (_consolidate,))
        in_fork(lambda say: play(scenario, root, say, lambda: None, _EndsAtHistory(half)))
        assert WorkspacePaths(root).own.intent_file.exists()

    return prepare


class BesideAnEditor(FileCalls):
    """Saves MEMORY.md as another program that replaces files does, in the moment before ours changes places."""

    def __init__(self, root: Path, calls: FileCalls, say: Say) -> None:
        self._memory = root / "memory/MEMORY.md"
        self._calls, self._say = calls, say
        self._done = False

    def exchange(self, one: str, other: str) -> bool:
        self._write_elsewhere(other)
        return self._calls.exchange(one, other)

    def _write_elsewhere(self, target: str) -> None:
        if self._done or not target.endswith("/MEMORY.md"):
            return
        self._done = True
        with unseen():
            text = self._memory.read_text()
            if OUTSIDE not in text:
                temporary = self._memory.with_name("their.swp")
                temporary.write_text(text + OUTSIDE + "\n")
                os.utime(temporary, (1_700_000_000, 1_700_000_000))
                os.replace(temporary, self._memory)
                self._say(OUTSIDE)


def play(scenario: Scenario, root: Path, say: Say, arm: Callable[[], None], calls: FileCalls = REAL_CALLS) -> None:
    """Does the steps of a scenario, each again where it is refused. `say` hears "did 0", "refused 0", "m12",
    OUTSIDE."""
    if scenario.outside:
        calls = BesideAnEditor(root, calls, say)
    asyncio.run(_play(scenario, root, say, arm, calls))


async def _play(scenario: Scenario, root: Path, say: Say, arm: Callable[[], None], calls: FileCalls) -> None:
    if scenario.from_opening:
        arm()
    try:
        opened = Opened(
            root, say, calls=calls, window=scenario.window, versions=scenario.versions, tiers=scenario.tiers
        )
    except MnemoscopeError as error:
        say(f"not opened {error}")
        return
    try:
        await _try(opened.bench.recover, "recovery", say)
        if not scenario.from_opening:
            arm()
        for number, step in enumerate(scenario.steps):
            if not await _try(partial(step, opened, False), str(number), say):
                await _try(partial(step, opened, True), str(number), say)
    finally:
        await opened.close()


async def _try(work: Callable[[], Awaitable[None]], name: str, say: Say) -> bool:
    try:
        await work()
    except (MnemoscopeError, Refused) as error:
        say(f"refused {name} {error}")
        return False
    say(f"did {name}")
    return True


DISCREETLY = (_goes_discreet, _sends(12), _is_remembered_again, _sends(14))
DISCREET_TALK = (_sends(12), _sends(14), _sends(16))
SCENARIOS: tuple[Scenario, ...] = (
    Scenario("consolidate", conversation, (_consolidate,)),
    Scenario("consolidate while talking", conversation, (_consolidate_while_talking,)),
    Scenario("consolidate beside an editor", conversation, (_consolidate,), outside=True),
    Scenario("consolidate, Windows line ends", crlf, (_consolidate,)),
    Scenario("/new", conversation, (_start_new,)),
    Scenario("send", conversation, (_sends(12), _sends(14)), window=100),
    Scenario("send, noted and buffered", conversation, (_sends(12), _sends(14)), window=100, tiers=True),
    Scenario("send and consolidate", conversation, (_sends(12), _wait_for_consolidation)),
    Scenario("send images", conversation, (_sends_image(12), _sends_image(14)), window=100, images=True),
    Scenario("capture", conversation, (_says_what_is_kept,), texts=(MEMORY, CAPTURED), window=100),
    Scenario("capture and /new", conversation, (_says_what_is_kept, _start_new), texts=(MEMORY, CAPTURED), window=100),
    Scenario(
        "capture and /new beside Qanot",
        beside_qanot,
        (_says_what_is_kept, _start_new),
        texts=(MEMORY, CAPTURED),
        window=100,
    ),
    Scenario(
        "capture and undo",
        conversation,
        (_says_what_is_kept, _undo_capture),
        texts=(MEMORY, CAPTURED, MEMORY),
        window=100,
    ),
    Scenario("edit and save", conversation, (_saves(EDITED),), texts=(MEMORY, EDITED)),
    Scenario("edit and save a linked file", linked, (_saves(EDITED),), texts=(MEMORY, EDITED)),
    Scenario(
        "restore a version",
        conversation,
        (_saves(EDITED), _restore_first),
        texts=(MEMORY, EDITED, MEMORY),
    ),
    Scenario("undo an edit", conversation, (_saves(EDITED), _undo), texts=(MEMORY, EDITED, MEMORY)),
    Scenario("accept a suggestion", with_suggestion, (_accept,), texts=(MEMORY, PROPOSED), held=HELD),
    Scenario(
        "accept an item of a review and take it back",
        with_suggestion,
        (_accepts_an_item, _reopens_it),
        texts=(MEMORY, PROPOSED, MEMORY),
        held=HELD,
    ),
    Scenario(
        "settle a pair of two files and take it back",
        with_a_pair,
        (_settles_a_pair, _reopens_the_pair),
        texts=(MEMORY, MEMORY_SCOPED, MEMORY),
        held=HELD,
        pair=True,
    ),
    Scenario(
        "take a proposal in and accept it",
        conversation,
        (_is_proposed, _accepts_the_proposal),
        texts=(MEMORY, f"{MEMORY.rstrip()}\n- {OFFER}\n"),
        inbox=OFFERED,
    ),
    Scenario("recover", _interrupted(False), (_look,), from_opening=True),
    Scenario("recover, half an entry", _interrupted(True), (_look,), from_opening=True),
    Scenario("open a peer's workspace", of_a_peer, (_look, _sends(12)), from_opening=True, window=100),
    Scenario("dream", with_journal, (_dream,), texts=(MEMORY, PROPOSED), journal=True, versions=True),
    Scenario("dream and undo", with_journal, (_dream, _undo_dream), texts=(MEMORY, PROPOSED, MEMORY), journal=True),
    Scenario("upgrade to history.jsonl", conversation, (_upgrade,)),
    Scenario("send, close, delete, send", with_state, (_sends(12), _start_new, _delete, _sends(14)), window=100),
    Scenario("rename, delete, restore", with_state, (_rename, _delete, _restore)),
    Scenario("edit a message, go back and over", conversation, (_edit, _go_back, _go_over), window=100),
    Scenario(
        "take back what a branch that was left brought",
        left_behind,
        (_takes_back_what_was_left,),
        texts=(CAPTURED, MEMORY),
        window=100,
    ),
    Scenario(
        "take back what was captured there and not noted",
        left_and_not_noted,
        (_takes_back_what_was_left,),
        texts=(CAPTURED, MEMORY),
        window=100,
    ),
    Scenario("edit a message, consolidate on both ways", conversation, (_edit, _consolidate, _go_back, _consolidate)),
    Scenario("edit a message, delete, restore", with_state, (_edit, _delete, _restore), window=100),
    Scenario(
        "forget everything",
        with_words_to_forget,
        (_forgets(lambda plan: plan.everything),),
        texts=(EDITED, EDITED_WITHOUT),
        window=100,
        forgotten=FORGOTTEN,
    ),
    Scenario(
        "forget all but the conversation",
        with_words_to_forget,
        (_forgets(lambda plan: plan.by_default),),
        texts=(EDITED, EDITED_WITHOUT),
        window=100,
        forgotten=FORGOTTEN,
        spared=("sessions/*.jsonl",),
    ),
    Scenario(
        "forget all but notes and prompts",
        with_words_to_forget,
        (_forgets(_not_notes_and_prompts),),
        texts=(EDITED, EDITED_WITHOUT),
        window=100,
        forgotten=FORGOTTEN,
        spared=(NOTE, ".mnemoscope/prompts/*.log"),
    ),
    Scenario(
        "forget everything and take it back",
        with_words_to_forget,
        (_forgets(lambda plan: plan.everything), _takes_back_what_was_forgotten),
        texts=(EDITED, EDITED_WITHOUT, EDITED),
        window=100,
        forgotten=FORGOTTEN,
    ),
    Scenario(
        "correct an entry and undo",
        with_a_note,
        (_corrects_a_note, _gives_its_words_back),
        window=100,
        corrected=True,
    ),
    Scenario("delete messages", conversation, (_deletes(6, 7), _consolidate), deleted=(6, 7)),
    Scenario("delete messages and undo", conversation, (_deletes(2, 3), _undo_deletions), window=100, deleted=(2, 3)),
    Scenario(
        "delete a message of two branches and undo",
        conversation,
        (_edit, _deletes(1), _undo_deletions),
        window=100,
        deleted=(1,),
    ),
    Scenario("go discreet, send, be remembered again", with_state, DISCREETLY, window=100, discreet=True),
    Scenario("send in a discreet conversation", conversation, (_goes_discreet, *DISCREET_TALK), discreet=True),
    Scenario("keep a temporary conversation", conversation, (_talks_where_nothing_is_kept,), window=100),
    Scenario("change a setting", conversation, (_settings,)),
    Scenario("copy a fact to another agent", beside_hermes, (_copies,), copies=True),
    Scenario("copy a fact and undo", beside_hermes, (_copies, _takes_the_copy_back), copies=True),
    Scenario("import", beside_an_export, (_imports,), imports=True),
    Scenario("undo an import", with_an_import, (_takes_the_import_back,), imports=True),
    Scenario("agree to a folder", conversation, (_agrees(0), _agrees(1)), agrees=True),
    Scenario("/new in nanobot's own folder", in_nanobots_home, (_start_new,)),
    Scenario("send in nanobot's own folder", in_nanobots_home, (_sends(12), _sends(14)), window=100),
    *([Scenario("write on", conversation, (_write_on, _send_what_waits), window=100, waits=True)] if HAS_QT else []),
)


def scenario_named(name: str) -> Scenario:
    """Returns the scenario of that name."""
    return next(each for each in SCENARIOS if each.name == name)

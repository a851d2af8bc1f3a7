"""Checks what must hold in a workspace that was opened again after anything, by its files alone."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.context.daily_note import note_title, read_notes
from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.deletion import deletion_mark
from mnemoscope.domain.conversation.discretion import DISCRETION
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import is_untracked
from mnemoscope.domain.memory.suggestion import STAYED
from mnemoscope.store.forgetting.forgetting_receipts import ForgettingReceipts
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.trust_store import TrustStore
from tests.proof.beginnings import (
    CORRECTED,
    COUNT,
    HERMES,
    HERMES_AFTER,
    HERMES_BEFORE,
    IMPORTED,
    KEPT,
    NOTE,
    NOTED,
    NOTED_WRONG,
    QANOTS,
    REMEMBERED,
    USER,
    beside_qanot,
)
from tests.proof.opened import DREAMT, KEY, NUMBER, nanobots_home
from tests.proof.scenarios import AGREED, MEMORY_SCOPED, OUTSIDE, THIS_FOLDER, TRUSTED, USER_SCOPED, Scenario
from tests.support.peer_loaders import load_0_1_4, load_0_3_0

EXTRA: Final = 1_000
"""Messages from this number on were added by the check itself."""
_HEX = "[0-9a-f]"
KNOWN_FILES: Final = re.compile(
    r"trusted-folders/(?:\.[0-9a-f]{32}\.json\.[0-9a-f]{12}\.mnemo-tmp|[0-9a-f]{32}\.json)|\.nanobot/workspace-id"
    r"|home/\.nanobot/sessions/[0-9a-f]{32}/(?:\.workspace|\.session-files\.lock|[\w-]+\.jsonl)"
    r"|export/conversations\.json|\.mnemoscope/imports/\d{14}[0-9a-f]{8}\.json"
    # The next copy removes what a kill left beside another agent's file.
    rf"|hermes/memories/(MEMORY\.md(\.lock)?|\.MEMORY\.md\.{_HEX}{{16}}-{_HEX}{{16}}(-\d+)?\.mnemo-tmp)"
    r"|USER\.md|\.mnemoscope/changes/USER\.md\.jsonl"
    r"|config\.json|notes/kept\.md|SESSION-STATE\.md|sessions/(archive/)?[\w-]+\.SESSION-STATE\.md|memory/(MEMORY|HISTORY)\.md|memory/(HISTORY\.md\.bak|history\.jsonl)"
    r"|memory/(\d{4}-\d\d-\d\d|working-buffer)\.md|\.mnemoscope/compactions/[0-9a-f]{24}\.json"
    r"|memory/\.(cursor|dream_cursor)|memory/\.git/(?!.*\.lock$).+|memory/\.git-[0-9a-f]{8}/.+|sessions/(archive/|discreet/)?[\w-]+\.jsonl"
    rf"|sessions/attachments/{_HEX}{{64}}"
    r"|(sessions|\.mnemoscope/trash)/branches/[\w.-]+\.jsonl"
    r"|\.mnemoscope/(lock|workspace-id|reserve|tombstones\.json|(looked-at|memory-check)\.json|rejected(-removals)?\.json|rejected-facts\.jsonl|memory-changes\.jsonl|dream(-place\.json|\.jsonl)|captures\.jsonl|exchanges/[\w-]+\.md\.jsonl|conversations\.json|session-state|prompts/[0-9a-f]+\.log|versions\.(db|db-journal|json)|trash/[\w-]+(\.jsonl|\.SESSION-STATE\.md)"
    rf"|(trash/messages|forgotten)/{_HEX}{{16}}\.json"
    rf"|ledger/\d{{20}}-{_HEX}{{16}}\.json|versions/{_HEX}{{64}}"
    r"|drafts/[0-9a-f]{24}\.json"
    # What another process was killed over goes after an hour: until then it may be at work.
    r"|inbox/\.[0-9a-f]{16}\.json\.[0-9a-f]{12}\.mnemo-tmp"
    rf"|suggestions/(settled/)?\w+\.json|quarantine/cli_direct[\w.-]*\.\d+\.{_HEX}{{12}}\.(bin|json))"
)
"""Every file a workspace may have once it was recovered. Anything else is left over from a crash."""
SAID: Final = re.compile(rf"(?:{KEPT}\. )?m(\d+)")
"""A message that was acknowledged, among what a run says."""
_CAPTURED = f" **preference**: {KEPT}"
_NOTED = re.compile(r"\*\*User:\*\* m\d+\n\*\*Agent:\*\* m\d+")
_BUFFER_HEAD = re.compile(r"# Working Buffer \(Danger Zone Log\)\n\*\*Status:\*\* (?:IN)?ACTIVE\n")
_FACT = re.compile(r"^- Learnt m(\d+)$", re.MULTILINE)
_ENTRY = re.compile(r"^\[[^\]]+\] Told (m\d+(?: m\d+)*)\.$")


@dataclass(frozen=True)
class Transcript:
    """Holds what one session file says: the numbers of its messages in order, how many of them are consolidated, and
    how many it shares with the branch that it came out of."""

    numbers: list[int]
    pointer: int
    shared: int = 0
    began: str = ""
    stands: frozenset[int] = frozenset()
    """The numbers of those messages that are not deleted."""
    forgotten: frozenset[int] = frozenset()

    @property
    def own(self) -> list[int]:
        """Returns the messages that were said on this way."""
        return self.numbers[self.shared :]


@dataclass(frozen=True)
class Facts:
    """Holds what the files say. `ranges`: those in the history log; `proposed`: texts that wait for the person;
    `about`: by the same ids, the files they are for."""

    transcripts: list[Transcript]
    ranges: list[list[int]]
    memory: str
    proposed: dict[str, str]
    about: dict[str, str]
    deleted: set[int]
    """Messages that are in the trash one by one."""
    forgotten: set[int]
    """Messages of which nothing but their place is left."""
    complaints: list[str]

    @property
    def numbers(self) -> list[int]:
        """Returns all messages, the archived ones first, each as often as it was said."""
        return [number for transcript in self.transcripts for number in transcript.own]


def facts_of(root: Path) -> Facts:
    """Reads a workspace. What nanobot could not read either is a complaint."""
    paths, complaints = WorkspacePaths(root), list[str]()
    kept = [*sorted(paths.archive_dir.glob("*.jsonl")), *sorted(paths.own.trash_dir.glob("*.jsonl"))]
    trash = _deleted_messages(paths)
    archived = [_transcript(path, trash, complaints) for path in kept]
    begun = [each for folder in (paths.sessions_dir, paths.discreet_dir) for each in folder.glob("*.jsonl")]
    begun += nanobots_home(root).glob("*.jsonl")
    live = [_transcript(path, trash, complaints) for path in sorted(begun)]
    folders = (paths.branches_dir, paths.own.trash_dir / "branches")
    branches = [_transcript(path, trash, complaints) for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    complaints += [f"the branch of {each.began} is empty" for each in branches if each.shared and not each.own]
    began = [each.began for each in (*archived, *live, *branches)]
    complaints += [f"{name} is there twice" for name, times in Counter(began).items() if times > 1 and branches]
    waiting = {path.stem: json.loads(path.read_text()) for path in paths.own.suggestions_dir.glob("*.json")}
    proposed = {name: held["proposed"] for name, held in waiting.items()}
    about = {name: held.get("path", MEMORY_PATH) for name, held in waiting.items()}
    kept_history = paths.history_file.with_name("HISTORY.md.bak")
    # An upgrade takes the log over and keeps it under another name; what comes afterwards is written anew.
    files = [path for path in (kept_history, paths.history_file) if path.exists()]
    history = "".join(path.read_text() for path in files)
    memory = paths.memory_file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    transcripts, deleted = [*archived, *live, *branches], set(trash.values())
    complaints += [
        f"m{each} is in the trash and said too" for each in deleted for way in transcripts if each in way.stands
    ]
    forgotten = {number for each in transcripts for number in each.forgotten}
    return Facts(
        transcripts, list(_ranges_in(history, complaints)), memory, proposed, about, deleted, forgotten, complaints
    )


def problems_of(root: Path, scenario: Scenario, said: Iterable[str]) -> list[str]:
    """Returns what does not hold, as sentences; `said` is what the killed or hindered process reported."""
    facts, said = facts_of(root), list(said)
    return [
        *facts.complaints,
        *_messages(facts, said, scenario),
        *_pointer_and_history(facts),
        *_memory(facts, scenario, said),
        *_suggestions(facts, scenario),
        *(_taken_in(root, facts, scenario, said) if scenario.inbox else ()),
        *_state(root, scenario),
        *_noted(root),
        *_deleted(facts, scenario, said),
        *(_dreamt(root, facts) if scenario.journal else ()),
        *(_committed(root) if scenario.versions else ()),
        *(_discreet(root, facts, said) if scenario.discreet else ()),
        *(_agreed(root, said) if scenario.agrees else ()),
        *(_paired(root, facts, scenario, said) if scenario.pair else ()),
        *(_corrected(root, scenario, said) if scenario.corrected else ()),
        *(_copied(root, scenario, said) if scenario.copies else ()),
        *(_with_images(root, said) if scenario.images else ()),
        *(_waited(root, facts, said) if scenario.waits else ()),
        *(_forgotten(root, scenario, said) if scenario.forgotten else ()),
        *falsely_missed(root),
        *(f"stray file {name}" for name in strays(root)),
    ]


def _forgotten(root: Path, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields what is wrong after a forgetting: only the spared files may have the words, each note among these is asked
    about once, and the only receipt names these files."""
    if scenario.remembers_again:
        yield from _taken_back(root, scenario, said)
        return
    if f"did {len(scenario.steps) - 1}" not in said:
        return
    spared = {path for pattern in scenario.spared for path in root.glob(pattern)}
    notes = sorted(name for path in spared if is_untracked(name := path.relative_to(root).as_posix()))
    own = WorkspacePaths(root).own
    waiting = [(path, json.loads(path.read_text())) for path in own.suggestions_dir.glob("*.json")]
    if sorted(held["path"] for _, held in waiting) != notes:
        yield f"it is asked about {[held['path'] for _, held in waiting]}, and {notes} were left"
    if wrong := [held["reasons"] for _, held in waiting if STAYED not in held["reasons"]]:
        yield f"of a line that was left it is said {wrong}"
    spared.update(path for path, _ in waiting)
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        is_said = scenario.forgotten in _text_of(path)
        if is_said != (path in spared):
            yield f"{path.relative_to(root)} {'says what was forgotten' if is_said else 'was to be left as it was'}"
    receipts = ForgettingReceipts(own.forgetting_receipts_dir).newest_first()
    named = {root / left.path for receipt in receipts for left in receipt.left}
    if len(receipts) != 1 or named != spared:
        yield f"{len(receipts)} receipts name {sorted(map(str, named))} as left"


def _taken_back(root: Path, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields what is wrong while a forgetting is taken back: the words are held back until all of them are there again,
    and the receipt says how far that is."""
    own = WorkspacePaths(root).own
    receipts = ForgettingReceipts(own.forgetting_receipts_dir).newest_first()
    if not receipts:
        return
    [receipt] = receipts
    rings = json.loads(own.tombstones_file.read_text())["rings"]
    is_held = any(ring["tombstones"] for ring in rings)
    has_words = [path for path in root.rglob("*") if path.is_file() and scenario.forgotten in _text_of(path)]
    if is_held == bool(receipt.undone):
        yield f"taken back at “{receipt.undone}”, and {'held' if is_held else 'not held'}"
    if receipt.undone and root / NOTE not in has_words:
        yield "the receipt says that it was taken back, and the note is without it"
    if has_words and not (receipt.undone or receipt.taking_back):
        yield f"the receipt says that it is forgotten, and {sorted(map(str, has_words))} say it"
    if f"did {len(scenario.steps) - 1}" in said and not receipt.undone:
        yield "it was taken back, and the receipt does not say so"


def _text_of(path: Path) -> str:
    """Returns what a file says; of a log of prompts, which is packed, what is in it."""
    data = path.read_bytes()
    if path.suffix == ".log":
        data = b"".join(zlib.decompress(base64.b64decode(line)) for line in data.splitlines())
    return data.decode("utf-8", "replace")


def falsely_missed(root: Path) -> list[str]:
    """Returns conversations that an audit would miss: the list names them, and they are neither there nor in the
    trash."""
    paths = WorkspacePaths(root)
    folders = (paths.sessions_dir, paths.discreet_dir, paths.own.trash_dir, nanobots_home(root))
    files = [path for folder in folders for path in folder.glob("*.jsonl")]
    there = {_key_in(path) for path in files}
    try:
        listed = json.loads(paths.own.known_conversations_file.read_text())["known"]
    except FileNotFoundError:
        return []
    return [f"the list names {key}, which is not there" for key in listed if key not in there]


def _key_in(path: Path) -> str:
    """Returns the key that a session file states; "" where a crash cut its first record off."""
    try:
        return str(json.loads(path.read_bytes().partition(b"\n")[0])["key"])
    except ValueError:
        return ""


def strays(root: Path) -> list[str]:
    """Returns files that no workspace has."""
    names = (path.relative_to(root).as_posix() for path in sorted(root.rglob("*")) if not path.is_dir())
    return [name for name in names if not KNOWN_FILES.fullmatch(name)]


def _messages(facts: Facts, said: list[str], scenario: Scenario) -> Iterator[str]:
    numbers = facts.numbers
    if len(numbers) != len(set(numbers)):
        yield f"messages twice: {numbers}"
    ways = [each.numbers for each in facts.transcripts]
    # On two ways, and in two conversations, both go on counting.
    apart = scenario.several or any(each.shared for each in facts.transcripts)
    for way in ways if apart else [numbers]:
        if way != sorted(way):
            yield f"messages out of order: {way}"
    acknowledged = {int(found[1]) for line in said if (found := SAID.fullmatch(line))}
    if lost := sorted({*range(COUNT), *acknowledged} - set(numbers)):
        yield f"lost messages {lost}"


def _deleted(facts: Facts, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields all that were to be deleted are, or none; and once all is done, as it was done."""
    done = f"did {len(scenario.steps) - 1}" in said
    last = set() if scenario.brings_back else set(scenario.deleted)
    if facts.deleted not in ([last] if done else [set(), set(scenario.deleted)]):
        yield f"deleted are {sorted(facts.deleted)}"


def _pointer_and_history(facts: Facts) -> Iterator[str]:
    """Yields each message behind the pointer is told exactly once, no other is told at all."""
    counts = Counter(number for entry in facts.ranges for number in entry)
    done = Counter(n for transcript in facts.transcripts for n in transcript.numbers[: transcript.pointer])
    if twice := sorted(number for number, times in counts.items() if times > 1):
        yield f"told twice: {twice}"
    if missing := sorted(set(done) - set(counts) - facts.deleted - facts.forgotten):
        yield f"behind the pointer and never told: {missing}"
    if early := sorted(set(counts) - set(done)):
        yield f"told, and still before the pointer: {early}"


def _memory(facts: Facts, scenario: Scenario, said: list[str]) -> Iterator[str]:
    lines = Counter(facts.memory.split("\n"))
    wanted = {*scenario.lines, *([OUTSIDE] if OUTSIDE in said else [])}
    for line in sorted(wanted):
        if lines[line] != 1:
            yield f"the person's line “{line}” is there {lines[line]} times"
    learnt = Counter(int(number) for number in _FACT.findall(facts.memory))
    waiting = {int(number) for text in facts.proposed.values() for number in _FACT.findall(text)}
    for entry in facts.ranges:
        if learnt[entry[0]] != 1 and entry[0] not in waiting:
            yield f"the fact of m{entry[0]} is in MEMORY.md {learnt[entry[0]]} times"
    if unknown := sorted(set(learnt) - {entry[0] for entry in facts.ranges}):
        yield f"facts of what was never told: {unknown}"
    own = "".join(line for line in facts.memory.splitlines(keepends=True) if not _is_added(line))
    done = f"did {len(scenario.steps) - 1}" in said
    texts = scenario.texts[-1:] if done else scenario.texts
    if own.rstrip("\n") not in {text.rstrip("\n") for text in texts}:
        yield f"MEMORY.md says {own!r}"


def _is_added(line: str) -> bool:
    return bool(_FACT.match(line)) or line.rstrip("\n") == OUTSIDE


def _suggestions(facts: Facts, scenario: Scenario) -> Iterator[str]:
    proposal = scenario.texts[-1]
    if scenario.held and scenario.held not in facts.proposed and proposal.splitlines()[-1] not in facts.memory:
        yield "the suggestion is gone and was not accepted"
    imported = [name for name, text in facts.proposed.items() if scenario.imports and REMEMBERED in text]
    if len(imported) > 1:
        yield f"what was imported to be remembered waits twice: {imported}"
    # A forgetting that was refused, or was half taken back, has left its tombstone: whether the line that stands is to
    # go is asked once of each file that has it.
    asked = [name for name, text in facts.proposed.items() if scenario.forgotten and scenario.forgotten not in text]
    files = [facts.about[name] for name in asked]
    if len(files) > len(set(files)) or not set(files) <= {MEMORY_PATH, NOTE}:
        yield f"it is asked of {files} whether what was to be forgotten goes"
    if unknown := sorted(set(facts.proposed) - {scenario.held, scenario.inbox, *imported, *asked}):
        yield f"suggestions nobody expects: {unknown}"


def problems_of_import(root: Path) -> Iterator[str]:
    """Returns what is missing once an import was made again."""
    facts = facts_of(root)
    if missing := sorted(set(IMPORTED) - set(facts.numbers)):
        yield f"not imported: {missing}"
    if not any(REMEMBERED in text for text in facts.proposed.values()):
        yield "what was to be remembered does not wait"


def _paired(root: Path, facts: Facts, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields where a pair of two files is settled by halves, or waits though it is settled."""
    user = (root / "USER.md").read_text()
    is_settled = MEMORY_SCOPED.splitlines()[-1] in facts.memory.split("\n")
    if user != (USER_SCOPED if is_settled else USER):
        yield f"one file alone is settled; USER.md says {user!r}"
    if is_settled == (scenario.held in facts.proposed):
        yield "the pair is settled and waits" if is_settled else "the pair is neither settled nor waits"
    if f"did {len(scenario.steps) - 1}" in said and is_settled:
        yield "the pair is settled though that was taken back"


def _corrected(root: Path, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields where a note has neither of the wordings that it may have; once all is done, the one that it had."""
    texts = [NOTED] if f"did {len(scenario.steps) - 1}" in said else [NOTED, CORRECTED]
    if (found := (root / NOTED_WRONG).read_text()) not in texts:
        yield f"the note says {found!r}"


def _copied(root: Path, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields a problem if another agent's memory holds neither its text nor that with the fact, or, once all steps are
    done, not the text of the last one."""
    texts = [HERMES_BEFORE, HERMES_AFTER]
    if f"did {len(scenario.steps) - 1}" in said:
        texts = [HERMES_AFTER if len(scenario.steps) == 1 else HERMES_BEFORE]
    if (own := (root / HERMES).read_bytes()) not in texts:
        yield f"the other agent's memory says {own!r}"


def _taken_in(root: Path, facts: Facts, scenario: Scenario, said: list[str]) -> Iterator[str]:
    """Yields a proposal of a program outside waits once it was sent, and once only; what was decided is decided."""
    own = WorkspacePaths(root).own
    waits, is_decided = scenario.inbox in facts.proposed, (own.settled_dir / f"{scenario.inbox}.json").exists()
    if waits and is_decided:
        yield "the proposal was decided on and waits again"
    if "did 0" in said and not (waits or is_decided):
        yield "the proposal is gone"
    if (own.inbox_dir / f"{scenario.inbox}.json").exists():
        yield "the proposal is in the inbox still"


def _state(root: Path, scenario: Scenario) -> Iterator[str]:
    """Yields what was captured stands in the states of all conversations at most once; a kill may leave its beginning.
    What Qanot wrote stands in the root, and nowhere else."""
    places = ("SESSION-STATE.md", "sessions/**/*.SESSION-STATE.md", ".mnemoscope/trash/*.SESSION-STATE.md")
    states = [path for place in places for path in root.glob(place)]
    lines = [line for path in states for line in path.read_text().split("\n")[2:] if line]
    theirs = [path.name for path in states if QANOTS in path.read_text()]
    if scenario.prepare is beside_qanot and theirs != ["SESSION-STATE.md"]:
        yield f"what Qanot wrote stands in {theirs}"
    lines = [line for line in lines if line != QANOTS]
    if sum(line.endswith(f"]{_CAPTURED}") for line in lines) > 1:
        yield f"captured twice: {lines}"
    if odd := [line for line in lines if not _CAPTURED.startswith(line.partition("]")[2])]:
        yield f"SESSION-STATE.md says {odd}"


def _noted(root: Path) -> Iterator[str]:
    """Yields what a kill left of a note or of the buffer that is not read as it was meant."""
    for path in root.glob("memory/????-??-??.md"):
        text = path.read_text()
        title = note_title(date.fromisoformat(path.stem))
        if not (text.startswith(title) or title.startswith(text)):
            yield f"{path.name} begins with {text[:40]!r}"
        if odd := [note for note in read_notes(text)[:-1] if not _NOTED.fullmatch(note.text)]:
            yield f"{path.name} says {odd}"
    for path in root.glob("memory/working-buffer.md"):
        if not _BUFFER_HEAD.match(path.read_text()):
            yield f"the working buffer begins with {path.read_text()[:80]!r}"


def _dreamt(root: Path, facts: Facts) -> Iterator[str]:
    """Yields a problem unless Dream's cursor is past the entry exactly if the edit for it stands."""
    read = Journal(WorkspacePaths(root)).dream_cursor()
    if read.problem:
        yield read.problem
    if (read.value == 1) != (DREAMT in facts.memory.split("\n")):
        yield f"Dream's cursor is {read.value}, and MEMORY.md says {facts.memory!r}"


def _committed(root: Path) -> Iterator[str]:
    """Yields the newest version is what the file says, and no change is there twice."""
    store = GitStore(root)
    if not store.is_initialized():
        return
    log = store.log(99)
    if not log or store.text_at(log[0].id, "memory/MEMORY.md") != WorkspacePaths(root).memory_file.read_text():
        yield "the newest version is not what MEMORY.md says"
    changes = [name for info in log for name in info.trailers.get("Change", ())]
    if len(changes) != len(set(changes)):
        yield "a change has two versions"


def _discreet(root: Path, facts: Facts, said: list[str]) -> Iterator[str]:
    """Yields what says it is discreet lies where no peer looks, and nothing of it was told; what went in stays in until
    it is asked out."""
    paths = WorkspacePaths(root)
    marked = [path for path in paths.sessions_dir.rglob("*.jsonl") if load_0_3_0(path, KEY).metadata.get(DISCRETION)]
    if seen := [path.name for path in marked if path.parent != paths.discreet_dir]:
        yield f"discreet, and peers read them: {seen}"
    if marked and facts.ranges:
        yield f"discreet, and told: {facts.ranges}"
    if unmarked := set(paths.discreet_dir.glob("*.jsonl")) - set(marked):
        yield f"remembered, and peers do not read them: {sorted(unmarked)}"
    went_on = any(number >= EXTRA for number in facts.numbers)
    if "did 0" in said and "did 1" not in said and not (marked or went_on):
        yield "it went discreet, and is not"


def _agreed(root: Path, said: list[str]) -> Iterator[str]:
    """Yields what the person agreed to last is known, or what they agreed to before as long as that was not done; and
    the next time nothing is left of what a kill cut off."""
    store, identity = TrustStore(root / TRUSTED), THIS_FOLDER
    known = store.load(identity)
    may_be = AGREED[1:] if "did 1" in said else AGREED if "did 0" in said else (None, *AGREED)
    if known not in may_be:
        yield f"agreed to is {known}"
    store.save(identity, known or AGREED[0])
    if left := [path.name for path in (root / TRUSTED).iterdir() if path.suffix != ".json"]:
        yield f"left in {TRUSTED}: {left}"


def _with_images(root: Path, said: list[str]) -> Iterator[str]:
    """Yields an image is kept before the message that names it, so that no message names one that is not there; and
    what was sent with an image names it."""
    paths = WorkspacePaths(root)
    store = AttachmentStore(paths.attachments_dir)
    named = set[str]()
    for path in paths.sessions_dir.glob("*.jsonl"):
        for message in load_0_3_0(path, KEY).messages:
            named.update(str(message["content"]) for _ in attachments_of(message))
            gone = [each.sha256 for each in attachments_of(message) if store.read(each) is None]
            if gone:
                yield f"{message['content']} names images that are not there: {gone}"
    if bare := {"m12", "m14"} & set(said) - named:
        yield f"sent without their image: {sorted(bare)}"


def _waited(root: Path, facts: Facts, said: list[str]) -> Iterator[str]:
    from tests.proof.waiting import problems_of_waiting  # where Qt is

    yield from problems_of_waiting(root, facts.numbers, said)


def _transcript(path: Path, trash: dict[tuple[str, int], int], complaints: list[str]) -> Transcript:
    try:
        strict = load_0_1_4(path)
    except ValueError:
        complaints.append(f"{path.name} cannot be read by nanobot 0.1.4")
        strict = load_0_3_0(path, KEY)
    numbers, stands, forgotten = list[int](), set[int](), set[int]()
    for message in strict.messages:
        mark = deletion_mark(message)
        if mark is not None and mark.is_forgotten:
            # Its record is its place in the conversation, which is its number.
            numbers.append(mark.record)
            forgotten.add(mark.record)
        elif mark is not None:
            numbers += [trash[mark.id, mark.record]] if (mark.id, mark.record) in trash else []
        elif found := NUMBER.findall(_text(message)):
            numbers.append(int(found[0]))
            stands.add(numbers[-1])
    if len(numbers) != len(strict.messages):
        complaints.append(f"{path.name} has messages nobody wrote, or deleted ones that are not in the trash")
    forks = strict.metadata.get("branch_of") or [["", 0]]
    return Transcript(
        numbers, strict.last_consolidated, forks[-1][1], strict.created_at, frozenset(stands), frozenset(forgotten)
    )


def _deleted_messages(paths: WorkspacePaths) -> dict[tuple[str, int], int]:
    """Returns the numbers of the messages in the trash, by the marks of the records that stand in their places."""
    found = {}
    for path in paths.own.message_trash_dir.glob("*.json"):
        for change in json.loads(path.read_text().partition("\n")[0])["records"]:
            mark = deletion_mark(json.loads(change["after"]))
            assert mark is not None
            found[mark.id, mark.record] = int(NUMBER.findall(json.loads(change["before"])["content"])[0])
    return found


def _text(message: dict[str, Any]) -> str:
    return str(message.get("content") or "")


def _ranges_in(history: str, complaints: list[str]) -> Iterator[list[int]]:
    """Yields the ranges the log tells of; anything else than whole entries is a complaint."""
    for entry in history.split("\n\n"):
        if not entry or entry.endswith("Told of before."):
            continue
        found = _ENTRY.fullmatch(entry)
        if found is None:
            complaints.append(f"HISTORY.md has {entry!r}")
        else:
            yield [int(number) for number in NUMBER.findall(found[1])]
    if not history.startswith("[2026-01-01 09:00] Told of before.\n\n"):
        complaints.append(f"the beginning of HISTORY.md is {history[:60]!r}")

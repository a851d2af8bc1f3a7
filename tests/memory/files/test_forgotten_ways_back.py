"""What the person had forgotten comes back into a memory file by none of the ways that lead into it: it waits for them.

Each way is tried with facts of sixty shapes, in English, Uzbek in both alphabets, Russian and Chinese, written down as
a model or another program would (`tests/corpus/ways_back.json`). The long form tries a thousand of each.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mnemoscope.agent.importing.import_sources import open_source
from mnemoscope.agent.importing.importer import Importer
from mnemoscope.domain.capture.record import FORGOTTEN, REFUSED, SECRET
from mnemoscope.domain.consolidation.planning import Slice
from mnemoscope.domain.disagreement.settlement import PairItem, Settlement
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.tombstone import Recall
from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.outside_proposal import OutsideProposal
from mnemoscope.domain.review.review_items import review_items
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.memory_store import MemoryStore, wal_scan, wal_write
from mnemoscope.memory.transactions.conversation import Conversation
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.intent import DREAM_RUN, Intent, TextEdit
from mnemoscope.store.workspace.import_records import ImportRecords
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.foreign_stores import chatgpt
from tests.foreign_stores.hermes import HermesHome
from tests.support.faulty_calls import FailingAt, SimulatedKill
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import conversation, save_memory

FACTS = "# User\n- Name is Sam\n- Likes tea\n- Has two cats\n"
REASON = "You chose to forget this"
REMEMBER = {"en": "Remember: ", "ru": "Запомни: ", "zh": "记住：", "uz": "Eslab qol: ", "uz_cyrl": "Эслаб қол: "}
SHAPES = json.loads((Path(__file__).parents[2] / "corpus" / "ways_back.json").read_text("utf-8"))["shapes"]


@dataclass(frozen=True)
class Fact:
    """What a person said and had forgotten, how a model writes it down, and the value that it is about."""

    language: str
    said: str
    again: str
    value: str


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives a test the numbers of its facts: twenty, or a thousand with `--long`, a hundred at once."""
    if "numbers" in metafunc.fixturenames:
        hundreds = [range(start, start + 100) for start in range(0, 1_000, 100)]
        chosen = hundreds if metafunc.config.getoption("--long") else [range(20)]
        metafunc.parametrize("numbers", chosen, ids=[f"from-{each.start}" for each in chosen])


@pytest.fixture
def calls() -> FailingAt:
    """Returns the file calls of the store."""
    return FailingAt()


@pytest.fixture
def store(tmp_path: Path, calls: FailingAt) -> MemoryStore:
    own = WorkspacePaths(tmp_path).own
    tombstones = Tombstones(own.tombstones_file, TombstoneKey())
    made = MemoryStore(tmp_path, sessions=SessionManager(tmp_path), tombstones=tombstones, calls=calls)
    made.write_long_term(FACTS)
    own.folder.mkdir(exist_ok=True)
    return made


def said(number: int) -> str:
    return f"My locker at the harbour gym opens with code {number + 2_000}."


def again(number: int) -> str:
    forms = (
        "- Code {} opens the locker at the harbour gym",
        "- Locker code of the gym at the harbour: {}",
        "- harbour gym, locker, code {}",
    )
    return forms[number % len(forms)].format(number + 2_000)


def fact(number: int) -> Fact:
    """Returns one of a thousand facts: the languages take turns, then the shapes, then the values."""
    shape = SHAPES[number % len(SHAPES)]
    turn = number // len(SHAPES)
    value = shape["values"][turn]
    again = shape["again"][turn % len(shape["again"])]
    return Fact(shape["language"], shape["said"].format(value), f"- {again.format(value)}", value)


def forgotten(store: MemoryStore, numbers: range) -> list[Fact]:
    """Has the facts of these numbers forgotten, and returns them."""
    facts = [fact(number) for number in numbers]
    store.tombstones.add([each.said for each in facts])
    return facts


def held(store: MemoryStore) -> list[str]:
    """Returns the reasons of what waits, and lets it wait no longer."""
    found = store.ledger.suggestions()
    for each in found:
        store.ledger.settle(each.id, "reject")
    return [reason for each in found for reason in each.reasons]


async def through_a_tool(store: MemoryStore, line: str) -> None:
    text = store.read_long_term()
    digest = store.editing.read_text().digest
    await store.editing.save_text(f"{text}{line}\n", digest, "agent", sources=Sources(line))


async def through_a_consolidation(store: MemoryStore, line: str) -> None:
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    session.add_message("user", line)
    answer = save_memory("[2026-01-02 10:00] Spoke of the gym.", f"{store.read_long_term()}{line}\n")
    assert await store.consolidate(session, ScriptedProvider(answer), "m", archive_all=True)


async def through_dream(store: MemoryStore, line: str, path: str = "memory/MEMORY.md") -> None:
    current = store.files.of(path).read()
    edit = TextEdit(path, current.text, current.digest, f"{current.text}{line}\n")
    when = "2026-01-02T10:00:00"
    intent = Intent.of_kind(
        DREAM_RUN, workspace_id=store.ledger.workspace_id(), when=when, id=f"{abs(hash(line)):016x}"[:16], edits=(edit,)
    )
    store._transactions.run(intent)


async def through_dream_into_user(store: MemoryStore, line: str) -> None:
    await through_dream(store, line, "USER.md")


async def through_a_proposal(store: MemoryStore, line: str) -> None:
    inbox = ProposalInbox(WorkspacePaths(store.memory_dir.parent))
    inbox.put(OutsideProposal(f"{abs(hash(line)):016x}"[:16], "2026-11-23T10:00:00", "Hermes", line.removeprefix("- ")))
    assert store.proposals.take_in().suggestions == 1


async def through_an_import(store: MemoryStore, line: str) -> None:
    """Imports what ChatGPT remembered."""
    made = chatgpt.talk(f"c{abs(hash(line))}", "Hello")
    made.say("assistant", line.removeprefix("- "), recipient="bio")
    bring(store, chatgpt.write_zip(store.memory_dir.parent / "export.zip", [made]))


async def through_another_agents_copy(store: MemoryStore, line: str) -> None:
    """Imports the memory file of an agent that had a copy."""
    with TemporaryDirectory() as folder, closing(HermesHome(Path(folder) / "hermes")) as home:
        home.memory(line.removeprefix("- "))
        bring(store, home.root)


def bring(store: MemoryStore, path: Path) -> None:
    root = store.memory_dir.parent
    source = open_source(path)
    assert source is not None
    importer = Importer(
        SessionManager(root),
        store.ledger,
        ImportRecords(WorkspacePaths(root)),
        store.read_long_term,
        objection=store.files.memory.changes.objection,
        rejections=store.rejections,
    )
    with closing(source):
        assert importer.run(source).memories


async def through_an_undo(store: MemoryStore, line: str) -> None:
    """Undoes the change that took the line out."""
    await store.editing.undo_change(await _written_and_taken_out(store, line))


async def through_a_restored_version(store: MemoryStore, line: str) -> None:
    await _written_and_taken_out(store, line)
    await store.editing.restore_version(store.editing.changes()[-2].after)


async def through_a_version_of_git(store: MemoryStore, line: str) -> None:
    current = store.editing.read_text()
    await store.editing.save_text(f"{current.text}{line}\n", current.digest, "restore")


async def through_an_old_editor_text(store: MemoryStore, line: str) -> None:
    """Saves a text whose beginning is not kept any more: nobody can say what of it was typed."""
    current = store.editing.read_text()
    await store.editing.save_text(f"{current.text}{line}\n", "0" * 64)


async def _written_and_taken_out(store: MemoryStore, line: str) -> str:
    """Returns the id of the change that took a line out, which stood there before it was forgotten."""
    path = store.memory_file
    stood = path.read_text("utf-8")
    path.write_text(f"{stood}{line}\n", "utf-8")
    current = store.editing.read_text()
    await store.editing.save_text(stood, current.digest)
    return store.editing.changes()[-1].id


WAYS: list[Callable[[MemoryStore, str], Awaitable[None]]] = [
    through_a_tool,
    through_a_consolidation,
    through_dream,
    through_dream_into_user,
    through_a_proposal,
    through_an_import,
    through_another_agents_copy,
    through_an_undo,
    through_a_restored_version,
    through_a_version_of_git,
    through_an_old_editor_text,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_none_comes_back(
    way: Callable[[MemoryStore, str], Awaitable[None]], store: MemoryStore, numbers: range
) -> None:
    about_user = store.files.of("USER.md").read().text
    back = []
    for each in forgotten(store, numbers):
        await way(store, each.again)
        waits = any(reason.startswith(REASON) for reason in held(store))
        if not waits or store.read_long_term() != FACTS or store.files.of("USER.md").read().text != about_user:
            back.append(each.again)
    assert back == []


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("way", WAYS[:4], ids=lambda way: way.__name__)
async def test_the_same_with_another_value_passes(
    way: Callable[[MemoryStore, str], Awaitable[None]], store: MemoryStore, number: int
) -> None:
    store.tombstones.add([fact(number).said])
    other = fact(number + len(SHAPES))
    assert other.language == fact(number).language
    await way(store, other.again)
    assert other.again in store.read_long_term() + store.files.of("USER.md").read().text


async def test_what_is_said_in_a_conversation_waits_and_is_in_no_file(store: MemoryStore, numbers: range) -> None:
    waited = 0
    for number, each in enumerate(forgotten(store, numbers)):
        text = f"{REMEMBER[each.language]}{each.said}"
        outcome = await store.captures.capture(PersonMessage("desktop:a", "2026-01-02T10:00:00", number, text))
        assert {(found.outcome, found.reason) for found in outcome.records} <= {(REFUSED, FORGOTTEN), (REFUSED, SECRET)}
        assert store.read_long_term() == FACTS
        assert each.value not in store.captures.states.read("desktop:a").text
        waited += any(reason.startswith(REASON) for reason in held(store))
    # A password is refused as a secret, and of some sentences nothing is captured at all: most are tried here.
    assert waited > len(numbers) / 2


async def test_the_persons_own_word_in_the_editor_brings_it_back(store: MemoryStore) -> None:
    store.tombstones.add([said(0), said(1)])
    current = store.editing.read_text()
    await store.editing.save_text(f"{current.text}{again(0)}\n", current.digest)
    assert again(0) in store.read_long_term()
    assert store.tombstones.match(said(0)) is None
    assert store.tombstones.match(said(1)) is not None


@pytest.mark.parametrize("has_memory", [True, False])
async def test_what_a_python_program_captures_waits_and_is_asked_about_once(tmp_path: Path, has_memory: bool) -> None:
    if has_memory:
        wal_write(wal_scan("My name is Bobur"), tmp_path)
    asked, words = MemoryStore(tmp_path), "I prefer green tea with jasmine"
    before = asked.read_long_term()
    asked.tombstones.add([words])
    for _ in range(2):
        wal_write(wal_scan(words), tmp_path, "7")
    assert asked.read_long_term() == before
    assert "jasmine" not in asked.captures.states.read("").text
    (waiting,) = asked.ledger.suggestions()
    assert waiting.reasons[0].startswith(REASON)
    assert "[user:7] I prefer green tea with jasmine" in waiting.proposed
    # Its id is kept when it is settled: it comes from the key, and not from the words alone.
    assert waiting.id == asked.tombstones.name_of(f"- **preference**: [user:7] {words}")
    await asked.editing.bring_up_to_date()
    await asked.editing.settle(waiting.id, "reject")
    wal_write(wal_scan(words), tmp_path, "7")
    assert asked.ledger.suggestions() == []
    wal_write(wal_scan(words), tmp_path, "8")
    (waiting,) = asked.ledger.suggestions()
    await asked.editing.settle(waiting.id, "accept", waiting.proposed)
    assert "[user:8] I prefer green tea with jasmine" in asked.read_long_term()


@pytest.mark.parametrize("way", ["editor", "accepted", "kept"])
async def test_a_version_without_what_the_person_said_again_leaves_it_forgotten_once_it_is_restored(
    store: MemoryStore, way: str
) -> None:
    store.tombstones.add([said(0), said(1)])
    earlier = store.editing.read_text()
    if way == "editor":
        await store.editing.save_text(f"{earlier.text}{again(0)}\n{again(1)}\n", earlier.digest)
    elif way == "accepted":
        for number in range(2):
            await through_a_tool(store, again(number))
            (waiting,) = store.ledger.suggestions()
            await store.editing.settle(waiting.id, "accept", waiting.proposed)
    else:
        store.memory_file.write_text(f"{earlier.text}{again(0)}\n{again(1)}\n", "utf-8")
        for number in range(2):
            await store.editing.lift_forgotten(again(number))
    assert not store.files.is_forgotten(again(0))
    assert not store.files.is_forgotten(again(1))
    one = await store.editing.save_text(f"{earlier.text}{again(1)}\n", store.editing.read_text().digest)
    assert not store.files.is_forgotten(again(0)), "a line that is only deleted was still said"
    await store.editing.save_text(f"{one.text}{again(0)}\n", one.digest)
    await store.editing.restore_version(one.digest)
    assert store.files.is_forgotten(again(0))
    assert not store.files.is_forgotten(again(1)), "what the version says stands"
    await store.editing.restore_version(earlier.digest)
    assert store.files.is_forgotten(again(1))
    await through_a_tool(store, again(1))
    assert again(1) not in store.read_long_term()


async def test_a_version_without_what_was_rejected_once_leaves_it_rejected_once_it_is_restored(
    store: MemoryStore,
) -> None:
    store.memory_file.write_text(FACTS, "utf-8")
    writer, origin = store.files.memory, MemoryOrigin("agent", "2026-01-02T10:00:00")
    writer.suggest(FACTS, f"{FACTS}{again(0)}\n", ("A tool said it.",), origin)
    (item,) = review_items(store.ledger.suggestions())
    await store.editing.decide(item, "reject")
    earlier = store.editing.read_text()
    await store.editing.save_text(f"{FACTS}{again(0)}\n", earlier.digest)
    assert store.rejections.since(again(0)) is None
    await store.editing.restore_version(earlier.digest)
    assert store.rejections.since(again(0)) is not None


@pytest.mark.parametrize("decision", ["accept", "edit", "theirs"])
async def test_accepting_what_waits_brings_it_back(store: MemoryStore, decision: str) -> None:
    store.tombstones.add([said(0)])
    await through_a_tool(store, again(0))
    (waiting,) = store.ledger.suggestions()
    if decision == "theirs":
        await store.editing.settle_conflict(waiting.id, 0, "theirs")
    else:
        await store.editing.settle(waiting.id, decision, waiting.proposed)
    assert again(0) in store.read_long_term()
    assert store.tombstones.match(said(0)) is None


async def test_rejecting_what_waits_keeps_it_forgotten(store: MemoryStore) -> None:
    store.tombstones.add([said(0)])
    await through_a_tool(store, again(0))
    await store.editing.settle(store.ledger.suggestions()[0].id, "reject")
    assert store.tombstones.match(said(0)) is not None
    assert store.read_long_term() == FACTS


async def test_a_capture_that_the_person_wants_after_all_is_kept(store: MemoryStore) -> None:
    store.tombstones.add(["I prefer tea from Assam."])
    message = PersonMessage("desktop:a", "2026-01-02T10:00:00", 0, "I prefer tea from Assam.")
    (record,) = (await store.captures.capture(message)).records
    await store.captures.keep(record.id)
    assert "Assam" in store.read_long_term()
    assert store.tombstones.match("I prefer tea from Assam.") is None


async def test_a_line_written_back_by_another_program_is_asked_about_once(store: MemoryStore) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(f"{FACTS}{again(0)}\n", "utf-8")
    writer = store.files.memory
    assert writer.ask_about_forgotten(writer.read())
    assert not writer.ask_about_forgotten(writer.read())
    (waiting,) = store.ledger.suggestions()
    assert waiting.proposed == FACTS
    assert waiting.reasons[0].startswith(REASON)
    await store.editing.settle(waiting.id, "accept")
    assert store.read_long_term() == FACTS
    assert store.tombstones.match(said(0)) is not None


@pytest.mark.parametrize("choice", ["accept", "edit", "save"])
async def test_a_word_of_the_person_that_cannot_be_written_brings_nothing_back(
    store: MemoryStore, calls: FailingAt, choice: str
) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(FACTS, "utf-8")
    wanted = f"{FACTS}{again(0)}\n"
    store.files.memory.suggest(FACTS, wanted, (REASON,), MemoryOrigin("agent", "2026-01-02T10:00:00"))
    (item,) = review_items(store.ledger.suggestions())
    digest = store.editing.read_text().digest
    editing = store.editing
    words = again(0) if choice == "edit" else ""
    calls.at = lambda path: path.parent == store.memory_dir
    with pytest.raises(StorageError, match="disk is full"):
        await (editing.save_text(wanted, digest) if choice == "save" else editing.decide(item, choice, words))
    assert store.tombstones.match(said(0)) is Recall.FORGOTTEN
    calls.heal()
    await store.editing.save_text(wanted, digest)
    assert store.tombstones.match(said(0)) is None


async def test_a_decision_over_a_file_that_moved_meanwhile_can_be_taken_back_whole(
    store: MemoryStore, calls: FailingAt
) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(FACTS, "utf-8")
    store.files.memory.suggest(FACTS, f"{FACTS}{again(0)}\n", (REASON,), MemoryOrigin("agent", "2026-01-02T10:00:00"))
    (item,) = review_items(store.ledger.suggestions())
    theirs = f"{FACTS}- Likes rain\n"

    def move(_path: Path) -> bool:
        """Writes the file as another program does, in the moment of the first change."""
        calls.heal()
        store.memory_file.write_text(theirs, "utf-8")
        return False

    calls.at = move
    decided = await store.editing.decide(item, "accept")
    assert {again(0), "- Likes rain"} < {*store.read_long_term().splitlines()}
    assert store.tombstones.match(said(0)) is None
    await store.editing.reopen(decided)
    assert store.tombstones.match(said(0)) is Recall.FORGOTTEN


async def test_what_was_accepted_and_cut_off_by_a_crash_stands_and_is_held_no_more_at_the_next_start(
    store: MemoryStore, calls: FailingAt
) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(FACTS, "utf-8")
    store.files.memory.suggest(FACTS, f"{FACTS}{again(0)}\n", (REASON,), MemoryOrigin("agent", "2026-01-02T10:00:00"))
    (item,) = review_items(store.ledger.suggestions())
    calls.error = SimulatedKill()
    calls.at = lambda path: path.parent == store.memory_dir
    with pytest.raises(SimulatedKill):
        await store.editing.decide(item, "accept")
    assert store.tombstones.match(said(0)) is Recall.FORGOTTEN
    later = MemoryStore(store.memory_dir.parent, tombstones=store.tombstones)
    later.recover()
    assert again(0) in later.read_long_term()
    assert later.ledger.suggestions() == []
    assert later.tombstones.match(said(0)) is None


@pytest.mark.parametrize("path", ["memory/MEMORY.md", "USER.md"])
async def test_the_persons_own_word_is_held_no_more_though_a_kill_comes_right_after_it_is_written(
    store: MemoryStore, calls: FailingAt, path: str
) -> None:
    paths = WorkspacePaths(store.memory_dir.parent)
    store.tombstones.add([said(0)])
    await store.editing.save_text(FACTS, store.editing.read_text(path).digest, path=path)
    calls.error = SimulatedKill()
    calls.at = lambda _path: again(0) in paths.file(path).read_text("utf-8")
    with pytest.raises(SimulatedKill):
        await store.editing.save_text(f"{FACTS}{again(0)}\n", store.editing.read_text(path).digest, path=path)
    later = MemoryStore(store.memory_dir.parent, tombstones=store.tombstones)
    later.recover()
    assert later.tombstones.match(said(0)) is None
    assert [change.origin.kind for change in later.editing.changes(path)][-1] == "editor"
    writer = later.files.of(path)
    assert again(0) in writer.read().text
    assert not writer.ask_about_forgotten(writer.read())


async def test_two_facts_of_two_files_are_settled_in_the_persons_words_though_one_was_forgotten(
    store: MemoryStore,
) -> None:
    root = store.memory_dir.parent
    store.write_long_term("# User\n- Lives in Graz\n")
    store.tombstones.add(["Lives in Linz"])
    (root / "USER.md").write_text("# Me\n- Lives in Linz\n", "utf-8")
    await store.editing.propose_disagreements()
    (item,) = (each for each in store.editing.waiting_items() if isinstance(each, PairItem))
    scoped = Settlement("both", old_scope="in winter", new_scope="in summer")
    decided = await store.editing.settle_pair(item, scoped)
    said_now = store.read_long_term() + (root / "USER.md").read_text("utf-8")
    assert "Lives in Graz (in winter)" in said_now
    assert "Lives in Linz (in summer)" in said_now
    assert store.tombstones.match("Lives in Linz") is None
    await store.editing.reopen(decided)
    assert store.tombstones.match("Lives in Linz") is Recall.FORGOTTEN


async def test_who_rejects_that_one_line_goes_brings_back_no_other(store: MemoryStore) -> None:
    store.tombstones.add([said(0), said(1)])
    writer = store.files.memory
    text = FACTS.replace("- Likes tea", f"{again(0)}\n- Likes tea")
    store.memory_file.write_text(f"{text}{again(1)}\n", "utf-8")
    assert writer.ask_about_forgotten(writer.read())
    (one,) = (each for each in review_items(store.ledger.suggestions()) if again(0) in each.before)
    await store.editing.decide(one, "reject")
    assert store.tombstones.match(said(0)) is None
    assert store.tombstones.match(said(1)) is Recall.FORGOTTEN


async def test_what_is_kept_after_all_is_forgotten_still_where_that_cannot_be_noted(
    store: MemoryStore, calls: FailingAt
) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(f"{FACTS}{again(0)}\n", "utf-8")
    assert store.files.memory.ask_about_forgotten(store.files.memory.read())
    own = WorkspacePaths(store.memory_dir.parent).own
    calls.at = lambda path: path.parent == own.settled_dir
    with pytest.raises(StorageError, match="disk is full"):
        await store.editing.lift_forgotten(again(0))
    assert store.tombstones.match(said(0)) is Recall.FORGOTTEN
    calls.heal()
    await store.editing.lift_forgotten(again(0))
    assert store.tombstones.match(said(0)) is None


async def test_a_line_that_was_written_back_and_is_gone_again_is_asked_about_no_more(store: MemoryStore) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(f"{FACTS}{again(0)}\n", "utf-8")
    writer = store.files.memory
    assert writer.ask_about_forgotten(writer.read())
    (waiting,) = store.ledger.suggestions()
    store.memory_file.write_text(f"{FACTS}\n", "utf-8")
    # As a forgetting leaves it: over the text that stands, its words taken.
    left = replace(waiting, before=f"{FACTS}\n", conflicts=(MemoryConflict("- […]", "- […]", ""),))
    store.ledger.add_suggestion(left)
    assert (await store.editing.bring_up_to_date()).dropped == 1
    assert store.ledger.suggestions() == []


@pytest.mark.parametrize("rewrites", [False, True])
async def test_a_consolidation_is_not_sent_what_came_back_and_leaves_it_where_it_stands(
    store: MemoryStore, rewrites: bool
) -> None:
    store.tombstones.add([said(0)])
    struck = "- ~~Likes coffee~~ (until 2026-01-01)"
    store.memory_file.write_text(f"{FACTS}{again(0)}\n{struck}\n- Plays the cello\n", "utf-8")
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    session.add_message("user", "I moved to York, I like green tea, and I have a dog.")
    learnt = f"{FACTS}- Plays the cello\n- Moved to York\n"
    if rewrites:
        learnt = f"{learnt.replace('Likes tea', 'Likes green tea')}- Has a dog\n"
    provider = ScriptedProvider(save_memory("[2026-01-02 10:00] Spoke of York.", learnt))
    assert await store.consolidate(session, provider, "m", archive_all=True)
    assert "2000" not in str(provider.requests[0].messages)
    assert "locker" not in str(provider.requests[0].messages)
    assert "Plays the cello" in str(provider.requests[0].messages)
    rows = store.read_long_term().split("\n")
    assert rows.count(again(0)) == rows.count(struck) == 1
    assert all(again(0) in each.proposed and struck in each.proposed for each in store.ledger.suggestions())


@pytest.mark.parametrize("choice", ["reject", "mine"])
async def test_who_keeps_a_line_written_back_lifts_its_tombstone(store: MemoryStore, choice: str) -> None:
    store.tombstones.add([said(0)])
    store.memory_file.write_text(f"{FACTS}{again(0)}\n", "utf-8")
    writer = store.files.memory
    assert writer.ask_about_forgotten(writer.read())
    (waiting,) = store.ledger.suggestions()
    if choice == "reject":
        await store.editing.settle(waiting.id, "reject")
    else:
        await store.editing.settle_conflict(waiting.id, 0, "mine")
    assert again(0) in store.read_long_term()
    assert store.tombstones.match(said(0)) is None
    assert not writer.ask_about_forgotten(writer.read())


@pytest.mark.parametrize("choice", ["reject", "accept", "edit"])
async def test_a_decision_taken_back_leaves_forgotten_what_was_forgotten(store: MemoryStore, choice: str) -> None:
    """Rejecting keeps the line; accepting, after it was asked about in words of its own, brings it back."""
    store.tombstones.add([said(0), said(1)])
    writer = store.files.memory
    if choice == "reject":
        store.memory_file.write_text(f"{FACTS}{again(0)}\n", "utf-8")
        assert writer.ask_about_forgotten(writer.read())
    else:
        store.memory_file.write_text(FACTS, "utf-8")
        origin = MemoryOrigin("agent", "2026-01-02T10:00:00")
        writer.suggest(FACTS, f"{FACTS}{again(0)}\n", ("A tool said it.",), origin)
    before = writer.read().text
    (item,) = review_items(store.ledger.suggestions())
    decided = await store.editing.decide(item, choice, again(0) if choice == "edit" else "")
    assert store.tombstones.match(said(0)) is None
    assert again(0) in store.read_long_term()
    await store.editing.reopen(decided)
    assert store.tombstones.match(said(0)) is not None
    assert store.tombstones.match(said(1)) is not None
    assert store.read_long_term() == before
    (waiting,) = store.ledger.suggestions()
    assert waiting == item.suggestion
    await store.editing.decide(item, choice, again(0) if choice == "edit" else "")
    assert store.tombstones.match(said(0)) is None, "decided again it is let back"
    assert store.tombstones.match(said(1)) is not None


async def test_a_rejection_that_an_acceptance_ended_stands_again_once_that_is_taken_back(store: MemoryStore) -> None:
    store.memory_file.write_text(FACTS, "utf-8")
    writer, origin = store.files.memory, MemoryOrigin("agent", "2026-01-02T10:00:00")
    writer.suggest(FACTS, f"{FACTS}{again(0)}\n", ("A tool said it.",), origin)
    (item,) = review_items(store.ledger.suggestions())
    writer.changes.remember_rejected(item.suggestion)
    decided = await store.editing.decide(item, "accept")
    assert store.rejections.since(again(0)) is None
    await store.editing.reopen(decided)
    assert store.rejections.since(again(0)) is not None


@pytest.mark.parametrize("path", ["memory/MEMORY.md", "SOUL.md", "USER.md"])
async def test_one_of_the_lines_written_back_is_kept_and_the_other_still_asked_about(
    store: MemoryStore, path: str
) -> None:
    store.tombstones.add([said(0), said(1)])
    writer = store.files.of(path)
    store.files.of(path).file.path.write_text(f"{FACTS}- **note**: {again(0)[2:]}\n{again(1)}\n", "utf-8")
    assert writer.ask_about_forgotten(writer.read())
    await store.editing.lift_forgotten(f"- **note**: {again(0)[2:]}", path)
    assert store.tombstones.match(said(0)) is None
    assert store.tombstones.match(said(1)) is not None
    (waiting,) = store.ledger.suggestions()
    assert again(0)[2:] in waiting.proposed
    assert again(1) not in waiting.proposed
    await store.editing.lift_forgotten(again(1), path)
    assert store.ledger.suggestions() == []
    assert store.tombstones.match(said(1)) is None
    assert again(1) in writer.read().text


async def test_a_line_that_nobody_asked_about_is_kept_without_asking(store: MemoryStore) -> None:
    store.tombstones.add([said(0), said(1)])
    store.memory_file.write_text(f"{FACTS}{again(0)}\n{again(1)}\n", "utf-8")
    await store.editing.lift_forgotten(again(0))
    assert store.ledger.suggestions() == []
    assert store.files.is_forgotten(again(1))
    assert not store.files.is_forgotten(again(0))


async def test_without_the_key_whatever_a_model_adds_waits(store: MemoryStore, tmp_path: Path) -> None:
    store.tombstones.add([said(0)])
    own = WorkspacePaths(tmp_path).own
    elsewhere = MemoryStore(
        tmp_path, sessions=SessionManager(tmp_path), tombstones=Tombstones(own.tombstones_file, TombstoneKey())
    )
    await through_a_tool(elsewhere, "- Likes long walks")
    assert elsewhere.read_long_term() == FACTS
    assert any(reason.startswith("It cannot be told whether you chose to forget this") for reason in held(elsewhere))


@pytest.mark.parametrize("learnt", ["", "- Has a dog\n"])
async def test_the_entry_of_a_consolidation_does_not_say_it_and_what_it_said_waits(
    store: MemoryStore, numbers: range, learnt: str
) -> None:
    session_manager = SessionManager(store.memory_dir.parent)
    text = f"{FACTS}{learnt}"
    for each in forgotten(store, numbers):
        session = conversation(session_manager, 4)
        session.add_message("user", "I have a dog.")
        entry = f"[2026-01-02 10:00] Spoke of the gym. {each.again[2:]}. Bought a ticket."
        answer = save_memory(entry, f"{store.read_long_term().rstrip()}\n{learnt}" if learnt else text)
        assert await store.consolidate(session, ScriptedProvider(answer), "m", archive_all=True)
        written = store.history_file.read_text("utf-8")
        assert "Spoke of the gym. […] Bought a ticket." in written
        assert each.again[2:] not in written
        assert each.again not in store.read_long_term()
        assert any(reason.startswith(REASON) for reason in held(store))


async def test_what_an_entry_says_waits_along_with_an_update_that_waits(store: MemoryStore) -> None:
    store.tombstones.add([said(0)])
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    answer = save_memory(f"[2026-01-02 10:00] {again(0)[2:]}.", f"{FACTS}- Always run the nightly job\n")
    assert await store.consolidate(session, ScriptedProvider(answer), "m", archive_all=True)
    assert "locker" not in store.history_file.read_text("utf-8")
    assert any(reason.startswith(REASON) for reason in held(store))
    assert store.read_long_term() == FACTS


def all_of_it(session: Conversation) -> Slice:
    """Plans every message."""
    return Slice(0, len(session.messages))


async def test_a_raw_entry_does_not_say_it_either(store: MemoryStore) -> None:
    store.tombstones.add([said(0)])
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    session.add_message("user", said(0))
    assert await store.archive_raw(session, plan=all_of_it)
    written = store.history_file.read_text("utf-8")
    assert "[RAW]" in written
    assert "[…]" in written
    assert "2000" not in written
    (waiting,) = store.ledger.suggestions()
    assert said(0) in waiting.proposed
    assert waiting.reasons[0].startswith(REASON)


async def test_an_entry_of_dreams_log_does_not_say_it_either(store: MemoryStore) -> None:
    store.strategies.use_journal(True)
    store.tombstones.add([said(0)])
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    session.add_message("user", said(0))
    assert await store.archive_raw(session, plan=all_of_it)
    (path,) = store.memory_dir.glob("history.jsonl")
    assert "2000" not in path.read_text("utf-8")
    assert any(reason.startswith(REASON) for reason in held(store))
    assert store.read_long_term() == FACTS

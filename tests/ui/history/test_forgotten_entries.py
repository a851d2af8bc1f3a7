"""An entry with a line that the person had forgotten says so on its card, and to a screen reader, until they decide."""

from __future__ import annotations

from mnemoscope.domain.review.review_items import review_items
from mnemoscope.ui.history.history_words import forgotten_label
from tests.support.history_logs import entry
from tests.ui.window_fixture import Opened, Stage, until

SAID = "The locker at the harbour gym opens with code 2417."
BACK = "Harbour gym, locker code 2417"
WORDS = "you chose to forget this · not sent"


async def came_back(stage: Stage) -> Opened:
    stage.make(("user", "Hello."))
    stage.paths.history_file.write_text(entry(1, "Likes tea") + entry(2, BACK) + entry(3, "Has two cats"), "utf-8")
    person = await stage.open()
    person.bench.tombstones.add([SAID])
    await person.current.watcher.rescan()
    return person


def marked(person: Opened) -> list[str]:
    model = person.history.model
    return [match.entry.text for match in model.matches if model.origins.is_forgotten(match.entry)]


async def test_its_card_says_so_until_it_is_decided(stage: Stage) -> None:
    person = await came_back(stage)
    pane = person.history
    await until(lambda: len(marked(person)) == 1, "the mark")
    (text,) = marked(person)
    assert BACK in text
    row = next(row for row, match in enumerate(pane.model.matches) if match.entry.text == text)
    assert pane.view.sentence(row).startswith(f"{WORDS}, ")
    assert forgotten_label(pane.model, pane.model.matches[row - 1].entry) == ""
    heads = [words for kind, words, _ in pane.view.cards.card(row)._head if kind == "forgotten"]
    assert heads == [WORDS]
    pane.view.grab()
    (item,) = review_items(person.bench.memory.ledger.suggestions())
    assert item.suggestion.path == "memory/HISTORY.md"
    await person.bench.memory.editing.decide(item, "reject")
    await until(lambda: not marked(person), "no mark")

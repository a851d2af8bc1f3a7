"""The line below a memory file says how many of its tokens are sent, and the gutter from where on nothing is."""

import json

from mnemoscope.ui.memory.editor.memory_editor import LineGutter
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.memory.memory_fixture import type_at_end
from tests.ui.window_fixture import Opened, Stage, until

LONG = "# Facts\n\n" + "".join(f"- Fact {number} of a long memory that nobody cut\n" for number in range(4_000))


def figures(person: Opened) -> str:
    return person.memory.body.figures.text()


async def opened(stage: Stage, memory: str, budget: int) -> Opened:
    root = stage.make(memory=memory)
    (root / "config.json").write_text(json.dumps({"mnemoscope": {"memoryBudgetTokens": budget}}))
    return await stage.open()


async def test_a_memory_that_is_cut_says_what_is_sent_and_marks_the_rest(stage: Stage) -> None:
    person = await opened(stage, LONG, 1_000)
    await until(lambda: "tokens are sent" in figures(person), "the count")
    assert "in every prompt" not in figures(person)
    cut = person.memory.editor.numbers.unsent_from
    assert cut is not None
    assert f"nothing from line {cut + 1:,} on" in figures(person)
    prompt = (await person.bench.prompts.of_draft(person.key, "Hello")).request[0]["content"]
    rows = person.memory.editor.text().split("\n")
    assert rows[cut - 1] in prompt
    assert rows[cut] not in prompt
    gutter = person.memory.editor.findChild(LineGutter)
    assert isinstance(gutter, LineGutter)
    assert f"{cut + 1:,}" in gutter.toolTip()
    person.memory.editor.go_to_line(cut)
    bar = Theme.current().color("warning").name()
    picture = gutter.grab().toImage()
    colours = [picture.pixelColor(1, y).name() for y in range(picture.height())]
    assert colours[0] != bar
    assert bar in colours
    assert colours[colours.index(bar) :].count(bar) > 40


async def test_the_count_follows_the_typing_and_the_budget(stage: Stage) -> None:
    person = await opened(stage, "- Likes tea\n", 500)
    await until(lambda: "tokens in every prompt" in figures(person), "the count")
    assert person.memory.editor.numbers.unsent_from is None
    type_at_end(person.memory, LONG)
    await until(lambda: person.memory.editor.numbers.unsent_from is not None, "the mark")
    assert "tokens are sent" in figures(person)
    await person.bench.config.change(memory_budget_tokens=100_000)
    await until(lambda: person.memory.editor.numbers.unsent_from is None, "no mark")
    assert "in every prompt" in figures(person)


async def test_headings_without_a_fact_say_when_memory_is_written(stage: Stage) -> None:
    person = await opened(stage, "# Long-term Memory\n\n## Preferences\n", 500)
    await until(lambda: figures(person) == "Memory is written after about 100 messages.", "when it is written")
    type_at_end(person.memory, "\n- Likes tea\n")
    await until(lambda: "tokens in every prompt" in figures(person), "the count")
    user = person.window.memory.show_file("USER.md")
    user.editor.setPlainText("# About you\n")
    await until(lambda: "in every prompt" in user.body.figures.text(), "the count of another file")


async def test_what_is_struck_out_is_named_as_the_reason_why_not_all_is_sent(stage: Stage) -> None:
    person = await opened(stage, "- Lives in Rome\n- ~~Lives in Paris~~ (until 2026-11-22)\n", 500)
    await until(lambda: "tokens are sent" in figures(person), "the count")
    assert "not what is struck out" in figures(person)

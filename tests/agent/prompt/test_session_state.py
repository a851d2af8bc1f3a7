"""What the state of a conversation says by messages that are deleted, or on other branches alone, is not sent."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mnemoscope.agent.workspace.message_deletions import MessagesToDelete
from mnemoscope.domain.events import BranchChanged
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY, Opened

POSTGRES = "We decided to use Postgres for the database"
SQLITE = "We decided to use SQLite for the database"
GRAZ, VIENNA, LINZ = "I live in Graz", "I live in Vienna", "I live in Linz"


async def opened_at(root: Path) -> Opened:
    await asyncio.to_thread(conversation, root)
    opened = Opened(root, window=100)
    await opened.session()
    return opened


async def sent(opened: Opened) -> str:
    """Returns the state as it would be sent with the next message."""
    prompt = await opened.bench.prompts.of_draft(KEY, "And now? m50")
    return "\n".join(each.text for each in prompt.messages if each.source == "SESSION-STATE.md")


async def root_of(opened: Opened) -> str:
    return (await opened.session()).branch.root


async def test_what_a_message_said_before_it_was_edited_is_not_sent_and_is_back_with_its_branch(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    loop, file = opened.bench.loop, tmp_path / "SESSION-STATE.md"
    await loop.process(KEY, f"{POSTGRES}. m12")
    assert POSTGRES in await sent(opened)
    assert await loop.resend(KEY, 12, f"{SQLITE}. m12")
    assert POSTGRES not in await sent(opened)
    assert SQLITE in await sent(opened)
    assert POSTGRES in file.read_text(), "the file belongs to both branches"
    event = opened.seen(BranchChanged)[-1]
    assert isinstance(event, BranchChanged)
    taken = await opened.bench.abandoned.of(await opened.session(), event.left, event.stop)
    assert [POSTGRES in line for line in taken.state_lines] == [True]
    assert (taken.is_any, taken.lines) == (True, ())
    assert await loop.switch_branch(KEY, await root_of(opened))
    assert POSTGRES in await sent(opened)
    assert SQLITE not in await sent(opened)
    await opened.close()


async def test_what_another_message_says_too_and_what_is_shared_stay(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    loop = opened.bench.loop
    await loop.process(KEY, f"{POSTGRES}. m12")
    assert await loop.regenerate(KEY, 13)
    assert POSTGRES in await sent(opened)
    assert await loop.resend(KEY, 12, f"{POSTGRES}, as I said. m12")
    assert POSTGRES in await sent(opened)
    await opened.close()


async def test_a_deleted_turn_says_nothing_until_it_is_back(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    await opened.bench.loop.process(KEY, f"{POSTGRES}. m12")
    await opened.bench.loop.process(KEY, "My phone number is 0151 234567. m14")
    session = await opened.session()
    taken = await opened.bench.abandoned.of_messages(session, (12, 13))
    assert [POSTGRES in line for line in taken.state_lines] == [True]
    before = await sent(opened)
    messages = tuple(session.messages[index] for index in (12, 13))
    deletion = await opened.bench.deletions.delete([MessagesToDelete(session, (12, 13), messages)])
    assert POSTGRES not in await sent(opened)
    assert "0151" in await sent(opened)
    found = await opened.bench.disk.run(opened.bench.memory.captures.active_states.text_of, KEY)
    assert POSTGRES not in found, "nor where the thread is found again"
    await opened.bench.deletions.restore(deletion.id)
    assert await sent(opened) == before
    await opened.close()


async def test_what_only_a_message_that_was_left_struck_stands_again(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    loop = opened.bench.loop
    await loop.process(KEY, f"{GRAZ}. m12")
    await loop.process(KEY, f"{VIENNA}. m14")
    assert GRAZ not in await sent(opened)
    assert await loop.branch(KEY, 14)
    assert GRAZ in await sent(opened)
    assert VIENNA not in await sent(opened)
    # The line that the file has in force is the other branch's; what it had struck is meant too.
    await loop.process(KEY, f"{LINZ}. m14")
    assert [each for each in (GRAZ, VIENNA, LINZ) if each in await sent(opened)] == [LINZ]
    assert await loop.switch_branch(KEY, await root_of(opened))
    assert [each for each in (GRAZ, VIENNA, LINZ) if each in await sent(opened)] == [VIENNA]
    await opened.close()


async def test_what_is_said_anew_on_another_branch_takes_the_place_of_the_same(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    loop = opened.bench.loop
    await loop.process(KEY, f"{GRAZ}. m12")
    await loop.process(KEY, f"{VIENNA}. m14")
    assert await loop.resend(KEY, 14, f"{VIENNA}, as I said. m14")
    assert [each for each in (GRAZ, VIENNA) if each in await sent(opened)] == [VIENNA]
    await opened.close()


async def test_lines_that_no_record_tells_of_are_sent(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    await opened.bench.loop.process(KEY, f"{POSTGRES}. m12")
    with (tmp_path / "SESSION-STATE.md").open("a") as file:
        file.write("- Written by hand\n")
    assert await opened.bench.loop.resend(KEY, 12, "Never mind. m12")
    assert "Written by hand" in await sent(opened)
    assert POSTGRES not in await sent(opened)
    await opened.close()


async def found(opened: Opened) -> list[bool]:
    """Returns whether the person finds the state, also as they type, and whether the assistant finds what it says."""
    search = opened.bench.search
    ways = [await search.find("decision Postgres")]
    ways.append(await search.active(await asyncio.wrap_future(search.type("decision Postgres"))))
    places = [[each.path for hit in hits for each in (hit, *hit.duplicates) if POSTGRES in each.text] for hits in ways]
    found_passages = await search.passages("decision Postgres", 20)
    return [*("SESSION-STATE.md" in way for way in places), any(POSTGRES in each.text for each in found_passages)]


async def test_no_search_finds_a_line_that_only_another_branch_says(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    loop = opened.bench.loop
    await loop.process(KEY, f"{POSTGRES}. m12")
    assert set(await found(opened)) == {True}
    assert await loop.resend(KEY, 12, f"{SQLITE}. m12")
    assert set(await found(opened)) == {False}
    assert await loop.switch_branch(KEY, await root_of(opened))
    assert set(await found(opened)) == {True}
    await opened.close()

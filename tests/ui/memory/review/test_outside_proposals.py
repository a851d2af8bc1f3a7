"""What a program outside proposes shows in the window that is open, and is memory once the person accepts it."""

from mnemoscope.agent.mcp.shared_memory import SharedMemory
from tests.ui.window_fixture import Stage, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n"


async def test_a_proposal_shows_in_the_open_window_and_is_accepted_there(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory=FACTS)
    person = await stage.open()
    SharedMemory(stage.root).propose("Has a cat", "User", "Claude Code")
    await person.until_said("it says it is “Claude Code”", person.memory)
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    person.click("Review", person.memory)
    assert "Claude Code (its own claim), through MCP · " in words_in(person.memory)
    person.click("Accept", person.memory)
    await until(lambda: stage.paths.memory_file.read_text("utf-8") == f"{FACTS}- Has a cat\n", "the accepted line")


async def test_files_that_are_no_proposals_leave_the_window_as_it_is_and_are_told_of(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hello."), memory=FACTS)
    person = await stage.open()
    inbox = stage.paths.own.inbox_dir
    (inbox / "\x1b[2J\u202egpj.json").write_bytes(b"[" * 100_000)
    (inbox / "0000000000000001.json").symlink_to(stage.paths.memory_file)
    await person.until_said("moved to quarantine: 2")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    assert list(inbox.iterdir()) == []

"""The exact prompt of each past turn can be looked at again."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from mnemoscope.domain.answer_receipt.memory_use import prompt_id_of
from mnemoscope.domain.answer_receipt.sent_request import SentRequest
from mnemoscope.domain.context.prompt_snapshot import ALTERED, UNCHECKED, PromptSnapshot
from mnemoscope.domain.events import PromptBuilt
from mnemoscope.domain.llm import ChatRequest, StreamPart
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.store.logs.prompt_log import PromptLog, decode_request, encode_request, text_hash
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.scripted_provider import ScriptedProvider, asks, call, says


def built(bench: Bench) -> list[PromptSnapshot]:
    return [event.prompt for event in bench.seen(PromptBuilt)]


async def past(bench: Bench) -> list[Any]:
    return await bench.loop.services.sent.of_session(bench.sessions.get_or_create(KEY))


async def test_each_turn_comes_back_as_its_last_request_was(tmp_path: Path) -> None:
    answers = says("One."), asks(call("list_files", path=".")), says("Two."), says("Drei.")
    bench = make_bench(tmp_path, *answers, profile=THREE_TIER)
    for words in ("First", "Second", "Третье"):
        await bench.loop.process(KEY, words)
    sent = built(bench)
    found = await past(bench)
    assert [each.index for each in found] == [0, 2, 6]
    assert [each.prompt for each in found] == [sent[0], sent[2], sent[3]]


async def test_a_request_does_not_wait_for_its_log(tmp_path: Path) -> None:
    kept = []

    class LooksFirst(ScriptedProvider):
        async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
            # A provider looks at the disk before it asks, behind whatever the disk has to do already.
            kept.append(await bench.loop.services.disk.run(lambda: list(prompts.glob("*"))))
            async for part in super().stream(request):
                yield part

    prompts = WorkspacePaths(tmp_path).own.prompts_dir
    bench = make_bench(tmp_path, provider=LooksFirst(says("One.")))
    await bench.loop.process(KEY, "First")
    assert kept == [[]]
    assert [each.prompt for each in await past(bench)] == built(bench)


async def test_after_a_restart_they_are_still_there(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."))
    await bench.loop.process(KEY, "First")
    again = make_bench(tmp_path)
    assert [each.prompt for each in await past(again)] == built(bench)


async def test_what_was_captured_comes_back_as_a_part_of_the_message_it_went_with(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."), says("Two."), real_memory=True)
    for words in ("I prefer tea", "And now?"):
        await bench.loop.process(KEY, words)
    found = [each.prompt for each in await past(bench)]
    assert found == built(bench)
    assert [part.title for part in found[1].messages] == ["User", "Assistant", "Session state", "User"]
    assert [message["role"] for message in found[1].request] == ["system", "user", "assistant", "user"]
    assert "**preference**: I prefer tea" in str(found[1].request[-1]["content"])


async def test_a_conversation_begun_anew_has_none_yet(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."), profile=THREE_TIER)
    await bench.loop.process(KEY, "First")
    await bench.loop.process(KEY, "/new")
    assert await past(bench) == []


async def test_a_log_of_an_earlier_version_does_not_say_how_it_was_asked(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."))
    await bench.loop.process(KEY, "First")
    [path] = WorkspacePaths(tmp_path).own.prompts_dir.glob("*.log")
    found = decode_request(path.read_bytes().strip())
    assert found is not None
    record, texts = dict(found.record), found.texts
    assert record.pop("options")["max_tokens"] == bench.loop.services.settings().max_tokens
    path.write_bytes(encode_request({"record": record, "texts": texts}))
    [old] = await past(bench)
    assert old.prompt == built(bench)[0]
    assert old.prompt.options is None


async def test_a_record_that_is_not_as_it_was_kept_is_known_by_its_hash(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."), says("Two."))
    for words in ("First", "Second"):
        await bench.loop.process(KEY, words)
    [path] = WorkspacePaths(tmp_path).own.prompts_dir.glob("*.log")
    lines = path.read_bytes().split()
    found = decode_request(lines[1])
    assert found is not None
    lines[1] = encode_request({**found._asdict(), "record": {**found.record, "model": "another"}}).strip()
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert [each.prompt.doubt for each in await past(bench)] == ["", ALTERED]
    session = bench.sessions.get_or_create(KEY)
    answer = [each for each in bench.messages() if each["role"] == "assistant"][-1]
    sent = await bench.loop.services.sent.find(session, prompt_id_of(answer))
    assert sent is not None
    assert sent.prompt.doubt == ALTERED
    assert SentRequest.of(sent.prompt, lambda _image: None).doubt == ALTERED


async def test_a_record_that_was_kept_before_hashes_were_is_said_to_be_unchecked(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."))
    await bench.loop.process(KEY, "First")
    [path] = WorkspacePaths(tmp_path).own.prompts_dir.glob("*.log")
    found = decode_request(path.read_bytes().strip())
    assert found is not None
    path.write_bytes(encode_request({**found._asdict(), "check": ""}))
    assert [each.prompt.doubt for each in await past(bench)] == [UNCHECKED]


async def test_that_not_all_was_counted_that_was_left_out_of_a_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Be brief.\n" * 20_000, "utf-8")
    bench = make_bench(tmp_path, says("One."))
    await bench.loop.process(KEY, "First")
    (found,) = await past(bench)
    assert found.prompt == built(bench)[0]
    assert found.prompt.cut_lines[0].more is None


async def test_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."))
    await bench.loop.process(KEY, "First")
    bench.loop.services.sent.forget(bench.sessions.get_or_create(KEY))
    assert await past(bench) == []
    assert not list(WorkspacePaths(tmp_path).own.prompts_dir.iterdir())


async def test_keys_of_the_keychain_are_in_no_prompt_that_is_kept(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."), keys=lambda: {"hunter22secret"})
    await bench.loop.process(KEY, "It is hunter22secret")
    (found,) = await past(bench)
    assert "hunter22secret" not in str(found.prompt.request)
    assert "hunter22secret" in str(built(bench)[0].request)


async def test_one_that_another_version_kept_is_left_out(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, says("One."))
    await bench.loop.process(KEY, "First")
    name = f"{KEY} {bench.sessions.get_or_create(KEY).created_at.isoformat()}"
    log = PromptLog(WorkspacePaths(tmp_path).own.prompts_dir)
    log.append(name, {"turn": 2}, {text_hash("a"): "a"})
    log.append(name, {**log.read(name).records[0], "turn": 4, "guard": {"odd": 1}}, {})
    assert [each.index for each in await past(bench)] == [0]


async def branched(tmp_path: Path) -> Bench:
    """Returns a conversation of two turns of which the second was asked in other words."""
    bench = make_bench(tmp_path, says("One."), says("Two."), says("Three."))
    for words in ("First", "Second"):
        await bench.loop.process(KEY, words)
    assert await bench.loop.resend(KEY, 2, "Other words")
    return bench


async def test_a_branch_has_what_was_sent_before_it_began(tmp_path: Path) -> None:
    bench = await branched(tmp_path)
    first, second, third = built(bench)
    assert [each.prompt for each in await past(bench)] == [first, third]
    session = bench.sessions.get_or_create(KEY)
    answers = [each for each in bench.messages() if each["role"] == "assistant"]
    found = [await bench.loop.services.sent.find(session, prompt_id_of(answer)) for answer in answers]
    assert [each and each.prompt for each in found] == [first, third]
    assert await bench.loop.switch_branch(KEY, session.other_branches[0].began)
    assert [each.prompt for each in await past(bench)] == [first, second]


async def test_what_was_sent_in_any_branch_is_forgotten_with_the_conversation(tmp_path: Path) -> None:
    bench = await branched(tmp_path)
    prompts = WorkspacePaths(tmp_path).own.prompts_dir
    assert len(list(prompts.iterdir())) == 2
    session = bench.sessions.get_or_create(KEY)
    assert await bench.loop.switch_branch(KEY, session.other_branches[0].began)
    bench.loop.services.sent.forget(bench.sessions.get_or_create(KEY))
    assert await past(bench) == []
    assert not list(prompts.iterdir())

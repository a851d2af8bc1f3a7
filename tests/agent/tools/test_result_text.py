"""A tool's long result is cut for the conversation; all of it is kept beside."""

from pathlib import Path

import pytest

from mnemoscope.agent.tools.result_text import RESULT_LIMIT, cut_result, missing_of, truncate_tool_result
from mnemoscope.domain.events import PromptBuilt
from mnemoscope.store.files.calls import FileCalls
from tests.support.agent_bench import KEY, make_bench
from tests.support.scripted_provider import asks, call, says

TEXT = "key hunter22secret\n" + "".join(f"line {number} of the file\n" for number in range(2_000))


def test_seventy_percent_from_the_beginning_and_twenty_from_the_end_stay() -> None:
    cut = truncate_tool_result("a" * 20_000 + "b" * 20_000)
    assert len(cut) <= RESULT_LIMIT
    assert cut.startswith("a" * 5_600)
    assert cut.endswith("b" * 1_600)
    assert "32,800 of 40,000 characters" in cut
    assert truncate_tool_result("x" * 8_000) == "x" * 8_000
    assert truncate_tool_result("x" * 30, 20) == cut_result("x" * 30, 20)
    assert missing_of("x" * 40_000) == 32_800
    assert missing_of("x") == 0


async def test_the_whole_text_is_kept_and_named_in_the_record_and_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(TEXT)
    bench = make_bench(
        tmp_path, asks(call("read_file", path="long.txt")), says("Read."), keys=lambda: {"hunter22secret"}
    )
    await bench.loop.process(KEY, "Read it")
    result = bench.messages()[2]
    whole = (tmp_path / result["whole"]).read_text("utf-8")
    assert result["cut"] == missing_of(whole)
    assert result["whole"].startswith(".mnemoscope/tool-results/")
    assert len(whole) > RESULT_LIMIT
    assert "line 1999 of the file" in whole
    assert "hunter22secret" not in whole
    (cut,) = bench.seen(PromptBuilt)[-1].prompt.cut
    assert (cut.title, cut.source) == ("read_file", result["whole"])
    assert cut.tokens > 5_000


@pytest.mark.slow
@pytest.mark.parametrize("place", [5_588, 5_593, 5_598, 18_388, 18_393, 18_398])
async def test_a_key_is_masked_where_the_cut_goes_through_it(tmp_path: Path, place: int) -> None:
    (tmp_path / "long.txt").write_text(f"{'-' * place}hunter22secret{'-' * (20_000 - 14 - place)}")
    bench = make_bench(tmp_path, asks(call("read_file", path="long.txt")), "Read.", keys=lambda: {"hunter22secret"})
    await bench.loop.process(KEY, "Read it")
    content = bench.messages()[2]["content"]
    assert not any(part in content for part in ("hunte", "unter", "22sec", "ecret"))


async def test_a_short_result_is_kept_in_the_conversation_alone(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("short")
    bench = make_bench(tmp_path, asks(call("read_file", path="short.txt")), says("Read."))
    await bench.loop.process(KEY, "Read it")
    assert not {"cut", "whole"} & set(bench.messages()[2])
    assert not (tmp_path / ".mnemoscope" / "tool-results").exists()


class NoResults(FileCalls):
    def mkdir(self, path: str, mode: int = 0o777) -> None:
        if path.endswith("tool-results"):
            raise PermissionError(13, "refused", path)
        super().mkdir(path, mode)


async def test_where_the_disk_refuses_the_turn_goes_on_without(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(TEXT)
    bench = make_bench(tmp_path, asks(call("read_file", path="long.txt")), says("Read."), calls=NoResults())
    await bench.loop.process(KEY, "Read it")
    assert bench.messages()[2]["cut"] == missing_of(TEXT)
    assert "whole" not in bench.messages()[2]
    assert bench.messages()[-1]["content"] == "Read."

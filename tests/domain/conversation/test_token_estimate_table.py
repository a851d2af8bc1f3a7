"""The known counts that the local estimate is held against are those of the tokeniser they name."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[2] / "corpus" / "tokens" / "o200k_base.json"


@pytest.mark.slow
def test_the_table_of_known_counts_is_what_the_tokeniser_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_spec("litellm")
    assert found is not None
    assert found.origin is not None
    # litellm ships the tokeniser's table: nothing is fetched.
    shipped = Path(found.origin).parent / "litellm_core_utils" / "tokenizers"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(shipped))
    tiktoken = pytest.importorskip("tiktoken")
    encoding = tiktoken.get_encoding("o200k_base")
    for texts in json.loads(CORPUS.read_text("utf-8")).values():
        assert [each["tokens"] for each in texts] == [len(encoding.encode(each["text"])) for each in texts]

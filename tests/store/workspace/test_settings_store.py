"""config.json: unknown things stay, wrong things are named, a malformed file is never overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemoscope.domain.errors import FileShared, SettingsError, StorageError, WorkspaceReadOnly
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.calls import FileCalls, RootedCalls
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SIZE_LIMIT, SettingsStore

MALFORMED = [
    b"{not json",
    b"[1, 2]",
    b'"text"',
    b"\xff\xfe",
    b'{"a": ' + b"9" * 5_000 + b"}",
    b"[" * 100_000,
    b'{"a": "\xed\xa0\x80"}',
    b"\x00" * 20,
]


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(WorkspacePaths(tmp_path))


def test_without_a_file_the_defaults_hold(store: SettingsStore) -> None:
    assert store.load() == Settings()
    assert store.complaints == []


def test_the_peers_keys_are_read(store: SettingsStore) -> None:
    store.path.write_text(
        '{"agents": {"defaults": {"model": "ollama/qwen3:8b", "memoryWindow": 40, "temperature": 1}}}'
    )
    settings = store.load()
    assert (settings.model, settings.memory_window, settings.temperature) == ("ollama/qwen3:8b", 40, 1.0)


def test_unknown_keys_and_their_order_survive_a_change(store: SettingsStore) -> None:
    agents = {"zeta": 1, "defaults": {"workspace": "~", "model": "a"}}
    store.path.write_text(json.dumps({"providers": {"x": {"apiKey": "k"}}, "agents": agents, "b": 2}))
    store.load()
    store.change(model="b", theme="dark")
    document = json.loads(store.path.read_text())
    assert list(document) == ["providers", "agents", "b", "mnemoscope"]
    assert document["agents"] == {"zeta": 1, "defaults": {"workspace": "~", "model": "b"}}
    assert document["providers"] == {"x": {"apiKey": "k"}}
    assert SettingsStore(WorkspacePaths(store.path.parent)).load().theme == "dark"


def test_what_another_program_changed_meanwhile_stays(store: SettingsStore) -> None:
    store.load()
    store.path.write_text('{"mnemoscope": {"theme": "light"}}')
    store.change(model="b")
    assert (store.settings.theme, store.settings.model) == ("light", "b")


@pytest.mark.parametrize("data", MALFORMED)
def test_a_malformed_file_is_named_and_never_overwritten(store: SettingsStore, data: bytes) -> None:
    store.path.write_bytes(data)
    assert store.load() == Settings()
    assert store.malformed
    assert len(store.complaints) == 1
    with pytest.raises(SettingsError):
        store.change(model="b")
    assert store.path.read_bytes() == data


def test_a_malformed_file_is_set_aside_only_when_asked(store: SettingsStore) -> None:
    store.path.write_bytes(b"{oops")
    store.load()
    kept = store.set_aside()
    assert kept.read_bytes() == b"{oops"
    assert store.change(model="b").model == "b"
    assert not store.malformed


def test_a_folder_in_its_place_is_said(store: SettingsStore) -> None:
    store.path.mkdir()
    store.load()
    assert store.complaints[0].startswith("config.json could not be read: ")


def test_a_wrong_value_is_named_and_the_default_used(store: SettingsStore) -> None:
    store.path.write_text('{"agents": {"defaults": {"memoryWindow": "many", "model": "a"}}}')
    assert store.load().memory_window == 100
    assert store.settings.model == "a"
    assert store.complaints == ["agents.defaults.memoryWindow should be a whole number; the default is used."]


@pytest.mark.parametrize("values", [{"memory_window": -1}, {"theme": "pink"}, {"exec_enabled": 1}, {"colour": "red"}])
def test_a_change_to_what_is_not_accepted_writes_nothing(store: SettingsStore, values: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        store.change(**values)
    assert not store.path.exists()
    assert store.settings == Settings()


def test_a_key_that_is_no_object_is_left_alone(store: SettingsStore) -> None:
    store.path.write_text('{"agents": 5}')
    with pytest.raises(SettingsError, match=r"agents in config\.json is not an object"):
        store.change(model="b")
    assert store.path.read_text() == '{"agents": 5}'


def test_a_byte_order_mark_is_read_and_kept(store: SettingsStore) -> None:
    store.path.write_bytes(b'\xef\xbb\xbf{"mnemoscope": {"theme": "dark"}}')
    assert store.load().theme == "dark"
    store.change(theme="light")
    assert store.path.read_bytes().startswith(b"\xef\xbb\xbf{")


def test_read_only_settings_are_not_written(tmp_path: Path) -> None:
    store = SettingsStore(WorkspacePaths(tmp_path), read_only=True)
    store.load()
    with pytest.raises(WorkspaceReadOnly):
        store.change(model="b")
    assert list(tmp_path.iterdir()) == []


def test_a_change_another_program_makes_in_the_same_instant_stays(tmp_path: Path) -> None:
    class Interfering(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            Path(other).write_text('{"mnemoscope": {"theme": "light"}, "mine": 1}')
            Interfering.exchange = FileCalls.exchange  # type: ignore[method-assign]
            return super().exchange(one, other)

    store = SettingsStore(WorkspacePaths(tmp_path), calls=Interfering())
    store.path.write_text("{}")
    settings = store.change(model="b")
    assert (settings.theme, settings.model) == ("light", "b")
    assert json.loads(store.path.read_text())["mine"] == 1


@pytest.mark.slow
def test_what_cannot_be_read_in_that_instant_is_kept_beside_it(tmp_path: Path) -> None:
    class Interfering(FileCalls):
        def exchange(self, one: str, other: str) -> bool:
            Path(other).write_text("{half")
            return super().exchange(one, other)

    store = SettingsStore(WorkspacePaths(tmp_path), calls=Interfering())
    store.path.write_text("{}")
    assert store.change(model="b").model == "b"
    assert [path.read_text() for path in tmp_path.glob("*.kept")] == ["{half"]


def test_bom_and_crlf_of_the_file_are_kept(store: SettingsStore) -> None:
    store.path.write_bytes(b'\xef\xbb\xbf{\r\n  "b": 2\r\n}\r\n')
    store.change(model="b")
    data = store.path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_file_with_other_names_is_changed_when_it_was_parted_from_them(store: SettingsStore) -> None:
    store.path.write_text("{}")
    other = store.path.with_name("other")
    other.hardlink_to(store.path)
    with pytest.raises(FileShared, match=r"config\.json"):
        store.change(model="b")
    store.separate()
    assert store.change(model="b").model == "b"
    assert other.read_text() == "{}"


def test_nothing_is_written_where_the_workspace_was_moved_away(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    store = SettingsStore(WorkspacePaths(root), calls=RootedCalls(root))
    root.rename(tmp_path / "moved")
    root.mkdir()
    with pytest.raises(StorageError, match="no longer there"):
        store.change(model="b")
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("stated", ["two-layer", "dream"])
def test_a_profile_that_is_stated_stands_before_the_one_the_files_suggest(tmp_path: Path, stated: str) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.config_file.write_text(json.dumps({"mnemoscope": {"profile": stated}}))
    settings = SettingsStore(paths, profile="three-tier").load()
    assert (settings.profile, settings.dream_paused) == (stated, False)


def test_where_none_is_stated_the_files_decide_and_dream_waits_to_be_let_run(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    assert SettingsStore(paths, profile="three-tier").load().profile == "three-tier"
    settings = SettingsStore(paths, profile="dream").load()
    assert (settings.profile, settings.dream_paused) == ("dream", True)


def test_settings_that_are_too_large_or_behind_a_file_are_said(tmp_path: Path) -> None:
    store = SettingsStore(WorkspacePaths(tmp_path))
    store.path.write_bytes(b" " * (SIZE_LIMIT + 1))
    store.load()
    assert "larger than 4 MB" in store.complaints[0]
    (tmp_path / "file").write_text("x")
    with pytest.raises(SettingsError, match="cannot be read"):
        SettingsStore(WorkspacePaths(tmp_path / "file")).change(model="b")
    with pytest.raises(WorkspaceReadOnly):
        SettingsStore(WorkspacePaths(tmp_path), read_only=True).set_aside()


def test_another_model_has_its_own_context_size_and_the_one_before_keeps_its_own(store: SettingsStore) -> None:
    store.path.write_text('{"agents": {"defaults": {"model": "openai/large", "contextWindowTokens": 32000}}}')
    store.load()
    assert store.change(model="openai/small").context_window_tokens == 0
    store.change(context_window_tokens=4_096)
    document = json.loads(store.path.read_text())
    assert document["agents"]["defaults"] == {"model": "openai/small", "contextWindowTokens": 4_096}
    assert document["mnemoscope"]["contextSizes"] == [{"model": "openai/large", "apiBase": "", "tokens": 32_000}]
    back = store.change(model="openai/large", theme="dark")
    assert (back.context_window_tokens, back.context_size("openai/small")) == (32_000, 4_096)
    assert SettingsStore(WorkspacePaths(store.path.parent)).load() == back


def test_a_context_size_that_is_set_with_the_model_is_the_one_of_the_new_model(store: SettingsStore) -> None:
    store.load()
    store.change(model="openai/large", context_window_tokens=8_192)
    settings = store.change(model="openai/small", context_window_tokens=8_192)
    assert (settings.context_size("openai/small"), settings.context_size("openai/large")) == (8_192, 8_192)

"""Keys: where they are kept, which of several counts, and where they never go."""

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.workspace.keychain import SERVICE, Keychain


class SafeBackend:
    """A keychain that keeps secrets."""

    def __init__(self, *, locked: bool = False) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = locked
        self.reads = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.reads += 1
        if self.locked:
            message = "the person pressed Cancel"
            raise RuntimeError(message)
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            message = "the person pressed Cancel"
            raise RuntimeError(message)
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class PlaintextKeyring(SafeBackend):
    """One that writes secrets into a file as they are."""


class ChainOfBoth(SafeBackend):
    def __init__(self, *backends: SafeBackend) -> None:
        super().__init__()
        self.backends = list(backends)


def test_a_key_kept_in_the_keychain_is_there_in_the_next_run() -> None:
    backend = SafeBackend()
    Keychain(backend, environment={}).remember("openai", " sk-1\n", persist=True)
    assert backend.kept == {(SERVICE, "openai"): "sk-1"}
    again = Keychain(backend, environment={})
    assert again.get("openai") == "sk-1"
    assert again.origin("openai") == "keychain"


def test_a_key_for_this_run_only_is_gone_with_it() -> None:
    backend = SafeBackend()
    keys = Keychain(backend, environment={})
    keys.remember("openai", "sk-1", persist=False)
    assert (keys.get("openai"), keys.origin("openai")) == ("sk-1", "this run")
    assert backend.kept == {}


def test_this_run_wins_over_the_keychain_and_that_over_the_environment() -> None:
    keys = Keychain(SafeBackend(), environment={"OPENAI_API_KEY": "sk-env"})
    assert (keys.get("openai"), keys.origin("openai")) == ("sk-env", "environment")
    keys.remember("openai", "sk-kept", persist=True)
    assert (keys.get("openai"), keys.origin("openai")) == ("sk-kept", "keychain")
    keys.remember("openai", "sk-run", persist=False)
    assert (keys.get("openai"), keys.origin("openai")) == ("sk-run", "this run")


def test_keeping_a_key_replaces_the_one_for_this_run() -> None:
    keys = Keychain(SafeBackend(), environment={})
    keys.remember("openai", "sk-run", persist=False)
    keys.remember("openai", "sk-kept", persist=True)
    assert (keys.get("openai"), keys.origin("openai")) == ("sk-kept", "keychain")


def test_forgetting_removes_a_key_everywhere_but_from_the_environment() -> None:
    backend = SafeBackend()
    keys = Keychain(backend, environment={"OPENAI_API_KEY": "sk-env"})
    keys.remember("openai", "sk-kept", persist=True)
    keys.remember("openai", "sk-run", persist=False)
    keys.forget("openai")
    assert backend.kept == {}
    assert keys.get("openai") == "sk-env"
    keys.forget("never-known")


@pytest.mark.parametrize("backend", [PlaintextKeyring(), ChainOfBoth(), ChainOfBoth(SafeBackend(), PlaintextKeyring())])
def test_a_backend_that_keeps_keys_in_the_open_is_not_used(backend: SafeBackend) -> None:
    keys = Keychain(backend, environment={})
    assert not keys.persistent
    with pytest.raises(StorageError) as caught:
        keys.remember("openai", "sk-1", persist=True)
    assert caught.value.next_step == "Keep the key for this run only."
    assert backend.kept == {}


def test_a_chain_of_safe_backends_is_safe() -> None:
    assert Keychain(ChainOfBoth(SafeBackend()), environment={}).persistent


def test_the_null_backend_of_the_system_is_no_keychain() -> None:
    assert not Keychain(environment={}).persistent


def test_a_locked_keychain_is_said_without_the_key() -> None:
    keys = Keychain(SafeBackend(locked=True), environment={})
    with pytest.raises(StorageError) as caught:
        keys.remember("openai", "sk-secret", persist=True)
    assert "sk-secret" not in f"{caught.value} {caught.value.context}"
    with pytest.raises(StorageError):
        keys.get("openai")


def test_the_keychain_is_found_ahead_and_asked_for_nothing() -> None:
    class Refusing(SafeBackend):
        def get_password(self, service: str, username: str) -> str | None:
            raise AssertionError("it was asked")

    keys = Keychain(Refusing())
    keys.prepare()
    assert keys.persistent


def test_the_keychain_is_read_once_for_each_key() -> None:
    backend = SafeBackend()
    backend.kept[SERVICE, "openai"] = "sk-1"
    keys = Keychain(backend, environment={})
    keys.get("openai")
    keys.get("openai")
    assert backend.reads == 1


def test_a_key_that_is_known_is_at_hand_without_asking() -> None:
    backend = SafeBackend()
    backend.kept[SERVICE, "openai"] = "sk-1"
    keys = Keychain(backend, environment={"GROQ_API_KEY": "gsk-1"})
    assert [keys.at_hand(name) for name in ("openai", "groq")] == [None, None]
    assert backend.reads == 0
    keys.get("openai")
    keys.remember("mistral", "m-1", persist=False)
    assert [keys.at_hand(name) for name in ("openai", "mistral", "groq")] == ["sk-1", "m-1", None]
    keys.forget("openai")
    assert keys.at_hand("openai") is None


def test_where_there_is_no_keychain_it_is_known_which_keys_there_are_not() -> None:
    keys = Keychain(PlaintextKeyring(), environment={"GROQ_API_KEY": "gsk-1"})
    assert keys.at_hand("groq") is None
    keys.prepare()
    assert [keys.at_hand(name) for name in ("groq", "openai")] == ["gsk-1", ""]


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("mistral", "MISTRAL_API_KEY"),
        ("gemini", "GOOGLE_API_KEY"),
        ("huggingface", "HF_TOKEN"),
        ("together_ai", "TOGETHERAI_API_KEY"),
    ],
)
def test_the_usual_environment_variables_are_read(provider: str, variable: str) -> None:
    assert Keychain(SafeBackend(), environment={variable: "k"}).get(provider) == "k"


def test_a_server_of_one_s_own_has_no_environment_variable() -> None:
    environment = {"OPENAI_API_KEY": "sk", "OPENAI@HOST_API_KEY": "x"}
    assert Keychain(SafeBackend(), environment=environment).get("openai@host") is None


def test_every_key_seen_can_be_masked() -> None:
    keys = Keychain(SafeBackend(), environment={"MISTRAL_API_KEY": "sk-3"})
    keys.remember("openai", "sk-1", persist=True)
    keys.remember("anthropic", "sk-2", persist=False)
    keys.get("mistral")
    assert keys.secrets() == {"sk-1", "sk-2", "sk-3"}


def test_a_keychain_that_keeps_a_key_against_the_persons_will_is_said_without_it() -> None:
    backend = SafeBackend()
    keys = Keychain(backend, environment={})
    keys.remember("openai", "sk-secret", persist=True)
    backend.kept.clear()
    with pytest.raises(StorageError, match="could not be removed") as caught:
        keys.forget("openai")
    assert "sk-secret" not in f"{caught.value} {caught.value.context}"


def test_whatever_looks_like_a_key_in_the_environment_can_be_masked() -> None:
    environment = {"GITHUB_TOKEN": " ghp_0123456789 ", "SHORT_TOKEN": "abc", "HOME": "/home/somebody-long"}
    assert Keychain(SafeBackend(), environment=environment).secrets() == {"ghp_0123456789"}


def test_without_a_keychain_and_without_a_key_there_is_none() -> None:
    keys = Keychain(PlaintextKeyring(), environment={})
    assert (keys.get("openai"), keys.origin("openai")) == (None, None)

"""The catalogue lists which models can be chosen, who provides them, whose key they need, and how much they can read.

Names are litellm's: `provider/model`, or a bare name if it is unmistakable. Nothing here imports litellm.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from mnemoscope.domain.settings import BUILT_IN_MODEL, is_built_in

_BUILT_IN: Final = "built-in"
"""Provider of the built-in model."""
DEFAULT_CONTEXT: Final = 16_384
"""Tokens assumed of a model that is not known: small enough for a local server's usual setting."""
LOCAL_CONTEXT: Final = 8_192
"""Tokens assumed where the server is on this computer and does not say: such servers are often started with little."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Describes a model a person can choose. `id` is litellm's name; `api_base` is the server's address if it is not
    the provider's own; `context_window` is in tokens, 0 if only `context_window()` can tell."""

    id: str
    label: str
    provider: str
    needs_key: bool
    local: bool
    api_base: str = ""
    context_window: int = 0


@dataclass(frozen=True, slots=True)
class Provider:
    """Describes a provider of models: the first part of litellm's names, and a name for people. `key` is the name the
    key is kept under, empty if none is needed."""

    prefix: str
    title: str
    key: str
    models: tuple[str, ...] = ()


_PROVIDERS: Final = (
    Provider("openai", "OpenAI", "openai", ("gpt-5.2", "gpt-5-mini", "gpt-4.1", "gpt-4o-mini")),
    Provider("anthropic", "Anthropic", "anthropic", ("claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5")),
    Provider("gemini", "Google", "gemini", ("gemini-3-pro-preview", "gemini-2.5-pro", "gemini-2.5-flash")),
    Provider("mistral", "Mistral", "mistral", ("mistral-large-latest", "mistral-small-latest")),
    Provider("deepseek", "DeepSeek", "deepseek", ("deepseek-chat", "deepseek-reasoner")),
    Provider("xai", "xAI", "xai", ("grok-4", "grok-3-mini")),
    Provider("groq", "Groq", "groq", ("llama-3.3-70b-versatile", "openai/gpt-oss-120b")),
    Provider("openrouter", "OpenRouter", "openrouter", ("openai/gpt-4.1-mini", "anthropic/claude-sonnet-4.5")),
    Provider("moonshot", "Moonshot", "moonshot", ("kimi-k2-thinking",)),
    Provider("dashscope", "Alibaba", "dashscope", ("qwen-plus",)),
    Provider("zai", "Z.ai", "zai", ("glm-4.6",)),
    Provider("together_ai", "Together", "together_ai"),
    Provider("fireworks_ai", "Fireworks", "fireworks_ai"),
    Provider("cerebras", "Cerebras", "cerebras"),
    Provider("cohere", "Cohere", "cohere"),
    Provider("cohere_chat", "Cohere", "cohere"),
    Provider("perplexity", "Perplexity", "perplexity"),
    Provider("huggingface", "Hugging Face", "huggingface"),
    Provider("nvidia_nim", "NVIDIA", "nvidia_nim"),
    Provider("minimax", "MiniMax", "minimax"),
    Provider("volcengine", "Volcengine", "volcengine"),
    Provider("replicate", "Replicate", "replicate"),
    Provider("github", "GitHub Models", "github"),
    Provider("azure", "Azure", "azure"),
    Provider("azure_ai", "Azure AI", "azure_ai"),
    # These sign in by other means than one key, or run on this computer.
    Provider("bedrock", "Amazon Bedrock", ""),
    Provider("vertex_ai", "Google Vertex AI", ""),
    Provider("ollama", "Ollama", ""),
    Provider("ollama_chat", "Ollama", ""),
    Provider("lm_studio", "LM Studio", ""),
    Provider("llamafile", "llamafile", ""),
    Provider("hosted_vllm", "vLLM", ""),
)
_BY_PREFIX: Final[Mapping[str, Provider]] = {provider.prefix: provider for provider in _PROVIDERS}
_BARE_NAMES: Final = (
    (("gpt-", "chatgpt-", "o1", "o3", "o4"), "openai"),
    (("claude-",), "anthropic"),
    (("gemini-",), "gemini"),
    (("mistral-", "codestral-", "ministral-", "magistral-"), "mistral"),
    (("deepseek-",), "deepseek"),
    (("grok-",), "xai"),
    (("command-",), "cohere"),
)
_NUMBER: Final = re.compile(r"0x[0-9a-f]+|0[0-7]*|[1-9][0-9]*")
_OPENAI_PROTOCOL: Final = frozenset({"openai", "lm_studio", "hosted_vllm", "llamafile"})
_AT_AN_ADDRESS: Final = ("litellm_proxy/", "custom_openai/", "openai_like/")
"""litellm's prefixes for a server that speaks OpenAI's protocol at an address of one's own; they are no part of the
name that it is asked for."""
_NOT_FOR_CHAT: Final = ("embed", "rerank", "whisper", "tts", "bge-")
_CONTEXT: Final = (
    ("gpt-5", 400_000), ("gpt-4.1", 1_047_576), ("gpt-4o", 128_000), ("gpt-4-turbo", 128_000), ("gpt-4-32k", 32_768),
    ("gpt-4", 8_192), ("gpt-3.5", 16_385), ("gpt-oss", 131_072), ("chatgpt-4o", 128_000), ("o1-mini", 128_000),
    ("o1-preview", 128_000), ("o1", 200_000), ("o3", 200_000), ("o4", 200_000), ("claude-2", 100_000),
    ("claude", 200_000), ("gemini-1.5", 1_000_000), ("gemini", 1_048_576), ("codestral", 256_000),
    ("mistral-7b", 32_000), ("mistral", 128_000), ("ministral", 128_000), ("magistral", 40_000), ("mixtral", 32_000),
    ("deepseek", 128_000), ("grok-4", 256_000), ("grok", 131_072), ("llama-4", 131_072), ("llama-3.1", 131_072),
    ("llama-3.2", 131_072), ("llama-3.3", 131_072), ("llama3.1", 131_072), ("llama3.2", 131_072),
    ("llama3.3", 131_072), ("llama", 8_192), ("qwen-plus", 128_000), ("qwen", 32_768), ("kimi-k2", 131_072),
    ("glm-4", 128_000), ("command-a", 256_000), ("command-r", 128_000), ("sonar", 127_000), ("gemma-3", 32_768),
    ("phi-4", 16_384),
)  # fmt: skip


def _built_in_choice() -> ModelChoice:
    """Returns the model that is always there."""
    return ModelChoice(BUILT_IN_MODEL, "Built-in, no language model", _BUILT_IN, needs_key=False, local=True)


def _popular_choices() -> list[ModelChoice]:
    """Returns well-known models by provider. Any other name may be typed."""
    return [
        ModelChoice(
            f"{provider.prefix}/{model}", f"{provider.title}: {model}", provider.prefix, bool(provider.key), local=False
        )
        for provider in _PROVIDERS
        for model in provider.models
    ]


def choices() -> list[ModelChoice]:
    """Returns the built-in model and the well-known ones; local servers are found by `local_servers.find_local`."""
    return [_built_in_choice(), *_popular_choices()]


def provider_of(model: str) -> str:
    """Returns who serves a model by its name: a litellm prefix, `built-in`, or `openai` if only an address can tell."""
    if is_built_in(model):
        return _BUILT_IN
    prefix, slash, _ = model.strip().partition("/")
    if slash and prefix in _BY_PREFIX:
        return prefix
    name = model.strip().lower()
    return next((provider for starts, provider in _BARE_NAMES if name.startswith(starts)), "openai")


def litellm_name(model: str, api_base: str = "") -> str:
    """Returns the name as litellm takes it; a model that an address alone identifies is spoken to in OpenAI's
    protocol."""
    name = model.strip()
    prefix, slash, _ = name.partition("/")
    if slash and prefix in _BY_PREFIX:
        return name
    if needs_address(name):
        return f"openai/{name.partition('/')[2]}"
    return f"{'openai' if api_base else provider_of(name)}/{name}"


def needs_address(model: str) -> bool:
    """Returns whether the name says that the model is at an address of one's own, so that no provider's will do."""
    return model.strip().startswith(_AT_AN_ADDRESS)


def server_address(model: str, api_base: str) -> str:
    """Returns an address as litellm takes it: a person's `localhost:1234` becomes `http://localhost:1234/v1`."""
    address = api_base.strip().rstrip("/")
    if not address:
        return ""
    if "://" not in address:
        address = f"{'http' if is_loopback(address) else 'https'}://{address}"
    address = _in_ascii(address)
    speaks_openai = litellm_name(model, address).partition("/")[0] in _OPENAI_PROTOCOL
    return f"{address}/v1" if speaks_openai and not _path_of(address) else address


def is_loopback(address: str) -> bool:
    """Returns whether a URL names this computer."""
    host = plain_host(address)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return is_this_computer(host)


def is_this_computer(host: str) -> bool:
    """Returns whether a host, as `plain_host` returns it, is this computer for certain, whatever a name server says."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    # A connection to "any address" is one to this computer.
    return address.is_loopback or address.is_unspecified


@lru_cache(maxsize=64)
def plain_host(address: str) -> str:
    """Returns the host that a URL leads to, in lower case and ASCII; "" where different programs may read another.

    A name of other alphabets is told by its ASCII form (`xn--…`), an IP address as it is usually written, whatever
    form it has here (`0x7f.1`, `2130706433`). A user's name before an @ and a dot at the end are no part of it.
    """
    if any(char.isspace() or not char.isprintable() or char in '\\%#"<>^`{|}' for char in address):
        return ""
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("", "http", "https") or port == 0:
        return ""
    host = host.removesuffix(".")
    if not host.isascii():
        host = _idna(host)
    if not host or host.endswith("."):
        return ""
    return _as_usual(host)


def _idna(host: str) -> str:
    """Returns the ASCII form of a name, "" where there is none or where it depends on whom one asks."""
    if any(char in "\u00df\u03c2\u200c\u200d" for char in host):
        return ""
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def _as_usual(host: str) -> str:
    """Returns an IP address in its usual form, however it is written, and any other host as it is."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        return str(getattr(found, "ipv4_mapped", None) or found)
    parts = host.split(".")
    if not all(_NUMBER.fullmatch(part) for part in parts):
        return host
    # As the system's resolver reads it: octal and hexadecimal too, the last number for all the bytes that are left.
    numbers = [int(part, 16 if part[:2] == "0x" else 8 if part[0] == "0" else 10) for part in parts if part]
    *heads, last = numbers
    left = 4 - len(heads)
    if not 1 <= left <= 4 or any(head > 255 for head in heads) or last >= 256**left:
        return ""
    value = sum(head << 8 * (3 - place) for place, head in enumerate(heads)) + last
    return str(ipaddress.IPv4Address(value))


def _in_ascii(address: str) -> str:
    """Returns a URL whose host is the one that `plain_host` tells, so that no program on the way reads another."""
    host = plain_host(address)
    if not host:
        return address
    parts = urlsplit(address)
    user, at, _ = parts.netloc.rpartition("@")
    port = f":{parts.port}" if parts.port is not None else ""
    shown = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=f"{user}{at}{shown}{port}").geturl()


def _netloc_of(address: str) -> str:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""


def _path_of(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def key_name(model: str, api_base: str = "") -> str:
    """Returns the name a model's key is kept under; `""` for the built-in model and for providers that use no key.

    A server at an address of one's own has a key of its own, `openai@host:port`, so that a provider's key never goes to
    another's address.
    """
    if is_built_in(model):
        return ""
    provider, address = _BY_PREFIX[provider_of(model)], server_address(model, api_base)
    if not address:
        return provider.key
    return f"{provider.key or provider.prefix}@{_netloc_of(address).rpartition('@')[2].lower() or address}"


def needs_key(model: str, api_base: str = "") -> bool:
    """Returns whether asking without a key is pointless. Servers at an address of one's own may want one and say so."""
    return not api_base.strip() and bool(key_name(model))


def provider_title(model: str) -> str:
    """Returns the provider's name for people."""
    provider = provider_of(model)
    return "Built-in" if provider == _BUILT_IN else _BY_PREFIX[provider].title


def is_for_chat(name: str) -> bool:
    """Returns whether a model that a server lists answers in a conversation, as far as its name tells."""
    return not any(part in name.lower() for part in _NOT_FOR_CHAT)


def context_window(model: str, api_base: str = "") -> int:
    """Returns the tokens that the model's context holds, from our own table; the figure is careful if it is not
    known."""
    name = model.strip().lower().rpartition("/")[2]
    default = LOCAL_CONTEXT if is_loopback(api_base) or not (is_built_in(model) or key_name(model)) else DEFAULT_CONTEXT
    if default == LOCAL_CONTEXT:
        return default
    return next((tokens for start, tokens in _CONTEXT if name.startswith(start)), default)

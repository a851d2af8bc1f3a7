"""Keys are found in whatever form they stand in a text, and nothing else is."""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable

import pytest

from mnemoscope.domain.secrets.detection import find_secrets, mask_known, mask_secrets
from tests.support.own_time import at_most

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
CAPITALS = string.ascii_uppercase + string.digits


def some(count: int, alphabet: str = LETTERS, *, seed: int = 7) -> str:
    """Letters as in a key; made here, so that no scanner takes this file for a leak."""
    return "".join(random.Random(f"{seed}{count}{alphabet}").choices(alphabet, k=count))


KEYS = {
    "OpenAI": "sk-" + some(48),
    "OpenAI project": "sk-proj-" + some(40) + "-" + some(30, LETTERS + "_-"),
    "Anthropic": "sk-ant-api03-" + some(80, LETTERS + "_-") + "AA",
    "OpenRouter": "sk-or-v1-" + some(64, HEX),
    "Google": "AIza" + some(35, LETTERS + "_-"),
    "GitHub": "ghp_" + some(36),
    "GitHub fine": "github_pat_" + some(22) + "_" + some(59),
    "GitLab": "glpat-" + some(20),
    "AWS": "AKIA" + some(16, CAPITALS),
    "Slack": "xoxb-" + some(12, string.digits) + "-" + some(12, string.digits) + "-" + some(24),
    "Stripe": "sk_live_" + some(24),
    "Telegram": some(10, "123456789") + ":AA" + some(33),
    "Hugging Face": "hf_" + some(34),
    "JWT": "eyJ" + some(33) + ".eyJ" + some(60) + "." + some(43),
    "npm": "npm_" + some(36),
    "PyPI": "pypi-AgEI" + some(80),
    "SendGrid": "SG." + some(22) + "." + some(43),
    "Twilio": "SK" + some(32, HEX),
    "DigitalOcean": "dop_v1_" + some(64, HEX),
    "Groq": "gsk_" + some(52),
    "xAI": "xai-" + some(80),
    "Perplexity": "pplx-" + some(48),
    "Replicate": "r8_" + some(37),
    "NVIDIA": "nvapi-" + some(64),
    "Mailgun": "key-" + some(32, HEX),
    "Databricks": "dapi" + some(32, HEX),
    "Shopify": "shpat_" + some(32, HEX),
    "Notion": "ntn_" + some(46),
    "Linear": "lin_api_" + some(40),
    "Vault": "hvs." + some(90),
    "Discord": "M" + some(25) + "." + some(6) + "." + some(38),
}
TOKENS = {
    "Bearer": ("Authorization: Bearer ", some(40)),
    "Bearer, short": ("authorization: bearer ", some(32)),
    "Bearer, long": ("Bearer ", some(120, LETTERS + "._-")),
    "Bearer, hex": ("Bearer ", some(64, HEX)),
    "Basic": ("Authorization: Basic ", base64.b64encode(b"sam:correct-Horse7-battery9").decode()),
    "Basic, short": ("Basic ", base64.b64encode(b"sam:pa55word!").decode()),
}
PASSWORDS = {
    "password": ("the password is ", "hunter2!x-hunter7"),
    "Russian": ("пароль: ", "s3cret_Pass-word9"),
}
STATED = {
    "AWS secret": ("aws_secret_access_key = ", some(40, LETTERS + "/+")),
    "Mistral": ("My Mistral key: ", some(32)),
    "Mistral variable": ("MISTRAL_API_KEY=", some(32)),
    "bearer": ("Authorization: Bearer ", some(40)),
    "password": ("the password is ", "hunter2!x"),
    "Russian": ("пароль: ", "s3cret-Pass"),
    "Chinese": ("密码是", "s3cretPass1"),
    "Chinese among words": ("记住我的密码是", "s3cretPass1"),
    "Chinese in traditional characters": ("請記住我的密碼為", "s3cretPass1"),
    "Russian, nothing between": ("мой пароль ", "s3cretPass1"),
    "Russian, of what": ("пароль от вайфая ", "s3cretPass1"),
    "Uzbek, nothing between": ("parolim ", "s3cretPass1"),
    "of what": ("the password for the guest wifi is ", "s3cretPass1"),
    "PIN": ("my PIN is ", "4821"),
    "Uzbek": ("parol: ", "s3cretPass1"),
    "address": ("postgres://sam:", "pa55word@db.example/x"),
}


def in_two_lines(key: str) -> str:
    return key[: len(key) // 2] + "\n" + key[len(key) // 2 :]


def in_a_quote(key: str) -> str:
    return "\n> ".join(key[start : start + 18] for start in range(0, len(key), 18))


def every(count: int, mark: str) -> Callable[[str], str]:
    return lambda key: mark.join(key[start : start + count] for start in range(0, len(key), count))


DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "bold": lambda key: f"**{key}**",
    "code": lambda key: f"`{key}`",
    "bold inside": lambda key: f"{key[:6]}**{key[6:]}**",
    "backticks inside": every(11, "`"),
    "two lines": in_two_lines,
    "quoted lines": in_a_quote,
    "hard breaks": every(20, "\\\n"),
    "spaced breaks": every(20, "  \n  "),
    "html breaks": every(20, "<br>"),
    "zero width": every(5, "\u200b"),
    "soft hyphens": every(7, "\u00ad"),
    "line separator": every(20, "\u2028"),
    "escaped": lambda key: key.replace("_", "\\_").replace("-", "\\-"),
    "bold lines": every(20, "**\n**"),
}
UNBROKEN = ("plain", "bold", "code", "bold inside", "html breaks", "zero width", "soft hyphens", "escaped")
"""In these a secret goes on up to a blank; in the others the next words could as well be the next words."""


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("kind", KEYS)
def test_a_key_is_masked_however_it_is_written(kind: str, disguise: str) -> None:
    is_masked(KEYS[kind], "Keep this one: ", DISGUISES[disguise])


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("kind", TOKENS)
def test_so_is_the_token_of_a_header(kind: str, disguise: str) -> None:
    before, token = TOKENS[kind]
    is_masked(token, before, DISGUISES[disguise])


@pytest.mark.parametrize("disguise", UNBROKEN)
@pytest.mark.parametrize("kind", PASSWORDS)
def test_so_is_a_password_where_no_line_ends_in_it(kind: str, disguise: str) -> None:
    before, password = PASSWORDS[kind]
    is_masked(password, before, DISGUISES[disguise])


def is_masked(key: str, before: str, disguise: Callable[[str], str]) -> None:
    """Nothing of it is left but the mark's own four letters, and everything around it."""
    masked = mask_secrets(f"{before}{disguise(key)}\nThen go on with the plan.")
    bare = "".join(filter(str.isalnum, masked))
    assert "[key kept out: " in masked
    assert masked.startswith(before)
    assert masked.endswith("Then go on with the plan.")
    letters = "".join(filter(str.isalnum, key))
    left = [letters[at : at + 8] for at in range(len(letters) - 8) if letters[at : at + 8] in bare]
    assert left == []


@pytest.mark.parametrize("kind", STATED)
def test_a_secret_without_a_shape_is_known_by_the_words_before_it(kind: str) -> None:
    before, secret = STATED[kind]
    assert secret.partition("@")[0] not in mask_secrets(f"{before}{secret} and so on")


def test_a_private_key_is_masked_whole() -> None:
    lines = "\n".join(some(64, seed=number) for number in range(4))
    text = f"See:\n-----BEGIN OPENSSH PRIVATE KEY-----\n{lines}\n-----END OPENSSH PRIVATE KEY-----\nDone."
    assert mask_secrets(text) == "See:\n[key kept out: private key]\nDone."


def test_the_mark_says_what_it_was_and_how_it_ended() -> None:
    assert mask_secrets("sk-" + "x" * 30 + "a1b2") == "[key kept out: OpenAI …a1b2]"
    assert mask_secrets("the password is hunter2!x.") == "the password is [key kept out: password]."
    url = mask_secrets("postgres://sam:s3cretword@db.example/x")
    assert url == "postgres://sam:[key kept out: password]@db.example/x"


@pytest.mark.parametrize("kind", KEYS)
def test_what_was_masked_stays_as_it_is(kind: str) -> None:
    once = mask_secrets(f"key: {KEYS[kind]}, password: hunter2!x")
    assert mask_secrets(once) == once


ORDINARY = [
    "commit 4c1f8a0b9e7d6c5b4a39281706f5e4d3c2b1a098 fixed it",
    f"request {uuid.UUID(int=0x1234567890ABCDEF1234567890ABCDEF)} failed",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "d41d8cd98f00b204e9800998ecf8427e  empty.txt",
    "![chart](data:image/png;base64," + base64.b64encode(bytes(range(120))).decode() + ")",
    "Prefers tokens over passwords; keeps keys in the keychain",
    "The token limit is 128,000 and max_tokens: 4096",
    "Password rules: at least twelve characters",
    "task-management and risk-assessment of the sk-learn pipeline",
    "Uses scikit-learn, sk-image and hf_hub",
    "https://example.org/a/very/long/path/with/many/parts/and/words?id=12345678901234567890",
    "Flight LH 1234 on 2026-03-12 at 10:45, booking AKIA7Q",
    "12:30:45 is the time and 1234567890:short is none",
    "The secret of good tea is water at 80 degrees",
    "Keyboard layout: Dvorak; keycaps: MT3",
    "Пароль менять раз в год, хранить в менеджере",
    "Пароль меняли 12.05, в 2025 году",
    "The parole hearing of 2024 is over",
    "Pin 13 of the board is an output, pin: 5",
    "Anna's phone is +998 90 123 45 67",
    "ISBN 978-3-16-148410-0, IBAN ends in 4321",
    "The build id is 20260312T104512Z-release-candidate-3",
    "A line that ends with sk-\nand the next one starts here",
    "eyJ is how such tokens begin",
    "SELECT * FROM users WHERE token IS NOT NULL",
    "Basic training-materials\nJavaScript",
    "Basic `example-v2-config.yaml` is where it begins",
    "Basic arithmetic\n20260312T104512Z-release-3",
    "Name: CamelCaseIdentifierFactoryBuilderImplementation2026Final",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    "written",
    [
        "canary-0123456789-Zz",
        "canary-\n0123456789-Zz",
        "c a n a r y - 0123456789 - Zz",
        "canary-\\n0123456789-Zz",
        "**canary**-0123456789`-Zz`",
    ],
)
def test_a_key_of_the_keychain_is_known_letter_by_letter(written: str) -> None:
    known = {"canary-0123456789-Zz"}
    for mask in (mask_secrets, mask_known):
        masked = mask(f"before {written} after", known)
        assert masked.replace("*", "").replace("`", "") == "before [key kept out: from the keychain …9-Zz] after"


def test_a_key_of_the_keychain_is_known_as_base64_too() -> None:
    known = "canary-0123456789-Zz"
    encoded = base64.b64encode(known.encode()).decode()
    assert encoded[:16] not in mask_known(f"x {encoded} y", {known})


def test_only_known_keys_are_masked_where_a_text_has_to_stay_exact() -> None:
    text = f"TOKEN={KEYS['GitHub']}"
    assert mask_known(text, {"another-key-0123"}) == text
    assert find_secrets(text) == [KEYS["GitHub"]]


@pytest.mark.slow
def test_a_long_text_is_masked_quickly() -> None:
    text = "The deadline of the report moved to the twelfth of May.\n" * 4_000
    with at_most(2.0):
        assert mask_secrets(text, {"canary-0123456789-Zz"}) == text


@pytest.mark.parametrize(
    "after",
    [
        "Then go on with the plan.",
        "Content-Type: application/json",
        "2026-03-12 was the day",
        "20260312T104512Z-release-3",
        "JavaScript",
        "MacBookPro16 was what it ran on",
        "OPENAI_API_KEY=none",
        "4c1f8a0b9e7d6c5b4a39281706f5e4d3c2b1a098 fixed it",
        "550e8400-e29b-41d4-a716-446655440000",
        "https://example.org/OAuth2/v2/README.md",
        "docs/OAuth2/v2/README.md",
        "CamelCaseIdentifierFactoryBuilderImplementationFinal",
    ],
)
def test_the_line_after_a_token_is_left_alone(after: str) -> None:
    token = TOKENS["Bearer"][1]
    assert mask_secrets(f"Bearer {token}\n{after}") == f"Bearer [key kept out: password …{token[-4:]}]\n{after}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "repeated", ["Bearer aB3dE5gH\n", "Basic aB3dE5gHiJ7lM9oP<br>", "bearer \t", "aB3dE5gHiJ7lM9oP\n"]
)
def test_many_headers_take_a_moment_and_not_a_minute(repeated: str) -> None:
    with at_most(2.0):
        mask_secrets("Bearer " + repeated * 5_000)


def test_a_long_run_of_letters_takes_a_moment_and_not_a_minute() -> None:
    with at_most(2.0):
        assert mask_secrets("z" * 200_000) == "z" * 200_000

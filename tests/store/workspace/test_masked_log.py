"""No key reaches the log."""

import io
import logging

from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.masked_log import MaskedFormatter


def test_a_known_key_is_masked_in_messages_and_tracebacks() -> None:
    keys, out = Keychain(environment={}), io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(MaskedFormatter(keys.secrets))
    log = logging.getLogger("mnemoscope.of_the_test")
    log.addHandler(handler)
    log.propagate = False
    keys.remember("openai", "canary-0123456789", persist=False)
    log.warning("asked with %s", "canary-0123456789")
    try:
        raise ValueError("refused: canary-0123456789")
    except ValueError:
        log.warning("failed", exc_info=True)
    log.removeHandler(handler)
    assert "canary" not in out.getvalue()
    assert out.getvalue().count("[key kept out: from the keychain") == 3


def test_what_looks_like_a_key_is_masked_too_and_the_rest_stays() -> None:
    formatter = MaskedFormatter(lambda: ())
    record = logging.LogRecord("m", logging.INFO, "", 0, "asked %s with ghp_%s", ("a host", "x1" * 18), None)
    assert formatter.format(record).endswith(" INFO m: asked a host with [key kept out: GitHub …x1x1]")

"""No key reaches the log."""

import io
import logging

from mnemoscope.store.keychain import Keychain
from mnemoscope.store.log_format import MaskedFormatter


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
    assert out.getvalue().count("[key]") == 3

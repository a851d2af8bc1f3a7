"""What the window's process does without OpenSSL, and who comes to it later has it."""

import json
import subprocess
import sys

ASKED = """
import json, sys
import mnemoscope.without_openssl
light = sorted({"ssl", "_ssl", "_hashlib"}.intersection(sys.modules))
import asyncio, hashlib, hmac, http.client, ssl

async def one():
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(1)", stdout=asyncio.subprocess.PIPE)
    return (await program.communicate())[0].strip().decode()

told = {
    "light": light,
    "sha256": hashlib.sha256(b"abc").hexdigest(),
    "sha1": hashlib.new("sha1", b"abc").hexdigest(),
    "blake2b": hashlib.blake2b(b"abc", digest_size=4).hexdigest(),
    "hmac": hmac.new(b"key", b"abc", hashlib.sha256).hexdigest(),
    "same": hmac.compare_digest(b"a", b"a"),
    "loop": asyncio.run(one()),
    "later": ssl.create_default_context().check_hostname and hasattr(http.client, "HTTPSConnection"),
}
print(json.dumps(told))
"""


def asked(before: str = "") -> dict[str, object]:
    command = [sys.executable, "-c", before + ASKED]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    assert not done.stderr
    return dict(json.loads(done.stdout))


def test_digests_and_the_event_loop_work_without_it_and_tls_is_there_for_who_imports_it() -> None:
    told = asked()
    assert told.pop("light") == []
    assert told == {
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
        "blake2b": "63906248",
        "hmac": "9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab",
        "same": True,
        "loop": "1",
        "later": True,
    }


def test_where_a_program_has_it_already_nothing_is_taken_away() -> None:
    told = asked("import asyncio, hashlib\n")
    assert told["light"] == ["_hashlib", "_ssl", "ssl"]
    assert told["later"]

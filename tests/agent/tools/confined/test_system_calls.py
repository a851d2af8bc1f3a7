"""The filter of what a command may ask of the kernel."""

import pytest

from mnemoscope.agent.tools.confined import system_calls


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_well_formed(machine: str) -> None:
    program = system_calls.filter_program(machine)
    lines = [program[at : at + 8] for at in range(0, len(program), 8)]
    assert len(program) % 8 == 0
    assert len(lines) < 4_096
    for at, line in enumerate(lines):
        if line[0] in {0x15, 0x35, 0x45}:
            assert max(line[2], line[3]) + at + 1 < len(lines)
    assert int.from_bytes(lines[-1][4:], "little") == 0x7FFF0000


def test_every_call_that_is_named_has_a_number() -> None:
    named = f"{' '.join(system_calls._DENIED.values())} {system_calls._UNSUPPORTED} {system_calls._OWN_ONLY}".split()
    of_x86, of_arm = (system_calls._MACHINES[machine].calls for machine in ("x86_64", "aarch64"))
    assert set(named) <= set(of_x86)
    # What the newer architecture never had: calls that others have taken the place of.
    assert set(named) - set(of_arm) == {"chmod", "chown", "lchown", "mknod", "utime", "utimes", "futimesat"}


def test_an_unknown_machine_has_no_filter() -> None:
    with pytest.raises(KeyError):
        system_calls.filter_program("s390x")

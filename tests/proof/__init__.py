"""The proof that nothing is lost or written twice: kills, faults and power cuts at every call that changes a file.

`python -m tests.proof matrix|power|recovery|planted|peers|soak [--quick]` prints a table; tests/proof/test_*.py run the
quick forms, tests/ui/window/test_soak.py that of the soak.

matrix: a preloaded shim (shim.c) counts the system calls of a real process and, at each of them, kills it or lets the
call fail; another process then opens the workspace, recovers, and the invariants are checked. power: the calls are
recorded and replayed to each point with what was not forced to the disk dropped, halved or zeroed. recovery: both after
one another. planted: bugs put into the program on purpose, and which of these finds each. peers: what published
programs read from the files, killed and recovered. soak: a day of turns in one window, and what they leave behind.

A scenario is one entry in `scenarios.SCENARIOS`; what a workspace may contain is `invariants.KNOWN_FILES`.
"""

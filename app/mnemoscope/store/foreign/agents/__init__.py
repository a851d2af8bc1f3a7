"""The stores in which agents keep conversations and memory while they run: Claude Code, Codex, Hermes, OpenClaw.

Begin with the module that bears the name of an agent, which finds the files of the store; the modules beside it with
the same first word read a transcript, and the calls that changed memory. May import `store.foreign.reading` and what
stands below it.
"""

"""Transactions over several files, each done exactly once: history log, memory files, session files, suggestions,
cursors.

Begin with `transactions`: an intent is committed, then each step checked against what the files hold;
`temporary_file_cleanup` clears what a crash leaves beside them, `forgetting_transactions` takes words out everywhere.
May import `memory.files`.
"""

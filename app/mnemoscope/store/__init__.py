"""Plain files on disk: sessions, memory, history log, ledger, index and keys."""

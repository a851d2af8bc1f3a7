"""Values and decisions. Standard library only; no I/O, no clock, no threads, no Qt."""

"""Who wrote a line, and from which conversation it came."""

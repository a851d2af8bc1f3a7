"""Settings: a dialog in sections, and the desk that carries its changes to the core."""

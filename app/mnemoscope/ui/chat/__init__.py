"""The conversation: transcript, composer, and the desks that join them to the core."""

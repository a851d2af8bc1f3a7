"""What waits for the person: suggestions, conflicts and changes that came while they were typing."""

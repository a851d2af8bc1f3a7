"""What is remembered: long-term memory, consolidation, merging and recall."""

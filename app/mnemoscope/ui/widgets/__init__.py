"""What several panes share: theme, bars, labels, tasks."""

"""The prompt pane: what the model was or would be sent."""

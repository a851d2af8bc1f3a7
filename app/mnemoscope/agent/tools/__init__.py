"""What a model may do in the workspace, one module a tool, and the one place that runs a call."""

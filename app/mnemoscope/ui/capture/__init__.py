"""The workbench of capture: what rules find in a chat, what is right of it, and how edited rules would do."""

"""The child process in which a command runs: it confines itself, watches over the command, and ends all of it."""

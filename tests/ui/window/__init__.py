"""Tests of the whole window, which no room of `ui` has to itself: closing and restarting, keys, focus, size, zoom, a
full disk, damaged files. It is the one folder of tests that mirrors none of the program."""

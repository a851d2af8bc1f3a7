"""Stores of other agents, made as their formats lay them: a module a format, for tests of all layers."""

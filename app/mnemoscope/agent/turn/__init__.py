"""Handles one message: makes it durable, captures from it, has it answered, and notes the exchange.

Begin with `agent_loop`, which sees a message through, and `turn`, which asks the model and runs its tools. It may
import every other room of the agent but workspace and cli.
"""

"""One message's way: taken, made durable, captured, answered, noted.

Begin with `agent_loop`, which sees a message through, and `turn`, which asks the model and runs its tools. It may
import every other room of the agent but workspace and cli.
"""

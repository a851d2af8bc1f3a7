"""The health of this workspace's memory is read: faults of its lines, what it costs in prompts, how it grew.

Begin with `memory_health`; `weekly_check` compares all facts once a week by itself. It may import commits, prompt and
tasks of the agent.
"""

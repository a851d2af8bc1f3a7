"""A fact is copied to the memory file of another agent: where it may go, what the file says then, who has it already.

Begin with `fact_target`, the places and the port that writes, then `fact_text`, which puts a fact into a text;
`held_facts` tells which stores hold the same fact. It imports `foreign`, `memory` and `text` of the domain.
"""

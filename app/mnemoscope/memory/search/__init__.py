"""Search for whoever calls from Python, where what was found comes from, and which lines a conversation has left.

Begin with `memory_search`, the public function; `origins` knows the messages behind a passage, `inactive_lines` what
nobody finds any more, and `recall` finds words by reading the files where there is no index. It may import
`memory.capture`, `memory.files`, `store.search` and the stores of what it reads.
"""

"""Search for whoever calls from Python, and where what was found comes from.

Begin with `memory_search`, the public function; `origins` knows the messages behind a passage, and `recall` finds words
by reading the files where there is no index. It may import `memory.files`, `store.search` and the stores of what it
reads.
"""

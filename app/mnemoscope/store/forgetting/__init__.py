"""Files of forgetting: the places that may have forgotten words, how each is written without them, and the receipts;
the tombstones, which hold keyed hashes alone.

Begin with `places`, which finds and takes; `forgetting_files` does all of it for a committed intent, `tombstones_file`
keeps what is to stay gone. May import every other room of the store and `domain`.
"""

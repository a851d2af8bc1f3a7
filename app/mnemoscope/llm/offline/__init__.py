"""The built-in model is no language model: it finds and quotes, and always gives the same answer to the same request.

Begin with `provider`, then `answers`. It imports the domain alone.
"""

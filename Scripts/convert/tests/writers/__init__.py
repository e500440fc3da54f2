"""Writes the generated network in every published form, each with the form's real writer.

Each module here runs in an environment of its own that holds the writer:
`python -m tests.writers.<module> DIVISOR FOLDER`.
"""

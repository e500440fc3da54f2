"""One reader per published form."""

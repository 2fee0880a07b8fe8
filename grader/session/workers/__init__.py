"""Workers of every kind, as the session sees them: calls out, replies in, deaths."""

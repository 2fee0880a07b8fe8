"""The untrusted side. Runs beside student code; imports nothing but grader.wire."""

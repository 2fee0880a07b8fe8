"""Which named mistake a failing answer makes, told by its numbers."""

"""The smallest example of what fails, found when all verdicts are given."""

"""The trusted side: a pytest process that judges and never runs student code."""

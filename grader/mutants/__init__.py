"""Machine mutants of the solutions: the suites are to notice every small change."""

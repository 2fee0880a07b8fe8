"""Reports: what a student and a TA see, on a terminal and as HTML."""

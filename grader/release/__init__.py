"""What goes to students: the bundle, its updates, the hand-in made with it."""

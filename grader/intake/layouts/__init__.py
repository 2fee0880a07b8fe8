"""One module for each way in which hand-ins reach a teacher."""

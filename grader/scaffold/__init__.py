"""A new course, a new exercise: small, whole, and proved by ``validate`` at once."""

from grader.scaffold.make import continue_course, new_course, new_exercise

__all__ = ["continue_course", "new_course", "new_exercise"]

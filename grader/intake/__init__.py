"""Intake: what a teacher has on disk becomes ``Submission`` objects.

Files are bytes and names are data: nothing is executed or unpacked onto disk.
"""

from grader.intake.limits import Limits
from grader.intake.reading import Intake, read

__all__ = ["Intake", "Limits", "read"]

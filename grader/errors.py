"""Errors of the trusted side: each says who is at fault and what follows.

Library code raises these; only ``grader.cli.main`` puts them into words on a
terminal. A student's fault is never an exception of this family: it is an
``Outcome`` of a check.
"""


class GraderError(Exception):
    """Base of all our errors.

    Owner: us. Seen by: the TA. Points: none are given or taken; the
    submission has no score until the cause is mended.
    """

    exit_code = 3


class UsageError(GraderError):
    """A command was called with something it cannot use.

    Owner: whoever typed the command. Seen by: the same. Points: untouched.
    The message says what, where and what to do next, in one sentence.
    """

    exit_code = 2


class IntakeError(UsageError):
    """What was handed in cannot be read (broken zip, not UTF-8, a device ...).

    Owner: the student or the download. Seen by: the TA, as an "unreadable" row.
    Points: none; the row asks for a new file.
    """


class CourseError(UsageError):
    """``course.toml`` or one of the course's folders is wrong.

    Owner: the course maintainer. Seen by: the maintainer. Points: untouched.
    """


class SuiteError(GraderError):
    """A suite itself is broken (no points, same name twice, bad sum).

    Owner: the course maintainer. Seen by: the TA. Points: untouched.
    """


class EnvironmentFault(GraderError):
    """The host failed us: no worker could be started, memory ran out, ...

    Owner: the machine. Seen by: the TA. Points: untouched; run it again.
    """


class IsolationError(GraderError):
    """The isolation asked for is not to be had, or a canary got out.

    Owner: the machine. Seen by: the TA. Points: nothing is graded.
    """

    exit_code = 2

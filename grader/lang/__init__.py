"""Languages: what a student reads, in English or in Simplified Chinese.

Results are English on disk. Words are translated where they are shown: our own
by catalogues of ``grader/locale``, the course's (titles, checks, hints) by the
catalogue in the course's own folder ``locale``.
"""

from grader.lang.current import _, plural, sentence, speaking, spoken
from grader.lang.names import LANGUAGES, choose

__all__ = ["LANGUAGES", "_", "choose", "plural", "sentence", "speaking", "spoken"]

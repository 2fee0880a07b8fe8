"""Answers with a pickle that runs a command.

tries = 'answers with a pickle that runs a command'
stops = 'nothing on the wire is a pickle'
seen = ['pickle']
mark = 'file'
points = 0
reason = 'squares|bytes'
"""

import pickle


class Bomb:
    def __reduce__(self):
        import os

        return os.system, ("touch @MARK@",)


def square(x):
    return pickle.dumps(Bomb())

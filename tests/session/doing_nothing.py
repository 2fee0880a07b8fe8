"""A program: the zygote, but its workers never run the hand-in.

    python doing_nothing.py CONTROL_FD

``NOTHING`` in the environment says what a call gets for an answer: "zeros",
"inputs", "true" or "raises", and what exercises ask for. Everything else is the
real thing: the judge cannot tell.
"""

import json
import os
from typing import Any

import torch

from grader import wire
from grader.worker import server, zygote

NOTHING = json.loads(os.environ["NOTHING"])


def zeros_of(value: Any) -> Any:
    """Something like ``value``, of zeros."""
    if isinstance(value, torch.Tensor):
        like = torch.zeros_like(value)
        return like.requires_grad_() if value.requires_grad else like
    if type(value) in (list, tuple):
        return type(value)(zeros_of(v) for v in value)
    return 0


class Nothing(server.Server):
    """Answers every call about the hand-in without looking at it."""

    def _load(self, request: wire.Request) -> wire.Reply:
        return self._reply(request, {"warnings": []})

    def _names(self, request: wire.Request) -> wire.Reply:
        return self._reply(request, NOTHING["asks"])

    def _call(self, request: wire.Request) -> wire.Reply:
        where, name = request.target[:2]
        if where == "lib":
            if name == "kit":
                return self._answer_nothing(request, may_be_object=True)
            return super()._call(request)
        if where == "object" and not isinstance(self.objects[name], Hollow):
            return super()._call(request)
        return self._answer_nothing(request, where == "student" and name[0].isupper())

    def _answer_nothing(self, request: wire.Request, may_be_object: bool) -> Any:
        way = NOTHING["way"]
        args = request.value[0]
        if may_be_object:
            return self._reply(request, self._keep(Hollow()))
        if way == "raises":
            raise ValueError("no")
        first = next((a for a in args if isinstance(a, torch.Tensor)), 0)
        answers = {"zeros": zeros_of(first), "true": True}
        if way in answers:
            return self._reply(request, answers[way])
        return self._reply(request, _data(args[0] if len(args) == 1 else list(args)))


class Hollow(torch.nn.Module):
    """Stands for every object that the hand-in should make."""


def _data(value: Any) -> Any:
    if isinstance(value, torch.nn.Module):
        return None
    if type(value) in (list, tuple):
        return type(value)(map(_data, value))
    return value


if __name__ == "__main__":
    server.Server = Nothing  # type: ignore[misc]
    assert os.getpid()
    zygote.main()

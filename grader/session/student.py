"""The ``student`` and ``worker`` fixtures: calls that are answered elsewhere.

A call sends its arguments to the worker and gives back plain data. Results that
carry a gradient there carry one here: ``RemoteCall`` keeps the graph in the
worker and asks it for vector-Jacobian products in backward.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from grader import wire
from grader.session.faults import StudentError
from grader.session.journal import Raised
from grader.session.runner import Runner

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch


class RemoteObject:
    """A handle: an object that stays in the worker. It answers calls only.

    It has no truth value, no comparison and no arithmetic, so that no object of
    a submission can answer a question that a check asks.
    """

    __slots__ = ("__weakref__", "_number", "_proxy", "_worker")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, proxy: Remote, number: int) -> None:
        self._proxy = proxy
        self._number = number
        self._worker = proxy._runner.worker()
        weakref.finalize(self, self._worker.release, number)

    @property
    def _words(self) -> str:
        return "an object"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object (a module's forward)."""
        return self._proxy._call(["object", self._number, ""], args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        target = ["object", self._number, name]
        return lambda *args, **kwargs: self._proxy._call(target, args, kwargs)

    def state_dict(self) -> dict[str, torch.Tensor]:
        """A copy of every parameter and buffer, by name."""
        state: dict[str, torch.Tensor] = self._proxy._snapshot(self, "state_dict")
        return state

    def grads(self) -> dict[str, torch.Tensor | None]:
        """A copy of every parameter's gradient, None where there is none."""
        grads: dict[str, torch.Tensor | None] = self._proxy._snapshot(self, "grads")
        return grads

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Set parameters by name."""
        plain = {name: value.detach() for name, value in state.items()}
        self._proxy._snapshot(self, "load_state_dict", plain)

    def zero_grad(self) -> None:
        """Forget all parameters' gradients."""
        self._proxy._snapshot(self, "zero_grad")

    def module_names(self) -> list[str]:
        """Class names of the module tree, the root first."""
        names: list[str] = self._proxy._snapshot(self, "module_names")
        return names

    def _refuse(self, *_: Any) -> NoReturn:
        raise TypeError("an object of the submission answers calls only")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __len__ = __iter__ = __getitem__ = __contains__ = __index__ = _refuse
    __float__ = __int__ = __neg__ = __truediv__ = __matmul__ = _refuse


class RemoteCall(torch.autograd.Function):
    """One call as a node of the session's graph; its backward runs in the worker."""

    @staticmethod
    def forward(ctx: Any, make: Callable[[], Any], *inputs: torch.Tensor) -> Any:
        """Outputs of the call; see ``Remote._call`` for ``make``."""
        worker, reply, tensors = make()
        ctx.worker, ctx.graph = worker, reply.graph
        ctx.tracked = reply.tracked
        ctx.token = _Token()
        weakref.finalize(ctx.token, worker.release, reply.graph)
        follow = set(reply.tracked)
        loose = [t for i, t in enumerate(tensors) if i not in follow]
        ctx.mark_non_differentiable(*loose)
        ctx.wants = [t.requires_grad for t in inputs]
        ctx.make_backward = make
        return tuple(tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Vector-Jacobian products for the call's tensors."""
        given = [grads[i] for i in ctx.tracked]
        got = ctx.make_backward.backward(ctx.worker, ctx.graph, given)
        # The first input is the one that makes a graph of parameters alone.
        answers = iter(got)
        out: list[Any] = [None, None]
        for wants in ctx.wants[1:]:
            out.append(next(answers, None) if wants else None)
        return tuple(out)


class _Token:
    """Dies with a node of the graph: the worker may then forget its own."""


class _Deferred:
    """The call itself, made inside ``RemoteCall.forward``."""

    def __init__(
        self, proxy: Remote, target: list[Any], args: Any, kwargs: Any, makes: bool
    ):
        self.proxy = proxy
        # Asked here: inside an autograd.Function the mode is always off.
        self.request = (target, args, kwargs, torch.is_grad_enabled(), makes)
        self.inputs: list[torch.Tensor] = []
        _collect(args, self.inputs)
        _collect(kwargs, self.inputs)
        self.reply: wire.Reply | None = None

    def __call__(self) -> Any:
        worker, reply, tensors = self.proxy._send(*self.request)
        if not _is_honest(reply, tensors):
            raise self.proxy._runner.broken("gradients for what has none")
        self.reply = reply
        return worker, reply, tensors

    def backward(self, worker: Any, graph: int, grads: list[Any]) -> list[Any]:
        """Ask the worker for this graph's vector-Jacobian products."""
        plain = [None if g is None else g.detach() for g in grads]
        runner = self.proxy._runner
        reply = runner.request("backward", [graph], plain, worker=worker)
        wanted = [t for t in self.inputs if t.requires_grad]
        if not _fits(reply.value, wanted):
            raise runner.broken("gradients that do not fit their inputs")
        runner.journal(["backward"], (), {}, list(reply.value))
        return list(reply.value)


class Remote:
    """A namespace in the worker: every attribute is a name that can be called."""

    def __init__(self, runner: Runner, root: list[Any]) -> None:
        self._runner = runner
        self._root = root

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._root == ["student"]:
            target = ["student", self._runner.alias(name)]
            # Only a class makes an object; a function answers with data, so that
            # nothing whose methods run over there can pose as an answer.
            makes = name[:1].isupper()
            return lambda *args, **kwargs: self._call(target, args, kwargs, makes)
        if self._root == ["lib"] and name == "kit":
            self._runner.need_kit()
        return Library(self._runner, [*self._root, name])

    def _last_inputs(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        return self._runner.last_inputs()

    def _call(
        self, target: list[Any], args: Any, kwargs: Any, makes: bool = False
    ) -> Any:
        self._runner.asked = (target, args, kwargs)
        deferred = _Deferred(self, target, args, kwargs, makes)
        try:
            outputs = self._run(deferred)
        except StudentError as e:
            self._runner.journal(target, args, kwargs, Raised(e.kind))
            raise
        reply = deferred.reply
        assert reply is not None
        # Only what the worker tracks carries a gradient; the rest is plain data.
        follow = set(reply.tracked)
        final = [t if i in follow else t.detach() for i, t in enumerate(outputs)]
        value = _rebuild(reply.value, iter(final))
        # Its tensors hold the node that holds ``deferred``: a ring through torch's
        # own graph, which Python's collector does not see.
        deferred.reply = None
        self._runner.journal(target, args, kwargs, value)
        return value

    @staticmethod
    def _run(deferred: _Deferred) -> list[torch.Tensor]:
        """Make the call; the tensors of its answer, in order."""
        if torch.is_grad_enabled():
            # Empty, and there so that a graph of parameters alone has a leaf.
            anchor = torch.empty(0, requires_grad=True)
            out = RemoteCall.apply(deferred, anchor, *deferred.inputs)  # type: ignore[no-untyped-call]
            return list(out) if isinstance(out, tuple) else [out]
        outputs: list[torch.Tensor] = deferred()[2]
        return outputs

    def _send(
        self, target: list[Any], args: Any, kwargs: Any, grad: bool, makes: bool
    ) -> Any:
        tensors: list[torch.Tensor] = []
        value = (_lower(tuple(args), self), _lower(dict(kwargs), self))
        worker, reply = self._runner.call(
            target,
            value,
            grad,
            tensors.append,
            (lambda number: RemoteObject(self, number)) if makes else None,
        )
        return worker, reply, tensors

    def _snapshot(self, remote: RemoteObject, what: str, value: Any = None) -> Any:
        reply = self._runner.request(
            "snapshot", [remote._number, what], value, worker=remote._worker
        )
        kinds = {"state_dict": dict, "grads": dict, "module_names": list}
        if what in kinds and not isinstance(reply.value, kinds[what]):
            raise self._runner.broken(f"a {what} of another kind")
        self._runner.journal([what], (), {}, reply.value)
        return reply.value


class Library(Remote):
    """A dotted name among the worker's own libraries; calling it gives a handle."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it; what is no plain data comes back as a handle."""
        return self._call(self._root, args, kwargs, makes=True)


class RemoteMachine:
    """What a lab needs of the runner: see ``lab.Machine``."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.kept = runner.kept
        self.figures = runner.figures
        self.reseed = runner.reseed
        self.cpu_used_s = runner.cpu_used_s
        self.cpu_allowed_s = runner.cpu_allowed_s

    def reporter(self, label: str, done: int, most: int | None) -> Any:
        """A function of the worker's that tells progress under ``label``."""
        self._runner.label(label, done, most)
        return Library(self._runner, ["lib", "progress", "reporter"])()


def _is_honest(reply: wire.Reply, tensors: list[torch.Tensor]) -> bool:
    """A worker's claim of what carries a gradient makes sense."""
    known = sorted(set(reply.tracked)) == reply.tracked
    return known and all(
        0 <= i < len(tensors) and tensors[i].is_floating_point() for i in reply.tracked
    )


def _fits(grads: Any, inputs: list[torch.Tensor]) -> bool:
    """Gradients from a worker: one for each input, None or of its shape."""
    if not isinstance(grads, list) or len(grads) != len(inputs):
        return False
    return all(
        g is None
        or (type(g) is torch.Tensor and g.shape == t.shape and g.dtype == t.dtype)
        for g, t in zip(grads, inputs, strict=True)
    )


def _collect(value: Any, into: list[torch.Tensor]) -> None:
    if isinstance(value, torch.Tensor):
        into.append(value)
    elif isinstance(value, list | tuple):
        for item in value:
            _collect(item, into)
    elif isinstance(value, dict):
        for item in value.values():
            _collect(item, into)


def _lower(value: Any, proxy: Remote) -> Any:
    """Handles of ours as numbers; the rest as it is."""
    if isinstance(value, RemoteObject):
        if value._worker is not proxy._runner.worker():
            raise proxy._runner.lost_object()
        return wire.Handle(value._number)
    if isinstance(value, list | tuple):
        return type(value)(_lower(v, proxy) for v in value)
    if isinstance(value, dict):
        return {k: _lower(v, proxy) for k, v in value.items()}
    return value


def _rebuild(value: Any, tensors: Any) -> Any:
    """The reply's structure with its tensors, in order, from ``tensors``."""
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if type(value) in (list, tuple):
        return type(value)(_rebuild(v, tensors) for v in value)
    if type(value) is dict:
        return {k: _rebuild(v, tensors) for k, v in value.items()}
    return value

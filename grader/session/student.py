"""The ``student`` and ``worker`` fixtures: calls that are answered elsewhere.

A call sends its arguments to the worker and gives back plain data. Results that
carry a gradient there carry one here: ``RemoteCall`` keeps the graph in the
worker and asks it for vector-Jacobian products in backward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from grader import wire
from grader.session.journal import Raised
from grader.session.runner import Runner
from grader.session.workers.faults import StudentError
from grader.worker import states

if TYPE_CHECKING:
    import torch

    from grader.session.workers.exchange import Exchange
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

    def __del__(self) -> None:
        """The worker may forget it."""
        self._worker.release(self._number)

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
        self._proxy._snapshot(self, "load_state_dict", states.pack(plain))

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
    def forward(ctx: Any, call: _Answered, *inputs: torch.Tensor) -> Any:
        """The tensors of an answer that has come already.

        Args:
            ctx: autograd's own.
            call: the answer.
            inputs: an empty leaf, so that parameters alone make a graph as well,
                and the tensors of the call that require a gradient, in order.
        """
        ctx.call = call
        follow = set(call.tracked)
        loose = [t for i, t in enumerate(call.tensors) if i not in follow]
        ctx.mark_non_differentiable(*loose)
        tensors, call.tensors = tuple(call.tensors), []
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Vector-Jacobian products for the call's tensors."""
        given = [grads[i] for i in ctx.call.tracked]
        return None, None, *ctx.call.backward(given)


class _Answered:
    """A call whose answer carries a gradient, and the graph kept for it.

    Dies with its node of the graph: the worker may then forget its own.
    """

    def __init__(
        self,
        runner: Runner,
        worker: Exchange,
        reply: wire.Reply,
        tensors: list[torch.Tensor],
        inputs: list[torch.Tensor],
    ) -> None:
        self.runner = runner
        self.worker = worker
        self.graph = reply.graph
        self.tracked = reply.tracked
        self.tensors = tensors
        self.wanted = [(t.shape, t.dtype) for t in inputs]

    def __del__(self) -> None:
        """The worker may forget the graph."""
        self.worker.release(self.graph)

    def backward(self, grads: list[Any]) -> list[Any]:
        """Ask the worker for this graph's vector-Jacobian products."""
        plain = [None if g is None else g.detach() for g in grads]
        reply = self.runner.request("backward", [self.graph], plain, worker=self.worker)
        if not _fits(reply.value, self.wanted):
            raise self.runner.broken("gradients that do not fit their inputs")
        self.runner.journal(["backward"], (), {}, list(reply.value))
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
        runner = self._runner
        runner.asked = (target, args, kwargs)
        grad = torch.is_grad_enabled()
        inputs: list[torch.Tensor] = []
        value = [
            [_lower(v, runner, inputs) for v in args],
            {k: _lower(v, runner, inputs) for k, v in kwargs.items()},
        ]
        tensors: list[torch.Tensor] = []
        object_of = (lambda number: RemoteObject(self, number)) if makes else None
        try:
            worker, reply = runner.call(target, value, grad, tensors.append, object_of)
        except StudentError as e:
            runner.journal(target, args, kwargs, Raised(e.kind))
            raise
        if not _is_honest(reply, tensors):
            raise runner.broken("gradients for what has none")
        if reply.tracked and grad:
            call = _Answered(runner, worker, reply, tensors, inputs)
            anchor = torch.empty(0, requires_grad=True)
            outputs = RemoteCall.apply(call, anchor, *inputs)  # type: ignore[no-untyped-call]
        else:
            outputs = tensors
        answer = reply.value
        if any(t.requires_grad for t in outputs):
            # Only what the worker tracks carries a gradient; the rest is plain data.
            follow = set(reply.tracked)
            final = [t if i in follow else t.detach() for i, t in enumerate(outputs)]
            answer = _rebuild(answer, iter(final))
        runner.journal(target, args, kwargs, answer)
        return answer

    def _snapshot(self, remote: RemoteObject, what: str, value: Any = None) -> Any:
        reply = self._runner.request(
            "snapshot", [remote._number, what], value, worker=remote._worker
        )
        answer = reply.value
        if what in ("state_dict", "grads"):
            try:
                answer = states.unpack(answer)
            except ValueError as e:
                raise self._runner.broken(f"a {what} of another kind: {e}") from None
        if what == "module_names" and not isinstance(answer, list):
            raise self._runner.broken(f"{what} of another kind")
        self._runner.journal([what], (), {}, answer)
        return answer


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


def _fits(grads: Any, wanted: list[tuple[torch.Size, torch.dtype]]) -> bool:
    """Gradients from a worker: one for each input, None or of its shape."""
    if not isinstance(grads, list) or len(grads) != len(wanted):
        return False
    return all(
        g is None or (type(g) is torch.Tensor and g.shape == shape and g.dtype == dtype)
        for g, (shape, dtype) in zip(grads, wanted, strict=True)
    )


def _lower(value: Any, runner: Runner, inputs: list[torch.Tensor]) -> Any:
    """``value`` as it is sent: objects of the worker's as their numbers.

    Tensors that require a gradient are added to ``inputs``, in order.
    """
    if isinstance(value, torch.Tensor):
        if value.requires_grad:
            inputs.append(value)
    elif isinstance(value, RemoteObject):
        if value._worker is not runner.worker():
            raise runner.lost_object()
        return wire.Handle(value._number)
    elif isinstance(value, list | tuple):  # a named tuple travels as a tuple
        items = [_lower(v, runner, inputs) for v in value]
        return items if isinstance(value, list) else tuple(items)
    elif isinstance(value, dict):
        return {k: _lower(v, runner, inputs) for k, v in value.items()}
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

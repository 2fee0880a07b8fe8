"""Runs beside student code: answers requests, one at a time, until it is killed.

Everything that leaves here is a claim to the session. Nothing that this module
knows is secret, and nothing that it says about itself decides a verdict.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from typing import Any

from grader import wire
from grader.worker import loader, ready_made, states, streams
from grader.worker.channels import Channel
from grader.worker.patience import Watch
from grader.worker.progress import Reporter
from grader.worker.seeding import as_new, seed_everything

MAX_FRAMES = 30
MAX_MESSAGE = 4000


class NoSuchNameError(AttributeError):
    """The hand-in does not define the name that was called."""


class Server:
    """One worker's state: the module, objects by number, graphs by number."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.module: Any = None
        self.filters: list[Any] | None = None  # of warnings, before any hand-in
        # What a suite may call over here beside the libraries.
        progress = types.SimpleNamespace(reporter=lambda: Reporter(channel.tell))
        self.kits: dict[str, Any] = {"progress": progress, "ready_made": ready_made}
        self.objects: dict[int, Any] = {}
        self.graphs: dict[int, tuple[list[Any], list[Any]]] = {}
        self.counter = 0
        self.files: set[str] = set()
        self.loaded: list[str] = []  # names of modules that were handed in
        self.grad_mode: bool | None = None  # the session's, as it was last told
        self.decoder = wire.Decoder(wire.Request, find=channel.arena, copy=False)
        self.watch: Watch | None = None
        self.operations: dict[str, Callable[[wire.Request], wire.Reply]] = {
            "load": self._load,
            "kit": self._kit,
            "names": self._names,
            "call": self._call,
            "snapshot": self._snapshot,
            "backward": self._backward,
        }

    def serve(self) -> None:
        """Answer requests until the session hangs up."""
        while True:
            message = self._receive()
            if message is None:
                return
            self.answer(*message)

    def _receive(self) -> tuple[bytearray, bytearray] | None:
        header = self.channel.header()
        if header is None:
            return None
        head, blob = wire.lengths(header)
        return self.channel.exactly(head), self.channel.exactly(blob)

    def answer(self, head: bytearray, blob: bytearray) -> None:
        """Do what one request asks, and send its reply."""
        leaves: list[Any] = []
        request = self.decoder.decode(
            head, blob, self.objects.__getitem__, leaves.append
        )
        for number in request.release:
            self.graphs.pop(number, None)
            self.objects.pop(number, None)
        self.leaves = leaves
        if request.seed is not None:  # a check begins: nothing of the last one stays
            seed_everything(request.seed)
            self.grad_mode = None
        try:
            self.encoder = wire.Encoder()
            if request.patience:
                # Made with the first request: before a line of the hand-in runs.
                self.watch = self.watch or Watch(self._is_own)
                self.watch.start(*request.patience)
            self._set_grad_mode(request.grad)
            reply = self.operations[request.op](request)
            data = wire.frame(reply, self.encoder.blob)
        except BaseException as e:  # SystemExit and its kind are answers as well
            data = wire.frame(
                wire.Reply(number=request.number, failure=self._failure(e))
            )
        self.channel.send(data)

    def _set_grad_mode(self, on: bool) -> None:
        """As the session has it, when it changes there and as a check begins.

        A hand-in that leaves the mode switched off has it switched off: what the
        check asks for after that has no gradient, here as anywhere.
        """
        if on is self.grad_mode or (torch := sys.modules.get("torch")) is None:
            return
        self.grad_mode = on
        torch.set_grad_enabled(on)

    def _is_own(self, file: str) -> bool:
        return file in self.files or file.startswith("cell ")

    def _failure(self, error: BaseException) -> wire.Failure:
        kinds = [k.__name__[:80] for k in type(error).__mro__[:12]]
        try:
            message = str(error)
        except BaseException:  # a __str__ of the student's may raise anything
            message = "(its message cannot be shown)"
        message = message[:MAX_MESSAGE].encode("utf-8", "replace").decode()
        frames = []
        with contextlib.suppress(BaseException):
            for frame, line in traceback.walk_tb(error.__traceback__):
                code = frame.f_code
                if self._is_own(code.co_filename):
                    frames.append((code.co_filename[:200], line, code.co_name[:80]))
        if isinstance(error, SyntaxError) and error.filename in self.files:
            frames.append((str(error.filename), int(error.lineno or 0), ""))
        return wire.Failure(kinds, message, frames[-MAX_FRAMES:])

    # -- operations -------------------------------------------------------

    def _load(self, request: wire.Request) -> wire.Reply:
        sources, name = request.value
        if self.filters is None:
            self.filters = [*warnings.filters]
        else:  # this worker was asked to load another exercise before
            as_new()
            warnings.resetwarnings()  # what was seen once may be seen again
            warnings.filters[:] = self.filters  # type: ignore[index]
            streams.anew()
        self.files = {s["file"] for s in sources.values()}
        self.loaded = list(sources)
        # As if the file had been started: nothing of our own command line.
        sys.argv[:] = sys.orig_argv[:] = [f"{name}.py"]
        self.module, told = loader.load(sources, name, request.patience)
        return self._reply(request, {"warnings": told})

    def _kit(self, request: wire.Request) -> wire.Reply:
        kit = types.ModuleType("kit")
        exec(compile(request.value, "<kit>", "exec"), kit.__dict__)
        self.kits["kit"] = kit
        return self._reply(request, None)

    def _names(self, request: wire.Request) -> wire.Reply:
        """Public functions and classes that the module itself defines."""
        found = [
            name
            for name, value in list(vars(self.module).items())[:2000]
            if not name.startswith("_")
            and callable(value)
            and getattr(value, "__module__", None) == self.module.__name__
        ]
        return self._reply(request, found[:200])

    def _resolve(self, target: list[Any]) -> tuple[Any, bool]:
        """What is to be called, and whether it may answer with an object."""
        where, *path = target
        if where == "student":
            if not hasattr(self.module, path[0]):
                raise NoSuchNameError(f"{path[0]} is not defined")
            found = getattr(self.module, path[0])
            return found, inspect.isclass(found)
        if where == "object":
            found = self.objects[path[0]]
            return (getattr(found, path[1]) if path[1] else found), False
        first = path[0]
        found = self.kits[first] if first in self.kits else __import__(first)
        for name in path[1:]:
            found = getattr(found, name)
        return found, True

    def _call(self, request: wire.Request) -> wire.Reply:
        target, may_be_object = self._resolve(request.target)
        args, kwargs = request.value
        result = target(*args, **kwargs)
        if any(result is known for known in self.objects.values()):
            # module.double() returns the module, and a function may return an
            # object that it was given: nothing that the session does not have.
            result = None
        if request.target[0] == "student" and may_be_object:
            return self._reply(request, self._keep(result))
        return self._reply(request, result, may_be_object)

    def _keep(self, value: Any) -> wire.Handle:
        self.counter += 1
        self.objects[self.counter] = value
        return wire.Handle(self.counter)

    def _reply(
        self, request: wire.Request, result: Any, may_be_object: bool = False
    ) -> wire.Reply:
        outputs: list[Any] = []
        self.encoder = wire.Encoder(
            handle=self._keep if may_be_object else None,
            on_tensor=outputs.append,
        )
        value = self.encoder.encode(result)
        tracked = [i for i, t in enumerate(outputs) if t.requires_grad]
        if not tracked:
            return wire.Reply(request.number, value)
        self.counter += 1
        inputs = [t for t in self.leaves if t.requires_grad]
        self.graphs[self.counter] = ([outputs[i] for i in tracked], inputs)
        return wire.Reply(request.number, value, self.counter, tracked)

    def _backward(self, request: wire.Request) -> wire.Reply:
        """Vector-Jacobian products of a kept graph.

        Parameters get their gradients added to ``.grad``, as always; those of
        the call's inputs come back, None where there is none.
        """
        import torch

        outputs, inputs = self.graphs[request.target[0]]
        pairs = [
            (o, g) for o, g in zip(outputs, request.value, strict=True) if g is not None
        ]
        for leaf in inputs:
            leaf.grad = None
        torch.autograd.backward(
            [o for o, _ in pairs],
            [g for _, g in pairs],
            retain_graph=True,
        )
        grads = [None if t.grad is None else t.grad.detach() for t in inputs]
        return self._reply(request, grads)

    def _snapshot(self, request: wire.Request) -> wire.Reply:
        """state_dict, grads, zero_grad, load_state_dict, module_names of an object."""
        import torch

        number, what = request.target
        module: torch.nn.Module = self.objects[number]
        if what == "state_dict":
            result: Any = states.pack(module.state_dict())
        elif what == "grads":
            named = module.named_parameters(remove_duplicate=False)
            result = states.pack({n: p.grad for n, p in named})
        elif what == "load_state_dict":
            # Copies: what is loaded must not share memory with the arena.
            state = {k: v.clone() for k, v in states.unpack(request.value).items()}
            module.load_state_dict(states.completed(state, module))
            result = None
        elif what == "zero_grad":
            module.zero_grad()
            result = None
        else:
            result = [type(m).__name__ for m in module.modules()]
        return self._reply(request, result)

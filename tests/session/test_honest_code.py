"""Honest code is not hurt: what students do in these exercises works in the sandbox,
and what is refused by design is refused in words."""

import pytest
from asked import ENGINE, Asked

from grader.isolation.probe import probe
from grader.results import Outcome

REST = "\ndef double(x):\n    work()\n    return 2 * x\n"
EVERYWHERE = ("full", "partial", "minimal")
OPENING, WRITING = ("full", "partial"), ("full",)
# name: (levels at which it works, source of work())
HONEST = {
    "layers and packing": (EVERYWHERE, """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

def work():
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        layer = kind(3, 4, num_layers=2, batch_first=True, bidirectional=True)
        packed = pack_padded_sequence(
            torch.randn(2, 5, 3), torch.tensor([2, 5]), True, enforce_sorted=False
        )
        out, _ = pad_packed_sequence(layer(packed)[0], batch_first=True)
        out.pow(2).sum().backward()
    nn.MultiheadAttention(4, 2)(*[torch.randn(3, 2, 4)] * 3)
"""),
    "optimizers and schedulers": (EVERYWHERE, """
import torch
from torch.optim import lr_scheduler

def work():
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad"):
        model = torch.nn.Linear(3, 2)
        optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.01)
        scheduler = lr_scheduler.StepLR(optimizer, 1)
        model(torch.randn(4, 3)).sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
"""),
    "copies": (EVERYWHERE, """
import copy, pickle, io
import torch

def work():
    model = copy.deepcopy(torch.nn.LSTM(3, 4))
    assert pickle.loads(pickle.dumps({"a": [1]})) == {"a": [1]}
    model.load_state_dict(copy.deepcopy(model.state_dict()))
"""),
    "files in the scratch": (WRITING, """
import os, tempfile
import torch

def work():
    torch.save({"w": torch.ones(2)}, "model.pt")
    assert torch.load("model.pt")["w"].sum() == 2
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.txt"), "w") as file:
            file.write("x")
"""),
    "threads": (EVERYWHERE, """
import threading
from concurrent.futures import ThreadPoolExecutor
import torch

def work():
    torch.set_num_threads(2)
    with ThreadPoolExecutor(3) as pool:
        product = lambda n: (torch.ones(50, 50) @ torch.ones(50, 50)).sum().item()
        assert sum(pool.map(product, range(4))) == 4 * 50**3
    torch.set_num_threads(1)
"""),
    "an alarm of its own": (EVERYWHERE, """
import signal

def late(number, frame):
    raise TimeoutError

signal.signal(signal.SIGALRM, late)

def work():
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        while True:
            pass
    except TimeoutError:
        return
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
"""),
    "gradients switched off at the import": (EVERYWHERE, """
import torch

torch.set_grad_enabled(False)

def work():
    x = torch.ones(2, requires_grad=True)
    assert (x * 2).sum().requires_grad
"""),
    "numpy": (EVERYWHERE, """
import numpy as np

def work():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(5, 5))
    np.linalg.svd(a), np.einsum("ij,jk->ik", a, a), np.fft.fft(a), np.linalg.inv(a)
"""),
    "late imports of rare modules": (OPENING, """
def work():
    import colorsys, mailbox, sched, wave, numpy.lib.recfunctions
"""),
    "late imports": (EVERYWHERE, """
def work():
    import torch.distributions, torch.nn.utils.parametrizations, torch.utils.data
    import collections, csv, heapq, statistics, textwrap, uuid, numpy.polynomial
    loader = torch.utils.data.DataLoader(list(range(4)), batch_size=2)
    assert [len(batch) for batch in loader] == [2, 2]
"""),
    "time zones and dates": (OPENING, """
import datetime, zoneinfo

def work():
    zone = zoneinfo.ZoneInfo("Asia/Shanghai")
    assert datetime.datetime(2024, 1, 1, tzinfo=zone).utcoffset().seconds == 8 * 3600
"""),
    "tracebacks, logs and warnings": (EVERYWHERE, """
import logging, sys, traceback, warnings

def work():
    try:
        1 / 0
    except ZeroDivisionError:
        assert "division by zero" in traceback.format_exc()
    warnings.warn("look")
    logging.getLogger("mine").warning("look")
    print("to stderr", file=sys.stderr)
"""),
    "streams made for a console": (EVERYWHERE, """
import io, sys

sys.stdout.reconfigure(encoding="utf-8")
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
sys.stderr = io.TextIOWrapper(sys.stderr.detach(), encoding="utf-8")

def work():
    print("权重", flush=True)
    print("weights", file=sys.__stdout__)
"""),
    "recursion and caches": (EVERYWHERE, """
import functools, itertools, math, random, re, time

@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

def work():
    assert fibonacci(300) > 0 and random.random() < 1
    time.sleep(0.01)
"""),
    "higher derivatives": (EVERYWHERE, """
import torch

def work():
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(lambda t: t.tanh(), (x,))
    torch.autograd.functional.jacobian(torch.tanh, x)
    torch.func.vmap(torch.func.grad(lambda t: (t ** 2).sum()))(torch.ones(2, 3))
"""),
    "a figure": (OPENING, """
def work():
    import io
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots()
    axes.plot([1, 2, 3])
    figure.savefig(io.BytesIO(), format="png")
"""),
}  # fmt: skip
# name: (source of work(), the words by level)
REFUSED = {
    "socket": (
        "import socket\ndef work():\n    socket.socket()\n",
        dict.fromkeys(EVERYWHERE, "This exercise's sandbox has no network"),
    ),
    "download": (
        "import urllib.request\ndef work():\n"
        "    urllib.request.urlopen('http://127.0.0.1:9/')\n",
        dict.fromkeys(OPENING, "This exercise's sandbox has no network"),
    ),
    "program": (
        "import subprocess\ndef work():\n    subprocess.run(['ls'])\n",
        dict.fromkeys(EVERYWHERE, "runs no other programs"),
    ),
    "fork": (
        "import os\ndef work():\n    os.fork()\n",
        dict.fromkeys(EVERYWHERE, "runs no other programs"),
    ),
    "a file of the student's own machine": (
        "def work():\n    open('/home/me/data.csv')\n",
        {
            "full": "has no files of yours; files can be written in the current",
            "partial": "has no files of yours, and none can be written",
            "minimal": "opens no files",
        },
    ),
}


@pytest.fixture(scope="module", params=EVERYWHERE)
def caged(request):
    """(level, a session at that level)."""
    if request.param not in probe().ways:
        pytest.skip(f"this host does not give the level {request.param}")
    asked = Asked(ENGINE, request.param)
    yield request.param, asked
    asked.close()


def first(asked, work):
    # Imports may be slow on a busy machine; limits are not the question here.
    result = asked.grade({"plain": work + REST}, limits={}, time_factor=20.0)
    return result.exercises["plain"].checks[0]


@pytest.mark.parametrize("name", HONEST)
def test_what_students_do_works(caged, name):
    level, asked = caged
    works_at, work = HONEST[name]
    check = first(asked, work)
    if level in works_at:
        assert check.outcome is Outcome.PASSED, (check.message, check.got, check.trace)
    else:  # a limit of the level, which the documentation names
        assert check.outcome is not Outcome.PASSED, f"works at {level} after all"


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_in_words(caged, name):
    level, asked = caged
    work, words = REFUSED[name]
    check = first(asked, work)
    assert check.outcome is Outcome.ERROR
    if level in words:
        assert words[level] in check.message, (check.message, check.got)


def test_without_isolation_no_sandbox_is_blamed(engine):
    check = first(engine, "def work():\n    open('/home/me/data.csv')\n")
    assert check.outcome is Outcome.ERROR
    assert "sandbox" not in check.message

"""Honest torch code runs at every level; what is blocked by design says so.

Through a real session: the zygote is warm, the worker is locked down, the
source arrives as a submission's does.
"""

from __future__ import annotations

from functools import partial

import cage
import pytest

from grader.isolation import probe
from grader.session.limits import RunLimits, Spending
from grader.session.runner import Runner
from grader.session.start import plan_for
from grader.session.student import Remote
from grader.session.workers.faults import StudentError, WorkerFault
from grader.session.workers.zygote import Zygote
from grader.submission import Source, Submission

# Every line is something that these exercises may lead a student to write.
TRAINING = """
import copy, io, math, random, threading
import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

def attack():
    done = []
    x = pad_sequence([torch.randn(5, 3), torch.randn(2, 3)], batch_first=True)
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        net = kind(3, 4, num_layers=2, bidirectional=True, batch_first=True)
        packed = pack_padded_sequence(x, torch.tensor([5, 2]), batch_first=True)
        out, _ = net(packed)
        padded, _ = pad_packed_sequence(out, batch_first=True)
        padded.pow(2).mean().backward()
    done.append("recurrent")
    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW,
                 torch.optim.RMSprop, torch.optim.Adagrad, torch.optim.NAdam):
        twin = copy.deepcopy(net)
        optimizer = kind(twin.parameters(), lr=0.01)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
        twin(x)[0].pow(2).mean().backward()
        nn.utils.clip_grad_norm_(twin.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    done.append("optimizers")
    attention = nn.MultiheadAttention(4, 2, batch_first=True)
    attention(torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.randn(2, 3, 4))
    done.append("attention")
    buffer = io.BytesIO()
    torch.save(net.state_dict(), buffer)
    buffer.seek(0)
    net.load_state_dict(torch.load(buffer))
    done.append("save and load")
    cell = torch.randn(2, 3, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda v: torch.softmax(v, -1), cell)
    done.append("gradcheck")
    thread = threading.Thread(target=lambda: done.append("thread"))
    thread.start(); thread.join()
    np.linalg.svd(np.random.rand(3, 3))
    done.append("numpy")
    return ", ".join(done)
"""
TRAINED = "recurrent, optimizers, attention, save and load, gradcheck, thread, numpy"
FILES = """
import fcntl, sqlite3, tempfile, torch
def attack():
    torch.save(torch.ones(2), "model.pt")
    with open("model.pt") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
    with open(torch.__file__) as f:
        # Granted and not taken: a real one wants a file that is open to write.
        fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with sqlite3.connect("rows.db") as rows:
        rows.execute("create table t (x)")
    with tempfile.NamedTemporaryFile() as f:
        torch.save(torch.ones(2), f.name)
    return str(torch.load("model.pt").tolist())
"""
LATE = """
def attack():
    import torch.distributions, torch.nn.utils.parametrizations, zoneinfo
    import numpy.polynomial, numpy.fft, statistics, decimal, csv
    return str(zoneinfo.ZoneInfo("Asia/Shanghai"))
"""
BLOCKED = """
import os, socket
def attack():
    said = []
    for attempt in (socket.socket, os.fork, lambda: os.system("true") and 1 / 0):
        try:
            attempt()
        except PermissionError as e:
            said.append(e.strerror)
        except ZeroDivisionError:
            said.append("no program")
    return ", ".join(said)
"""


@pytest.fixture(scope="module", params=["full", "partial", "minimal"])
def level(request):
    if reason := cage.why_not("user"):
        pytest.skip(reason)
    if request.param not in probe.cached_probe().ways:
        pytest.skip(f"this host does not give {request.param}")
    return request.param


@pytest.fixture(scope="module")
def said(level, course):
    """What each source answers, from one session of the level."""
    sources = {"training": TRAINING, "files": FILES, "late": LATE, "blocked": BLOCKED}
    zygote = Zygote(course.libraries, partial(plan_for, level, course))
    try:
        return {name: answer(zygote, source) for name, source in sources.items()}
    finally:
        zygote.close()


def answer(zygote: Zygote, text: str) -> str:
    """What ``attack()`` of a source answers, or how it fails."""
    source = Source("honest", "honest.py", text.encode(), "py", text)
    runner = Runner(
        zygote,
        Submission(id="honest", files={"honest": source}),
        "honest",
        asks=["attack"],
        seed=0,
        limits=RunLimits(check_cpu_s=60.0, submission_cpu_s=300.0),
        spending=Spending(300.0, 3000.0),
        kit=None,
    )
    try:
        return str(Remote(runner, ["student"]).attack())
    except (WorkerFault, StudentError) as e:
        return f"stopped: {e}"
    finally:
        runner.end_worker()


@pytest.mark.slow
def test_training_works_at_every_level(said):
    assert said["training"] == TRAINED


@pytest.mark.slow
def test_files_are_saved_in_the_scratch_at_full_alone(said, level):
    if level == "full":
        assert said["files"] == "[1.0, 1.0]"
    else:
        assert said["files"].startswith("stopped: ")


@pytest.mark.slow
def test_late_imports_work_where_files_open(said, level):
    if level == "minimal":
        assert said["late"].startswith("stopped: ")
    else:
        assert said["late"] == "Asia/Shanghai"


@pytest.mark.slow
def test_what_is_blocked_by_design_is_a_permission_error(said):
    refused = "Operation not permitted"
    assert said["blocked"] == f"{refused}, {refused}, no program"

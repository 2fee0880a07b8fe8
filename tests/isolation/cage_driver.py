"""A program: a zygote without torch that forks one worker for each attack.

    python -B -s -P cage_driver.py < order.json > replies.json

Runs as root or as an ordinary user, at any level, with layers left out. It
knows nothing of pytest; ``cage.py`` starts it.
"""

import fcntl
import json
import os
import select
import signal
import socket
import sys
import time

import deeds
import escapes

from grader.isolation import ladder
from grader.worker.lockdown import (
    confine,
    enter_jail,
    landlock,
    limits,
    prepare,
    pretend,
    trial,
)

LIMIT_S = 20.0
KEPT = []  # the session's end of the channel; a closed one would hang up


def make_plan(order):
    """The plan by which this host gives the level, or the fault that stops it."""
    base = ladder.base_plan(ladder.read_allow_list(order["code_paths"]))
    uid = order["uid"] if os.geteuid() == 0 else None
    tried = trial.try_level(
        order["level"],
        {"plan": base, "uid": uid, "samples": [os.__file__, json.__file__]},
        landlock.version(),
    )
    if not tried["ok"]:
        return None, tried["faults"][-1]
    return tried["plan"] | {"leave_out": order["leave_out"]}, ""


def forked(work, keep=()):
    """Run ``work`` in a child; its reply, wait status and seconds to the end."""
    read, write = os.pipe()
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            reply = work(write)
        except BaseException as e:
            reply = f"broken: {type(e).__name__}: {e}"
        rest = reply.encode(errors="replace")
        while rest:
            rest = rest[os.write(write, rest) :]
        os._exit(0)
    os.close(write)
    reply = read_all(read, child)
    status = os.waitpid(child, 0)[1]
    return {"reply": reply, "status": status, "wall_s": time.perf_counter() - started}


def read_all(read, child):
    """All that comes out of a pipe, for at most ``LIMIT_S``."""
    poll, data = select.poll(), b""
    poll.register(read)
    end = time.monotonic() + LIMIT_S
    while True:
        if not poll.poll(max(0.0, end - time.monotonic()) * 1000):
            os.kill(child, signal.SIGKILL)
            data = b"hung"
            break
        part = os.read(read, 65536)
        if not part:
            break
        data += part
    os.close(read)
    return data.decode(errors="replace")


def offer_memory():
    """What a session does: a sealed memfd waits in the channel, which is 3."""
    ours, theirs = socket.socketpair()
    memory = os.memfd_create("arena", os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, 4096)
    shrink_grow_seal = 2 | 4 | 1
    fcntl.fcntl(memory, 1033, shrink_grow_seal)
    socket.send_fds(ours, [b"here"], [memory])
    os.dup2(theirs.fileno(), 3)
    KEPT.append(ours)
    return 3


def ends():
    return [end.fileno() for end in KEPT]


def serve(plan, prepared, order):
    """Fork a victim, then one worker after the other."""
    victim = os.fork()
    if victim == 0:
        limits.die_with_parent()
        signal.pause()
    leaked = os.open("/dev/null", os.O_RDONLY)
    facts = order["facts"] | {"victim": victim, "leaked": leaked, "plan": plan}
    replies = {}
    for name in order["attacks"]:

        def work(write, name=name):
            channel = offer_memory() if name == "memory_over_the_channel" else 0
            before = time.perf_counter()
            confine(
                prepared,
                keep_fds={0, 1, 2, write, channel, *ends()},
                cpu_s=order["cpu_s"],
                memory_mib=512,
            )
            facts["confine_s"] = time.perf_counter() - before
            facts["confined_at"] = time.perf_counter()
            if name in deeds.DEEDS:
                return deeds.perform(name, facts)
            return escapes.perform(name, facts)

        replies[name] = forked(work)
    os.kill(victim, signal.SIGKILL)
    os.waitpid(victim, 0)
    return replies


def main():
    order = json.load(sys.stdin)
    if order["without"]:
        pretend.without(set(order["without"]))
    if order["level"] == "open":
        plan = ladder.base_plan([]) | {"leave_out": ["limits", "descriptors"]}
        plan["level"], fault = "none", ""
    else:
        plan, fault = make_plan(order)
    if plan is None:
        print(json.dumps({"unavailable": fault}))
        return
    prepared = prepare(plan)
    timings = {}
    if plan["level"] == "full":
        # pid 1 inside; the outer half waits and ends as we end.
        before = time.perf_counter()
        enter_jail(plan)
        timings["jail_s"] = time.perf_counter() - before
    replies = serve(plan, prepared, order)
    print(json.dumps({"plan": plan, "replies": replies} | timings), flush=True)
    os._exit(order.get("exit", 0))


if __name__ == "__main__":
    main()

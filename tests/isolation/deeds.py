"""What honest code does in a worker, and what a curious one can find.

Each returns a value that JSON can carry; the tests compare it. No pytest here:
the functions run inside the cage.
"""

import json
import os
import stat
import time
import traceback

DEEDS = {}


def deed(function):
    DEEDS[function.__name__] = function
    return function


def perform(name, facts):
    try:
        return json.dumps(DEEDS[name](facts))
    except Exception as e:
        return json.dumps(f"{type(e).__name__}: {e}")


@deed
def cost(facts):
    return facts["confine_s"]


@deed
def identity(facts):
    with_capabilities = _capabilities()
    return {
        "uid": os.getresuid(),
        "gid": os.getresgid(),
        "groups": os.getgroups(),
        "capabilities": with_capabilities,
        "cwd": os.getcwd(),
        "session": os.getsid(0) == os.getpid(),
    }


def _capabilities():
    import ctypes

    libc = ctypes.CDLL(None)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    libc.capget(header, data)
    return list(data)


@deed
def threads(facts):
    import threading

    done = []
    started = [threading.Thread(target=done.append, args=(n,)) for n in range(8)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return sorted(done)


@deed
def late_imports(facts):
    import statistics
    import xml.dom.minidom
    import zoneinfo

    zone = str(zoneinfo.ZoneInfo("Europe/Berlin"))
    return [zone, statistics.mean([1, 3]), xml.dom.minidom.__name__]


@deed
def scratch_files(facts):
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a")
        with open(path, "w") as file:
            file.write("kept")
        shutil.copy2(path, path + "2")
        os.rename(path + "2", path + "3")
        with open(path + "3") as file:
            return file.read()


@deed
def leave_something(facts):
    with open(facts["plan"]["scratch"] + "/left", "w") as file:
        file.write("x")
    with open("/dev/shm/left", "w") as file:
        file.write("x")
    return sorted(os.listdir(facts["plan"]["scratch"]))


@deed
def find_something(facts):
    return os.listdir(facts["plan"]["scratch"]) + os.listdir("/dev/shm")


@deed
def fill_the_scratch(facts):
    """The kernel's word for each kind of fullness."""
    words = []
    for attempt in (_many_files, _many_bytes):
        try:
            attempt(facts["plan"]["scratch"])
            words.append("")
        except OSError as e:
            words.append(os.strerror(e.errno))
    return words


def _many_files(folder):
    made = []
    try:
        for n in range(2000):
            path = f"{folder}/f{n}"
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            made.append(path)
    finally:
        for path in made:
            os.unlink(path)


def _many_bytes(folder):
    for n in range(4):
        with open(f"{folder}/b{n}", "wb", buffering=0) as file:
            for _ in range(24):
                file.write(bytes(1 << 20))


@deed
def own_limits(facts):
    import resource

    names = ("CPU", "FSIZE", "NOFILE", "CORE", "MEMLOCK", "MSGQUEUE", "SIGPENDING")
    found = {n: resource.getrlimit(getattr(resource, f"RLIMIT_{n}")) for n in names}
    found["AS is set"] = resource.getrlimit(resource.RLIMIT_AS)[0] > 0
    return found


@deed
def memory_over_the_channel(facts):
    """A worker gets sealed memory over its open channel, and maps it."""
    import mmap
    import socket

    with socket.socket(fileno=3) as channel:
        data, fds, _, _ = socket.recv_fds(channel, 16, 1)
        shared = mmap.mmap(fds[0], 4096, mmap.MAP_SHARED)
        shared[:5] = b"reply"
        channel.sendall(b"done")
        try:  # SO_PEERPIDFD: a handle of the process at the other end
            told = channel.getsockopt(socket.SOL_SOCKET, 77)
        except OSError:
            told = None
        channel.detach()
    return [data.decode(), told]


@deed
def print_a_traceback(facts):
    try:
        json.loads("{")
    except ValueError:
        return "in raw_decode" in traceback.format_exc()


@deed
def signal_to_itself(facts):
    import signal

    got = []
    signal.signal(signal.SIGUSR1, lambda *_: got.append("usr1"))
    signal.signal(signal.SIGALRM, lambda *_: got.append("alarm"))
    signal.raise_signal(signal.SIGUSR1)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.pause()
    return got


@deed
def sleep_long(facts):
    time.sleep(60)
    return "woke"


@deed
def abort(facts):
    os.abort()


@deed
def open_descriptors(facts):
    found = []
    for fd in range(1024):
        try:
            found.append([fd, stat.S_IFMT(os.fstat(fd).st_mode)])
        except OSError:
            continue
    return found


@deed
def own_environment(facts):
    return dict(os.environ)


@deed
def open_all(facts):
    """Which of the paths that the other side names can be opened or listed?"""
    return [path for path in facts["paths"] if _opens(path)]


@deed
def walk(facts):
    """Everything reachable from / that lies outside the allow-list."""
    allowed = {os.path.realpath(path) for path in facts["plan"]["read_paths"]}
    allowed |= set(facts["plan"]["read_paths"])
    found, queue = [], ["/"]
    while queue:
        folder = queue.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        found.append(folder)
        for entry in entries:
            if entry.path in allowed:
                continue
            if entry.is_dir(follow_symlinks=False):
                queue.append(entry.path)
            elif entry.is_symlink():
                found.append(f"{entry.path} -> {os.readlink(entry.path)}")
            elif _opens(entry.path):
                found.append(entry.path)
    return found


def _opens(path):
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True

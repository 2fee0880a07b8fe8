"""What a worker may try, one function each, and what stops it.

An attack returns when it got through and raises OSError (or MemoryError,
RuntimeError) when it was stopped. ``needs`` names the layers that must all be
left out of the level partial before it gets through: that it then does is
tested too. No pytest here: the functions run inside the cage.
"""

import ctypes
import fcntl
import mmap
import os
import platform
import resource
import signal
import socket
import stat
import threading

libc = ctypes.CDLL(None, use_errno=True)
FILES = frozenset({"landlock", "seccomp"})
ALONE = frozenset({"seccomp"})
IDS = frozenset({"ids"})
READS = frozenset({"landlock"})
CAPABLE = frozenset({"landlock", "seccomp", "ids"})
ATTACKS = {}
X86 = platform.machine() == "x86_64"
GIB = 1 << 30


class Attack:
    def __init__(self, function, needs, who, leaks_at, dies, root_too):
        self.function = function
        self.name = function.__name__
        self.needs = frozenset(needs)
        self.who = who
        self.leaks_at = leaks_at
        self.dies = dies
        self.root_too = frozenset(root_too)

    def layers(self, who):
        """What must go before the attack of this user gets through."""
        return self.needs | (self.root_too if who == "root" else frozenset())


def attack(needs, *, who=("root", "user"), leaks_at=(), dies=0, root_too=()):
    """Register an attack.

    ``who`` gets through when the layers are gone; ``leaks_at`` are levels that
    are known not to stop it; ``dies``: the signal that ends the worker;
    ``root_too``: layers that stop it as well when the worker's uid is 0.
    """

    def register(function):
        ATTACKS[function.__name__] = Attack(
            function, needs, who, leaks_at, dies, root_too
        )
        return function

    return register


def perform(name, facts):
    """Run one attack and say in words how it went."""
    try:
        return f"escaped: {ATTACKS[name].function(facts)}"
    except (OSError, MemoryError, RuntimeError, ValueError) as e:
        return f"stopped: {type(e).__name__}: {e}"


def syscall(number, *args):
    values = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = libc.syscall(ctypes.c_long(number), *values)
    return checked(result)


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


# ---- reading


@attack(READS)
def read_hidden_file(facts):
    with open(facts["secret"]) as file:
        return file.read()


@attack(READS)
def read_hidden_file_through_dotdot(facts):
    up = os.path.dirname(os.__file__)
    with open(up + "/.." * up.count("/") + facts["secret"]) as file:
        return file.read()


@attack(READS)
def read_hidden_file_through_proc_self_root(facts):
    with open("/proc/self/root" + facts["secret"]) as file:
        return file.read()


@attack(READS)
def read_hidden_file_through_own_path_descriptor(facts):
    folder = os.open(facts["folder"], os.O_PATH)
    fd = os.open("secret.txt", os.O_RDONLY, dir_fd=folder)
    return os.read(fd, 100)


@attack({"landlock", "seccomp", "ids"}, who=("root",))
def read_hidden_file_by_handle(facts):
    class Handle(ctypes.Structure):
        _fields_ = [
            ("size", ctypes.c_uint),
            ("kind", ctypes.c_int),
            ("data", ctypes.c_char * 128),
        ]

    handle, mount_id = Handle(128), ctypes.c_int()
    path = os.fsencode(facts["secret"])
    arguments = (path, ctypes.byref(handle), ctypes.byref(mount_id), 0)
    checked(libc.name_to_handle_at(-100, *arguments))
    folder = os.open(facts["folder"], os.O_RDONLY)
    fd = checked(libc.open_by_handle_at(folder, ctypes.byref(handle), os.O_RDONLY))
    return os.read(fd, 100)


@attack(READS)
def list_hidden_folder(facts):
    return os.listdir(facts["folder"])


@attack(READS)
def list_the_root_of_the_host(facts):
    names = os.listdir("/")
    if not {"boot", "home", "proc"} & set(names):
        raise OSError("a tree of its own")
    return names


@attack(READS)
def read_host_configuration(facts):
    with open("/etc/hosts") as file:
        return file.read()


@attack((), leaks_at=("partial", "minimal"))
def stat_hidden_file(facts):
    return os.stat(facts["secret"]).st_size


@attack(READS, root_too=IDS)
def read_environment_of_the_zygote(facts):
    with open(f"/proc/{os.getppid()}/environ", "rb") as file:
        return file.read()


@attack(READS, root_too=IDS)
def read_memory_of_a_neighbour(facts):
    with open(f"/proc/{facts['victim']}/maps", "rb") as file:
        return file.read()[:100]


@attack(READS)
def read_own_descriptors(facts):
    return os.listdir("/proc/self/fd")


@attack({"descriptors"})
def use_a_descriptor_of_the_zygote(facts):
    return os.fstat(facts["leaked"]).st_mode


# ---- writing


@attack(FILES)
def write_a_file(facts):
    with open(facts["folder"] + "/mark", "w") as file:
        return file.write("x")


@attack(FILES)
def write_beside_the_worker_code(facts):
    with open(facts["code"] + "/planted.py", "w") as file:
        return file.write("x")


@attack(FILES)
def truncate_a_file(facts):
    os.truncate(facts["victim_file"], 0)


@attack(FILES)
def open_to_truncate_a_file(facts):
    os.close(os.open(facts["victim_file"], os.O_RDONLY | os.O_TRUNC))


@attack(FILES)
def make_a_folder(facts):
    os.mkdir(facts["folder"] + "/made")


@attack(FILES)
def rename_a_file(facts):
    os.rename(facts["folder"] + "/old", facts["folder"] + "/new")


@attack(FILES)
def remove_a_file(facts):
    os.unlink(facts["folder"] + "/doomed")


@attack(FILES)
def link_a_file(facts):
    os.link(facts["secret"], facts["folder"] + "/linked")


@attack(FILES)
def plant_a_symlink(facts):
    os.symlink("/", facts["folder"] + "/symlink")


@attack(FILES)
def plant_a_fifo(facts):
    os.mkfifo(facts["folder"] + "/fifo")


@attack(ALONE)
def change_the_mode_of_a_file(facts):
    os.chmod(facts["victim_file"], 0o600)


@attack(ALONE)
def change_the_times_of_a_file(facts):
    os.utime(facts["victim_file"], (0, 0))


@attack({"seccomp", "ids"}, who=("root",))
def change_the_owner_of_a_file(facts):
    os.chown(facts["victim_file"], 1, 1)


@attack(CAPABLE, who=("root",))
def make_a_device(facts):
    os.mknod(facts["folder"] + "/device", stat.S_IFCHR | 0o600, os.makedev(1, 3))


# ---- network


@attack(FILES)
def connect_over_tcp(facts):
    with socket.socket() as client:
        client.connect(("127.0.0.1", facts["tcp"]))


@attack(FILES)
def listen_on_tcp(facts):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()


@attack(ALONE)
def send_over_udp(facts):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"x", ("127.0.0.1", 9))


@attack(ALONE)
def connect_to_a_socket_file(facts):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(facts["unix"])


@attack(FILES)
def connect_to_an_abstract_socket(facts):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + facts["abstract"])


@attack(ALONE)
def open_a_netlink_socket(facts):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()


@attack({"seccomp", "ids"}, who=("root",))
def open_a_packet_socket(facts):
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()


@attack(ALONE)
def make_a_socket_pair(facts):
    socket.socketpair()


# ---- other processes


@attack(FILES)
def signal_the_zygote(facts):
    os.kill(os.getppid(), 0)


@attack(FILES)
def signal_a_neighbour(facts):
    os.kill(facts["victim"], 0)


@attack(FILES)
def signal_a_thread_of_a_neighbour(facts):
    number = 234 if X86 else 131
    syscall(number, facts["victim"], facts["victim"], 0)


@attack(FILES)
def queue_a_signal_to_a_neighbour(facts):
    libc.sigqueue.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
    checked(libc.sigqueue(facts["victim"], 0, None))


@attack(ALONE)
def own_a_descriptor_for_a_neighbour(facts):
    read, _ = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETOWN, facts["victim"])


@attack(FILES, root_too=IDS)
def trace_a_neighbour(facts):
    seize = 0x4206
    checked(libc.ptrace(seize, facts["victim"], None, None))


@attack(FILES, root_too=IDS)
def read_a_neighbour_by_system_call(facts):
    buffer = ctypes.create_string_buffer(8)
    local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    # The same address holds the same object there: it is a fork.
    remote = (ctypes.c_void_p * 2)(id(facts), 8)
    checked(libc.process_vm_readv(facts["victim"], local, 1, remote, 1, 0))


@attack(ALONE)
def open_a_pidfd(facts):
    os.pidfd_open(facts["victim"])


@attack(ALONE)
def limit_a_neighbour(facts):
    resource.prlimit(facts["victim"], resource.RLIMIT_CORE, (0, 0))


@attack(ALONE, root_too=IDS)
def bind_a_neighbour_to_a_core(facts):
    os.sched_setaffinity(facts["victim"], os.sched_getaffinity(0))


@attack(ALONE, root_too=IDS)
def slow_a_neighbour_down(facts):
    os.setpriority(os.PRIO_PROCESS, facts["victim"], 19)


# ---- processes and programs of its own


@attack(ALONE)
def fork(facts):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


@attack(ALONE)
def fork_by_raw_clone(facts):
    child = syscall(56 if X86 else 220, signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)


@attack(ALONE)
def fork_by_clone3(facts):
    arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    child = syscall(435, ctypes.byref(arguments), 64)
    if child == 0:
        os._exit(0)


@attack(FILES)
def execute_a_program(facts):
    os.execv("/bin/sh", ["/bin/sh", "-c", f"printf escaped >&{_reply_fd()}"])


@attack(FILES)
def execute_the_dynamic_loader(facts):
    for loader in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"):
        if os.path.exists(loader):
            script = f"printf escaped >&{_reply_fd()}"
            os.execv(loader, [loader, "/bin/sh", "-c", script])
    raise OSError("no loader")


def _reply_fd():
    fd = max(fd for fd in range(3, 64) if _is_open(fd))
    os.set_inheritable(fd, True)
    return fd


def _is_open(fd):
    try:
        return stat.S_ISFIFO(os.fstat(fd).st_mode)
    except OSError:
        return False


# ---- memory, time, space


@attack({"limits"})
def take_much_memory(facts):
    return len(mmap.mmap(-1, 3 * GIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


@attack({"limits"})
def take_much_shared_memory(facts):
    return len(mmap.mmap(-1, 3 * GIB))


@attack(ALONE)
def leave_a_lock_for_a_neighbour(facts):
    """Take a lock twice, as two workers would: whoever sees the first is told of it."""
    one, two = (os.open(os.__file__, os.O_RDONLY) for _ in range(2))
    fcntl.flock(one, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        fcntl.flock(two, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "a neighbour sees the lock"
    raise OSError("both were told that they have it")


@attack(ALONE)
def take_memory_in_a_memfd(facts):
    return os.memfd_create("x")


@attack(ALONE)
def take_system_v_memory(facts):
    identifier = checked(libc.shmget(0, 4096, 0o1600))
    libc.shmctl(identifier, 0, None)


@attack({"limits"})
def start_many_threads(facts):
    stop = threading.Event()
    threading.stack_size(8 << 20)
    try:
        for _ in range(200):
            threading.Thread(target=stop.wait, daemon=True).start()
    finally:
        stop.set()


@attack({"limits"}, dies=signal.SIGXCPU)
def burn_cpu(facts):
    import time

    while time.process_time() < 1.5:
        pass


@attack({"limits", "landlock", "seccomp"})
def write_a_huge_file(facts):
    full = facts["plan"]["level"] == "full"
    place = facts["plan"]["scratch"] if full else facts["folder"]
    with open(place + "/huge", "wb") as file:
        file.truncate(40 << 20)


@attack({"limits", "seccomp"})
def raise_a_limit(facts):
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))


# ---- the kernel


@attack(ALONE)
def add_a_key(facts):
    number = 248 if X86 else 217
    return syscall(number, b"user", b"grader-test", b"x", 1, -2)


@attack({"seccomp", "limits"})
def set_up_io_uring(facts):
    return syscall(425, 4, ctypes.create_string_buffer(256))


@attack({"seccomp", "ids"}, who=("root",))
def load_a_bpf_map(facts):
    attributes = (ctypes.c_uint32 * 16)(2, 4, 4, 1)
    return syscall(321 if X86 else 280, 0, ctypes.byref(attributes), 64)


@attack({"seccomp", "ids"}, who=("root",))
def count_performance_events(facts):
    attributes = (ctypes.c_uint32 * 32)(1, 128)
    number = 298 if X86 else 241
    return syscall(number, ctypes.byref(attributes), 0, -1, -1, 0)


@attack({"seccomp", "ids"}, who=("root",))
def handle_page_faults(facts):
    return syscall(323 if X86 else 282, 0)


@attack(ALONE)
def change_personality(facts):
    checked(libc.personality(0x0040000))


@attack(ALONE)
def make_a_user_namespace(facts):
    checked(libc.unshare(0x10000000))


@attack({"seccomp", "ids"}, who=("root",))
def make_a_mount_namespace(facts):
    checked(libc.unshare(0x20000))


@attack(CAPABLE, who=("root",))
def mount_a_file_system(facts):
    # In a namespace of its own, so that the host of the test keeps its mounts.
    checked(libc.unshare(0x20000))
    checked(libc.mount(None, b"/", None, 0x4000 | (1 << 18), None))
    checked(libc.mount(b"x", b"/mnt", b"tmpfs", 0, None))


@attack({"seccomp", "ids"}, who=("root",))
def change_root(facts):
    os.chroot("/")


@attack({"seccomp", "ids"}, who=("root",))
def become_another_user(facts):
    os.setresuid(1, 1, 1)


@attack(ALONE)
def outlive_the_parent(facts):
    checked(libc.prctl(1, 0, 0, 0, 0))


@attack(ALONE)
def become_dumpable(facts):
    checked(libc.prctl(4, 1, 0, 0, 0))


@attack(ALONE)
def watch_files(facts):
    checked(libc.inotify_init())


if X86:

    @attack(ALONE, dies=signal.SIGSYS)
    def call_the_kernel_as_32_bit(facts):
        # mov eax, 20 (getpid); int 0x80; ret
        code = bytes.fromhex("b814000000cd80c3")
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(code)
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        return ctypes.CFUNCTYPE(ctypes.c_long)(address)()

    @attack(ALONE, dies=signal.SIGSYS)
    def call_the_kernel_as_x32(facts):
        # Kernels without x32 answer ENOSYS; that the call came through is enough.
        libc.syscall(ctypes.c_long(0x40000000 | 39))

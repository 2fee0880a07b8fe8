"""Runs in the zygote. Which system calls a worker may make, by name.

An allow-list: what stands nowhere here answers ENOSYS, and libc falls back as
on an older kernel. What a student may plausibly try answers EPERM, which
Python turns into a PermissionError that can be explained.
"""

from __future__ import annotations

import fcntl
import os


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ALWAYS = _words(
    # descriptors that are already open, pipes, waiting
    "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek "
    "_llseek close close_range dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 "
    "_newselect epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait "
    "epoll_pwait2 eventfd eventfd2 sendfile copy_file_range fsync fdatasync "
    "fadvise64 readahead "
    # the channel: open already; new sockets are refused
    "recvfrom recvmsg sendto sendmsg shutdown getsockname getpeername "
    # names and sizes
    "fstat stat lstat newfstatat statx access faccessat faccessat2 getcwd chdir fchdir "
    "umask "
    # memory and threads
    "mmap munmap mremap mprotect madvise brk msync membarrier futex futex_waitv "
    "set_robust_list set_tid_address rseq gettid sched_yield sched_getaffinity "
    "sched_getparam sched_getscheduler sched_get_priority_max "
    "sched_get_priority_min getcpu riscv_flush_icache riscv_hwprobe cacheflush "
    "exit exit_group restart_syscall wait4 waitid "
    # signals to oneself
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait "
    "rt_sigsuspend sigaltstack pause alarm setitimer getitimer "
    # time and facts
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times "
    "getrusage uname sysinfo getpid getppid getuid geteuid getgid getegid "
    "getresuid getresgid getgroups getpgrp getpgid getsid getrlimit getpriority "
    "capget getrandom"
)

OPENING = _words("open openat")
READING = _words("getdents getdents64 readlink readlinkat statfs fstatfs")
WRITING = _words(
    "creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat "
    "symlink symlinkat truncate ftruncate fallocate chmod fchmod fchmodat fchmodat2 "
    "utime utimes utimensat futimesat"
)

REFUSED = _words(
    "fork vfork execve execveat kill tkill rt_sigqueueinfo rt_tgsigqueueinfo "
    "ptrace process_vm_readv process_vm_writev process_madvise kcmp "
    "pidfd_open pidfd_getfd pidfd_send_signal "
    "socket socketpair connect bind listen accept accept4 setsockopt "
    "sendmmsg recvmmsg "
    "unshare setns mount umount2 pivot_root chroot open_tree move_mount "
    "fsopen fsmount fsconfig fspick mount_setattr "
    "name_to_handle_at open_by_handle_at mknod mknodat "
    "chown fchown lchown fchownat "
    "setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid "
    "setfsgid capset setsid setpgid setrlimit setpriority "
    "sched_setaffinity sched_setscheduler sched_setparam sched_setattr "
    "ioprio_set ioprio_get sethostname setdomainname "
    "add_key request_key keyctl bpf perf_event_open userfaultfd memfd_create "
    "memfd_secret personality seccomp io_uring_setup io_uring_enter "
    "io_uring_register shmget shmat shmctl shmdt semget semop semctl semtimedop "
    "msgget msgsnd msgrcv msgctl mq_open mq_unlink mlock mlock2 mlockall "
    "inotify_init inotify_init1 fanotify_init landlock_create_ruleset "
    "landlock_add_rule landlock_restrict_self vmsplice splice tee quotactl "
    "swapon swapoff reboot syslog acct kexec_load init_module finit_module "
    "delete_module settimeofday clock_settime adjtimex clock_adjtime"
)

# shutil.copy2 takes "not supported" for an answer, but no other errno.
UNSUPPORTED = _words(
    "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr "
    "fsetxattr removexattr lremovexattr fremovexattr"
)

# A worker is alone, so each lock that it asks for is granted, and none is taken: on
# a file that all may read, a neighbour would see it.
GRANTED = ("flock",)
FCNTL_GRANTED = (fcntl.F_SETLK, fcntl.F_SETLKW)
# fcntl: nothing that sends signals (F_SETOWN, F_SETSIG, F_NOTIFY, F_SETLEASE),
# seals the session's memory, or grows a pipe's buffer outside the memory limit.
FCNTL = (
    fcntl.F_DUPFD,
    getattr(fcntl, "F_DUPFD_CLOEXEC", 1030),
    fcntl.F_GETFD,
    fcntl.F_SETFD,
    fcntl.F_GETFL,
    fcntl.F_SETFL,
    fcntl.F_GETLK,
    getattr(fcntl, "F_GET_SEALS", 1034),
    getattr(fcntl, "F_GETPIPE_SZ", 1032),
)
# ioctl: TCGETS (isatty), TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX.
IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5451, 0x5450)
# getsockopt: type, error, buffer sizes, timeouts, protocol, domain. Not
# SO_PEERPIDFD, which hands out a descriptor of the session's process.
SOCKET_OPTIONS = (3, 4, 7, 8, 20, 21, 38, 39)
# prctl: thread names, and glibc's and Python's names for memory.
PRCTL = (15, 16, 3, 23, 0x53564D41)

CLONE_THREAD = 0x10000
# cgroup, uts, ipc, user, pid, net, mount, and (on clone, bit 7) time.
CLONE_NEW = 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
CLONE_NEW |= 0x20000

# Any of these bits makes an open more than reading.
WRITE_FLAGS = (
    os.O_WRONLY,
    os.O_RDWR,
    os.O_CREAT,
    os.O_TRUNC,
    0o20000000,  # O_TMPFILE without O_DIRECTORY, which it contains
)

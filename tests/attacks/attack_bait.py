"""What the attacks reach for, and how the trusted side sees that one got there."""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
import socket
from pathlib import Path


class Bait:
    """A folder that anyone may use, a port and a socket name; file modes stop none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.id = secrets.token_hex(8)
        self.token = secrets.token_hex(8)  # 16 characters: one reads them all
        self.mark = folder / "mark"
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.named = socket.socket(socket.AF_UNIX)
        self.abstract = f"hostile-{self.id}"
        self.named.bind("\0" + self.abstract)
        self.named.listen()
        for listener in (self.tcp, self.named):
            listener.setblocking(False)
        self.key = secrets.randbelow(1 << 30) | 1 << 29
        self.clean()

    def clean(self) -> None:
        """As it was before any attack."""
        shutil.rmtree(self.folder, ignore_errors=True)
        names = self.folder / "names"
        names.mkdir(parents=True)
        for folder in (self.folder, names):
            folder.chmod(0o777)
        self._file("secret", self.token)
        self._file("victim", "x")
        self._file(f"names/{self.token}", "x")
        self._file("hostile_hidden.py", f"ANSWER = {self.token!r}\n")
        self._file("hostile_known.py", "ANSWER = 'honest'\n")
        for place in ("/dev/shm", "/tmp"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{place}/hostile-mail-{self.id}")
        libc = ctypes.CDLL(None)
        if (number := libc.shmget(self.key, 0, 0)) >= 0:
            libc.shmctl(number, 0, None)
        self.connected()

    def _file(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="ascii")
        (self.folder / name).chmod(0o666)

    def fill(self, text: str) -> str:
        """The text of an attack with the places of this bait."""
        places = {
            "FOLDER": self.folder,
            "SECRET": self.folder / "secret",
            "VICTIM": self.folder / "victim",
            "MARK": self.mark,
            "SAID": self.token[::-1],  # backwards: a source shown is no success
            "PORT": self.tcp.getsockname()[1],
            "ABSTRACT": self.abstract,
            "ID": self.id,
            "KEY": self.key,
        }
        for name, value in places.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def connected(self) -> bool:
        """A connection arrived since this was asked last."""
        found = False
        for listener in (self.tcp, self.named):
            with contextlib.suppress(BlockingIOError):
                listener.accept()[0].close()
                found = True
        return found

    def strays(self) -> list[str]:
        """Files that an attack left on this host."""
        known = {"secret", "victim", "names", "hostile_hidden.py", "hostile_known.py"}
        found = [n for n in os.listdir(self.folder) if n not in known]
        for place in ("/dev/shm", "/tmp", "/scratch"):
            with contextlib.suppress(FileNotFoundError):
                found += [
                    f"{place}/{n}"
                    for n in os.listdir(place)
                    if n.startswith("hostile-") and self.id in n
                ]
        return found

    def close(self) -> None:
        self.clean()
        self.tcp.close()
        self.named.close()

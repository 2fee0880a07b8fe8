"""A headless Chromium, driven over the plain HTTP of its own driver."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TIMEOUT_S = 60
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def missing() -> str:
    """Why no browser can be driven here; "" when one can."""
    if not any(map(shutil.which, BROWSERS)):
        return "no chromium is installed (Debian: apt install chromium)"
    if not shutil.which("chromedriver"):
        return "no chromedriver is installed (Debian: apt install chromium-driver)"
    return ""


class Browser:
    """One browser with one page; a context manager that ends both processes."""

    def __init__(self, profile: Path) -> None:
        self._profile = profile

    def __enter__(self) -> Browser:
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            self._base = f"http://127.0.0.1:{self._port()}"
            answer = self._send("POST", "/session", {"capabilities": self._wanted()})
        except BaseException:
            self._end()
            raise
        self._base += f"/session/{answer['sessionId']}"
        return self

    def __exit__(self, *exc) -> None:
        try:
            self._send("DELETE", "")
        finally:
            self._end()

    def _end(self) -> None:
        self._driver.terminate()
        self._driver.wait(TIMEOUT_S)
        self._driver.stdout.close()

    def _wanted(self) -> dict:
        binary = next(filter(None, map(shutil.which, BROWSERS)))
        args = [*_FLAGS, f"--user-data-dir={self._profile}"]
        wanted = {
            "goog:chromeOptions": {"binary": binary, "args": args},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        return {"alwaysMatch": wanted}

    def open(self, url: str) -> None:
        self._send("POST", "/url", {"url": url})

    def run(self, script: str, *args):
        """Run a function body in the page and return what it returns."""
        body = {"script": script, "args": list(args)}
        return self._send("POST", "/execute/sync", body)

    def run_async(self, script: str, *args):
        """Like ``run``; the body calls ``done`` with what it returns."""
        body = {
            "script": f"const done = arguments[arguments.length - 1]; {script}",
            "args": list(args),
        }
        return self._send("POST", "/execute/async", body)

    def click(self, css: str) -> None:
        self._send("POST", f"/element/{self._find(css)}/click", {})

    def type(self, css: str, text: str) -> None:
        self._send("POST", f"/element/{self._find(css)}/value", {"text": text})

    def narrow(self, width: int) -> None:
        """Show the page as wide as a phone; a window cannot be that narrow."""
        metrics = {"width": width, "height": 844, "deviceScaleFactor": 1}
        self._cdp("Emulation.setDeviceMetricsOverride", metrics | {"mobile": True})

    def widen(self) -> None:
        """Show the page as wide as the window again."""
        self._cdp("Emulation.clearDeviceMetricsOverride", {})

    def scheme(self, name: str) -> None:
        """Prefer ``light`` or ``dark``, as a system would."""
        wish = {"name": "prefers-color-scheme", "value": name}
        self._cdp("Emulation.setEmulatedMedia", {"features": [wish]})

    def frame(self, number: int | None) -> None:
        """Run what comes next in a frame of the page; None for the page itself."""
        self._send("POST", "/frame", {"id": number})

    def _cdp(self, command: str, params: dict) -> None:
        self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def console(self) -> list[str]:
        """Messages on the console since the last call."""
        return [e["message"] for e in self._log("browser")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for since the last call."""
        events = [json.loads(e["message"])["message"] for e in self._log("performance")]
        return [
            e["params"]["request"]["url"]
            for e in events
            if e["method"] == "Network.requestWillBeSent"
        ]

    def _log(self, kind: str) -> list[dict]:
        return self._send("POST", "/se/log", {"type": kind})

    def _find(self, css: str) -> str:
        query = {"using": "css selector", "value": css}
        return self._send("POST", "/element", query)[_ELEMENT]

    def _port(self) -> int:
        for line in self._driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                return int(found[1])
        raise RuntimeError("chromedriver ended before it named its port")

    def _send(self, method: str, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with _NO_PROXY.open(request, timeout=TIMEOUT_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            with e:
                raise RuntimeError(json.load(e)["value"]["message"]) from None

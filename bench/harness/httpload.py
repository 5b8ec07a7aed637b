"""Plain HTTP as a load: h2load over either version, and wrk for the JSON echo."""

import base64
import random
import re
import subprocess
import urllib.error
import urllib.request

from harness import load
from harness.table import BENCH

HELLO = b"Hello world"
# The hyperbeam benchmark: clients × requests at the same time on each (with HTTP/1.1: pipelined).
SCENARIOS = ["100x10", "10x100"]

ECHO_PATH = "/echo.Echo/Echo"
# The rps benchmark: 1000 random bytes as base64, 1351 bytes with the braces around them.
ECHO_PAYLOAD = random.Random(1).randbytes(1000)
ECHO_BODY = b'{"payload": "' + base64.b64encode(ECHO_PAYLOAD) + b'"}'
ECHO_SCRIPT = BENCH / "target" / "echo.lua"
ECHO_CONNECTIONS = 256


class Hello:
    """h2load against a page, over one version of HTTP: a loader for measure.Bed."""

    UNIT = "request"
    WARM_SCENARIOS = ["100x10", "10x100", "10x1", "100x10", "10x100"]

    def __init__(self, version):
        self.flags = ["--h1"] if version == 1 else []
        self.version = version

    def check_reply(self, port):
        """One request: 200 and the page's bytes."""
        url = f"http://127.0.0.1:{port}/"
        command = ["curl", "-sS", "--http1.1" if self.version == 1 else "--http2-prior-knowledge",
                   "-w", "\n%{http_code} %{http_version}", url]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10)
        if done.stdout not in (HELLO + b"\n200 1.1", HELLO + b"\n200 2"):
            raise RuntimeError(f"not the expected reply: {done.stdout!r}")

    def run(self, port, name, seconds=None, requests=None, cpu=None):
        """One run of h2load. Answers a dict of its figures."""
        return load.h2load(name, f"http://127.0.0.1:{port}/", self.flags, seconds, requests, cpu)


class JsonEcho:
    """wrk against the JSON echo: a loader for measure.Bed."""

    UNIT = "request"
    WARM_SCENARIOS = ["json", "json"]

    def __init__(self):
        ECHO_SCRIPT.parent.mkdir(exist_ok=True)
        ECHO_SCRIPT.write_text(
            'wrk.method = "POST"\n'
            'wrk.headers["Content-Type"] = "application/json"\n'
            'wrk.headers["Accept"] = "application/json"\n'
            f"wrk.body = '{ECHO_BODY.decode()}'\n", encoding="utf-8")

    def check_reply(self, port):
        """One request: 200 and the same payload."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{ECHO_PATH}", data=ECHO_BODY, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                body = reply.read()
        except urllib.error.URLError as failure:
            raise RuntimeError(f"no reply: {failure}") from None
        # Servers may put white space where they like.
        if b"".join(body.split()) != b"".join(ECHO_BODY.split()):
            raise RuntimeError(f"not the expected reply: {body!r}")

    def run(self, port, _name, seconds=None, _requests=None, cpu=None):
        """One run of wrk. Answers a dict of its figures."""
        pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
        done = subprocess.run(
            pin + ["wrk", "-t", "1", "-c", str(ECHO_CONNECTIONS), "-d", f"{max(1, round(seconds))}s", "--timeout", "8s",
                   "--latency", "-s", str(ECHO_SCRIPT), f"http://127.0.0.1:{port}{ECHO_PATH}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        if done.returncode != 0:
            raise RuntimeError("wrk failed:\n" + done.stdout)
        return parse_wrk(done.stdout)


def parse_wrk(text):
    """The figures in wrk's output."""
    total = re.search(r"(\d+) requests in", text)
    rate = re.search(r"Requests/sec: +([\d.]+)", text)
    latency = re.search(r"Latency +([\d.]+\w+) +[\d.]+\w+ +([\d.]+\w+)", text)
    if not (total and rate and latency):
        raise RuntimeError("wrk printed something else:\n" + text)
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    return {
        "requests": int(total.group(1)),
        "requests_per_second": float(rate.group(1)),
        "failed": (int(wrong.group(1)) if wrong else 0) + (sum(map(int, errors.groups())) if errors else 0),
        "mean_micros": load.micros(latency.group(1)),
        "max_micros": load.micros(latency.group(2)),
    }

"""h2load: the load, and nghttp: one call looked at closely before any load."""

import os
import re
import shutil
import subprocess

from harness.table import BENCH

PATH = "/helloworld.v1.Greeter/Hello"
# The grpcxx benchmark sends no "te: trailers", so neither do we; servers must bear it.
HEADER = "--header=content-type: application/grpc"
REQUEST = BENCH / "hello.grpc-lpm.data"
# 5 bytes of prefix, then HelloResponse{message}: what every server must answer, byte for byte.
REPLY = b"\x00\x00\x00\x00\x1a\x0a\x18" + "Hello `grpc-client` 👋".encode()

# name -> (clients, streams per client): the six of the grpcxx benchmark.
SCENARIOS = {
    "1a": (1, 1), "1b": (1, 10),
    "2a": (10, 1), "2b": (10, 10),
    "3a": (100, 1), "3b": (100, 10),
}

# No run by a number of requests takes so long either.
HANG_SECONDS = 120

# What one figure is per.
UNIT = "request"
# Of the warm-up: one busy, one wide and one narrow, so that the JIT sees every path.
WARM_SCENARIOS = ["2b", "3b", "1a", "3a", "2b"]


def scenario(name):
    """(clients, streams) of a name such as 2b, or of a shape such as 50x20."""
    if name in SCENARIOS:
        return SCENARIOS[name]
    shape = re.fullmatch(r"(\d+)x(\d+)", name)
    if not shape:
        raise ValueError(f"unknown scenario {name}: one of {', '.join(SCENARIOS)}, or CLIENTSxSTREAMS")
    return int(shape.group(1)), int(shape.group(2))


def require(command, package):
    """Makes sure that a program is there; as root on a Debian it is installed. Answers whether it is."""
    if shutil.which(command):
        return True
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {package} ({command})", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], check=False,
                       stdout=subprocess.DEVNULL)
    return shutil.which(command) is not None


def require_h2load():
    """Makes sure that h2load and nghttp are there, or ends the run."""
    if not all(require(command, "nghttp2-client") for command in ("h2load", "nghttp")):
        raise SystemExit("h2load is missing: apt-get install nghttp2-client (Debian, Ubuntu), brew install nghttp2 (macOS)")


def check_reply(port, scheme="http"):
    """One call: the reply's bytes and grpc-status 0. Raises RuntimeError with the conversation if not."""
    done = subprocess.run(
        ["nghttp", "--verbose", "--no-verify-peer", HEADER, f"--data={REQUEST}", f"{scheme}://127.0.0.1:{port}{PATH}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10)
    if REPLY not in done.stdout:
        raise RuntimeError("the reply is not the expected one:\n" + done.stdout.decode(errors="replace"))
    if not re.search(rb"grpc-status: 0\s", done.stdout):
        raise RuntimeError("no grpc-status 0:\n" + done.stdout.decode(errors="replace"))


def run(port, name, seconds=None, requests=None, cpu=None, scheme="http"):
    """One run of the service's scenario, by seconds or by number of requests. Answers a dict of its figures."""
    return h2load(name, f"{scheme}://127.0.0.1:{port}{PATH}", [HEADER, f"--data={REQUEST}"], seconds, requests, cpu)


def h2load(name, url, flags, seconds=None, requests=None, cpu=None):
    """One run of h2load. Answers a dict of its figures."""
    clients, streams = scenario(name)
    # h2load takes fractions of a second as milliseconds.
    amount = [f"--requests={requests}"] if requests else [f"--duration={int(seconds * 1000)}ms"]
    pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
    try:
        done = subprocess.run(
            pin + ["h2load", f"--clients={clients}", f"--max-concurrent-streams={streams}", *amount, *flags, url],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
            timeout=(seconds or 0) * 5 + HANG_SECONDS)
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"h2load did not end: {late}")
    if done.returncode != 0 or "finished in" not in done.stdout:
        raise RuntimeError("h2load failed:\n" + done.stdout)
    return parse(done.stdout)


def parse(text):
    """The figures in h2load's output: requests and bytes counted, times in microseconds."""
    counts = {word: int(n) for n, word in re.findall(
        r"(\d+) (total|started|done|succeeded|failed|errored|timeout)", _line(text, "requests: "))}
    good = int(re.search(r"(\d+) 2xx", _line(text, "status codes: ")).group(1))
    times = _line(text, "time for request: ").split()
    done = counts["done"]
    return {
        "requests": done,
        "requests_per_second": float(re.search(r"([\d.]+) req/s", text).group(1)),
        # A call answered with another status than 2xx counts as failed too.
        "failed": counts["failed"] + counts["errored"] + counts["timeout"] + max(0, counts["succeeded"] - good),
        "max_micros": micros(times[1]),
        "mean_micros": micros(times[2]),
        "bytes_per_reply": int(re.search(r"\((\d+)\) total", _line(text, "traffic: ")).group(1)) / max(1, done),
    }


def micros(text):
    """h2load's 52us, 2.21ms, 1.05s as microseconds."""
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def _line(text, start):
    for line in text.splitlines():
        if line.startswith(start):
            return line[len(start):]
    raise RuntimeError(f"h2load printed no line '{start}':\n{text}")

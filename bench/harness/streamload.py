"""streamload: streams as a load, and nghttp: one call of each kind looked at closely before any load."""

import json
import re
import subprocess
import tempfile

from harness.table import BENCH, newest

SOURCE = BENCH / "streamload"
PROGRAM = SOURCE / "target" / "streamload"
SERVICE = "/peregrine.bench.v1.Streams/"
HEADERS = ["--header=content-type: application/grpc", "--header=te: trailers"]

UNIT = "message"

# name -> kind of call, bytes of a message's body, messages per call, connections, streams of each.
# A call moves some megabytes, so that its beginning and its end cost nothing beside its messages.
SCENARIOS = {
    "down-10": ("download", 10, 20_000, 10, 1),
    "down-1k": ("download", 1_000, 2_000, 10, 1),
    "down-100k": ("download", 100_000, 100, 10, 1),
    "up-10": ("upload", 10, 20_000, 10, 1),
    "up-1k": ("upload", 1_000, 2_000, 10, 1),
    "up-100k": ("upload", 100_000, 100, 10, 1),
    "ping-10": ("pingpong", 10, 1_000, 10, 10),
    "ping-1k": ("pingpong", 1_000, 500, 10, 10),
    "ping-100k": ("pingpong", 100_000, 20, 10, 1),
    "ping-10-alone": ("pingpong", 10, 1_000, 1, 1),
    "unary-1m": ("unary", 1_000_000, 1, 2, 1),
    "unary-10m": ("unary", 10_000_000, 1, 2, 1),
}

# Messages of at least this size are judged by the megabyte, smaller ones by the message.
LARGE_BYTES = 100_000

WARM_SCENARIOS = ["ping-10", "down-10", "up-10", "unary-1m", "ping-1k", "down-1k", "up-1k",
                  "down-100k", "up-100k", "ping-100k", "unary-10m", "ping-10-alone"]


def build():
    """Compiles the client if its source is newer."""
    if PROGRAM.exists() and PROGRAM.stat().st_mtime >= newest([SOURCE]):
        return
    PROGRAM.parent.mkdir(exist_ok=True)
    subprocess.run(["cc", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", str(PROGRAM),
                    str(SOURCE / "streamload.c")], check=True)


def envelope(message):
    return b"\x00" + len(message).to_bytes(4, "big") + message


def payload(body):
    """Payload{body}, of less than 128 bytes."""
    return envelope(b"\x0a" + bytes([len(body)]) + body)


BODIES = [payload(b"one"), payload(b"three"), payload(b"fifteen letters")]

# method -> what is sent, what must be answered: Order{3, 4} brings three payloads, and
# Receipt{messages = 3, bytes = 23} is for those above.
CALLS = {
    "Unary": (BODIES[0], BODIES[0]),
    "Download": (envelope(b"\x08\x03\x10\x04"), payload(bytes(4)) * 3),
    "Upload": (b"".join(BODIES), envelope(b"\x08\x03\x10\x17")),
    "PingPong": (b"".join(BODIES), b"".join(BODIES)),
}


def check_reply(port):
    """One call of each kind: the answer's bytes and grpc-status 0. Raises RuntimeError if not."""
    for method, (request, reply) in CALLS.items():
        with tempfile.NamedTemporaryFile() as body:
            body.write(request)
            body.flush()
            url = f"http://127.0.0.1:{port}{SERVICE}{method}"
            text = _output(["nghttp", "--verbose", *HEADERS, f"--data={body.name}", url])
            plain = _output(["nghttp", *HEADERS, f"--data={body.name}", url])
        if plain != reply:
            raise RuntimeError(f"{method} answered {plain!r} and not {reply!r}")
        if not re.search(rb"grpc-status: 0\s", text):
            raise RuntimeError(f"{method}: no grpc-status 0:\n" + text.decode(errors="replace"))


def _output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10).stdout


def run(port, name, seconds, _requests=None, cpu=None):
    """One run of a scenario. Answers a dict of its figures."""
    pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
    done = subprocess.run(pin + [str(PROGRAM), str(port), *map(str, SCENARIOS[name]), str(seconds)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        raise RuntimeError(f"streamload failed in {name}: {done.stderr}")
    return figures(json.loads(done.stdout))


def figures(raw):
    """What the client counted, and what follows from it."""
    return {
        "messages": raw["messages"],
        "messages_per_second": raw["messages"] / raw["seconds"],
        "calls": raw["calls"],
        "failed": raw["failed"],
        "client_cpus": raw["client_cpu_seconds"] / raw["seconds"],
    }

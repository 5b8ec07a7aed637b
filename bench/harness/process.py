"""A server process under measurement: started on its own CPU, read through /proc, stopped by id."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
START_SECONDS = 60
STOP_SECONDS = 10


class Running:
    """One started server. Use as a context manager: it is stopped however the block ends."""

    def __init__(self, server, port, cpu=None, heap="512m", logs=None):
        self.server = server
        self.port = port
        self.log_path = Path(logs) / f"{server.name}.log" if logs else None
        pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
        log = open(self.log_path, "wb") if self.log_path else subprocess.DEVNULL
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            pin + server.command(port, heap), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        if self.log_path:
            log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def pid(self):
        return self.process.pid

    def await_port(self):
        """Returns when the port accepts; raises RuntimeError with the log's end if it never does."""
        while time.monotonic() - self.started < START_SECONDS and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"{self.server.name} did not start listening on {self.port}\n{self.log_end()}")

    def log_end(self):
        """The last lines the server printed."""
        if not self.log_path:
            return ""
        return "\n".join(self.log_path.read_text(errors="replace").splitlines()[-20:])

    def cpu_seconds(self):
        """User and system time of the whole process so far, all threads, exited ones included."""
        # Fields 14 and 15; the name in field 2 may hold spaces, so count from its closing bracket.
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def rss_bytes(self):
        """Resident memory."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError(f"{self.server.name} has gone\n{self.log_end()}")

    def pause(self):
        """Takes the process off its CPU while another server there is measured."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        if self.process.poll() is not None:
            return
        self.resume()
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def machine_busy_seconds():
    """CPU seconds all processes of the machine have used since it started, over all CPUs."""
    # proc(5): user nice system idle iowait irq softirq steal.
    ticks = [int(t) for t in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / TICKS_PER_SECOND


def children_seconds():
    """CPU seconds of this process and of those it started and awaited (the load generator)."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def free_port(first):
    """The first port from here on that nothing listens on."""
    for port in range(first, 65536):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError(f"no free port from {first} on")

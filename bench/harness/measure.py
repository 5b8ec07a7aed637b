"""Interleaved rounds over a set of started servers, and the medians of what was seen."""

import contextlib
import statistics
import sys
import time
from pathlib import Path

from harness import load, table
from harness.process import Running, children_seconds, free_port, machine_busy_seconds

# Native code needs no compiler's warm-up, only page faults and caches behind it.
NATIVE_WARM_SECONDS = 1
# Warm once this share of the warm-up's length was spent as CPU time, or three times its length has passed.
WARM_CPU_SHARE = 0.6
SETTLE_SECONDS = 0.1


def say(text):
    """Progress goes to standard error, so that standard output is the report alone."""
    print(text, file=sys.stderr, flush=True)


def choose(names, out, service=table.GREETER):
    """The servers of these names that this machine can run, built. Says which it skips and why."""
    rows = table.load(service)
    unknown = [n for n in names if n not in rows]
    if unknown:
        raise SystemExit(f"unknown server {', '.join(unknown)}: one of {', '.join(rows)}")
    chosen = []
    Path(out).mkdir(parents=True, exist_ok=True)
    for server in (rows[n] for n in names):
        reason = server.missing()
        if reason is None:
            say(f"building {server.name} if needed")
            try:
                with open(Path(out) / "build.log", "a", encoding="utf-8") as log:
                    server.build(log)
            except table.Unavailable as failure:
                reason = str(failure)
        if reason:
            say(f"SKIPPED {server.name}: {reason}")
        else:
            chosen.append(server)
    if not chosen:
        raise SystemExit("no server left to measure")
    return chosen


class Bed:
    """The servers under test: all started, on one CPU, all but the measured one stopped (SIGSTOP).

    loader is the module that loads them: load, or streamload.
    """

    def __init__(self, servers, out, server_cpu, client_cpu, heap, loader=load, first_port=7000):
        self.servers = servers
        self.loader = loader
        self.out = out
        self.server_cpu = server_cpu
        self.client_cpu = client_cpu
        self.heap = heap
        self.next_port = first_port
        self.running = {}
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        try:
            for server in self.servers:
                self._start(server)
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(self, *_):
        self.stack.close()

    def _start(self, server):
        port = free_port(self.next_port)
        self.next_port = port + 1
        say(f"starting {server.name} on port {port}")
        run = self.stack.enter_context(Running(server, port, self.server_cpu, self.heap, self.out))
        run.await_port()
        try:
            self.loader.check_reply(port)
        except RuntimeError as failure:
            raise RuntimeError(f"{server.name}: {failure}\n{run.log_end()}") from None
        self.running[server.name] = run
        run.pause()

    @contextlib.contextmanager
    def alone(self, name):
        """The named server runs during the block, and no other."""
        run = self.running[name]
        run.resume()
        try:
            yield run
            # Closed connections and cancelled calls are cleared away now, not on the next run's account.
            time.sleep(SETTLE_SECONDS)
        finally:
            run.pause()

    def warm(self, seconds):
        """Mixed load, so that a JVM has compiled what it will compile."""
        for name, run in self.running.items():
            whole = seconds if run.server.jvm else min(seconds, NATIVE_WARM_SECONDS)
            say(f"warming {name} for {whole:g} s")
            with self.alone(name):
                self._warm(run, whole)

    def _warm(self, run, seconds):
        began = time.monotonic()
        spent = run.cpu_seconds()
        while seconds > 0:
            for scenario in self.loader.WARM_SCENARIOS:
                self.load(run, scenario, duration=max(seconds / len(self.loader.WARM_SCENARIOS), 0.1))
            # On a busy machine a second of time is less than a second of compiling.
            if run.cpu_seconds() - spent > WARM_CPU_SHARE * seconds or time.monotonic() - began > 3 * seconds:
                return

    def load(self, run, scenario, duration=None, requests=None):
        return self.loader.run(run.port, scenario, duration, requests, self.client_cpu)

    def sample(self, name, scenario, duration, requests=None):
        """One measured run: the load generator's figures and the server's CPU per request or message."""
        unit = self.loader.UNIT
        with self.alone(name) as run:
            began, before, others = time.monotonic(), run.cpu_seconds(), machine_busy_seconds() - children_seconds()
            figures = self.load(run, scenario, duration, requests)
            spent = run.cpu_seconds() - before
            others = machine_busy_seconds() - children_seconds() - others - spent
        if figures[f"{unit}s"] == 0:
            raise RuntimeError(f"{name} answered no {unit}\n{run.log_end()}")
        figures["cpu_micros"] = spent * 1e6 / figures[f"{unit}s"]
        figures["rss_bytes"] = run.rss_bytes()
        # What neither the server nor the load generator used: on a quiet machine near 0.
        figures["others_cpus"] = max(0.0, others / (time.monotonic() - began))
        return figures


def rounds(bed, scenarios, count, duration, requests=None):
    """A B A B: every server once per scenario and round. Answers {scenario: {server: [figures]}}."""
    samples = {s: {n: [] for n in bed.running} for s in scenarios}
    total = count * len(scenarios) * len(bed.running)
    done = 0
    began = time.monotonic()
    for turn in range(1, count + 1):
        for name in scenarios:
            for server in bed.running:
                figures = bed.sample(server, name, duration, requests)
                samples[name][server].append(figures)
                done += 1
                left = (time.monotonic() - began) / done * (total - done)
                failed = f"  FAILED {figures['failed']}" if figures["failed"] else ""
                unit = bed.loader.UNIT
                say(f"[{done}/{total}] round {turn} {name} {server}: {figures[f'{unit}s_per_second']:,.0f} {unit}s/s, "
                    f"{figures['cpu_micros']:.2f} µs CPU per {unit}{failed}  ({left:.0f} s left)")
    return samples


def medians(samples):
    """{scenario: {server: figures}}: the median of each figure; failures are summed, not averaged away."""
    return {scenario: {server: _median(runs) for server, runs in by_server.items()}
            for scenario, by_server in samples.items()}


def disturbance(samples):
    """How many CPUs other processes used during the runs, on average."""
    return statistics.mean(run["others_cpus"] for by_server in samples.values() for runs in by_server.values() for run in runs)


def _median(runs):
    figures = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    figures["failed"] = sum(run["failed"] for run in runs)
    figures["cpu_micros_least"] = min(run["cpu_micros"] for run in runs)
    figures["cpu_micros_most"] = max(run["cpu_micros"] for run in runs)
    return figures

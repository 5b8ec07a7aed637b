"""Figures as Markdown and JSON."""

import json
import os
import platform
import subprocess
import time
from pathlib import Path


def machine():
    """What a reader must know to judge absolute figures."""
    model = "unknown CPU"
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0] if names else model
    return {
        "cpu": model,
        "cpus": os.cpu_count(),
        "kernel": f"{platform.system()} {platform.release()}",
        "java": _first_line(["java", "-version"]),
        "h2load": _first_line(["h2load", "--version"]),
        "date": time.strftime("%Y-%m-%d"),
    }


def _first_line(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        return done.stdout.splitlines()[0]
    except (OSError, IndexError):
        return "not installed"


def markdown_table(head, rows):
    """A table whose columns also line up when printed as plain text; all but the first are right-aligned."""
    cells = [head] + rows
    widths = [max(len(str(row[i])) for row in cells) for i in range(len(head))]

    def line(row):
        return "| " + " | ".join(
            str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(row, widths))) + " |"

    rule = "|" + "|".join(("-" * (w + 2)) if i == 0 else ("-" * (w + 1) + ":") for i, w in enumerate(widths)) + "|"
    return "\n".join([line(head), rule] + [line(r) for r in rows])


def time_text(micros):
    """Microseconds in the unit that reads best."""
    for limit, unit, divisor in ((1e3, "µs", 1), (1e6, "ms", 1e3)):
        if micros < limit:
            return f"{micros / divisor:.3g} {unit}"
    return f"{micros / 1e6:.3g} s"


def mebibytes(count):
    return f"{count / 2**20:.0f}"


def ratio(value, to):
    return f"{value / to:.2f}" if to else "–"


def scenario_tables(medians, shapes, baseline):
    """One table per scenario, its ratios taken to the baseline server; then all CPU ratios in one."""
    parts = []
    for scenario, servers in medians.items():
        clients, streams = shapes[scenario]
        base = servers.get(baseline)
        rows = [_scenario_row(name, f, base) for name, f in servers.items()]
        parts.append(f"### {scenario}: {clients} client{'s' * (clients > 1)} × {streams} stream{'s' * (streams > 1)}\n\n" + markdown_table(
            ["server", "req/s", "failed", "mean", "max", "CPU µs/req", "least–most", "RSS MiB", "CPU ratio", "req/s ratio"], rows))
    if baseline:
        names = list(next(iter(medians.values())))
        rows = [[n] + [ratio(s[n]["cpu_micros"], s[baseline]["cpu_micros"]) for s in medians.values()] for n in names]
        parts.append(f"### CPU per request, as a ratio to {baseline}\n\n" + markdown_table(["server", *medians], rows))
    return "\n\n".join(parts) + "\n"


def _scenario_row(name, f, base):
    return [
        name, f"{f['requests_per_second']:,.0f}", f["failed"], time_text(f["mean_micros"]), time_text(f["max_micros"]),
        f"{f['cpu_micros']:.2f}", f"{f['cpu_micros_least']:.2f}–{f['cpu_micros_most']:.2f}",
        mebibytes(f["rss_bytes"]),
        ratio(f["cpu_micros"], base["cpu_micros"]) if base else "–",
        ratio(f["requests_per_second"], base["requests_per_second"]) if base else "–",
    ]


def stream_tables(medians, scenarios, large_bytes, baseline):
    """The CPU ratios of all scenarios in one table, then one table per scenario."""
    names = list(next(iter(medians.values())))
    rows = [[s] + [ratio(f[n]["cpu_micros"], f[baseline]["cpu_micros"]) for n in names] for s, f in medians.items()]
    parts = [f"### CPU per message, as a ratio to {baseline}\n\n" + markdown_table(["scenario", *names], rows)]
    for name, servers in medians.items():
        kind, size, count, connections, streams = scenarios[name]
        # Messages per megabyte turn CPU per message into CPU per megabyte.
        per, unit = (1e6 / size, "MB") if size >= large_bytes else (1, "message")
        rows = [_stream_row(n, f, size, per, servers[baseline]) for n, f in servers.items()]
        parts.append(
            f"### {name}: {kind}, {size:,} B, {count:,} messages per call, {connections} × {streams} streams\n\n" + markdown_table(
                ["server", "messages/s", "MB/s", "failed", f"CPU µs/{unit}", "least–most", "RSS MiB", "client CPUs", "CPU ratio", "rate ratio"], rows))
    return "\n\n".join(parts) + "\n"


def _stream_row(name, f, size, per, base):
    return [
        name, f"{f['messages_per_second']:,.0f}", f"{f['messages_per_second'] * size / 1e6:,.1f}", f["failed"],
        f"{f['cpu_micros'] * per:.3g}", f"{f['cpu_micros_least'] * per:.3g}–{f['cpu_micros_most'] * per:.3g}",
        mebibytes(f["rss_bytes"]), f"{f['client_cpus']:.2f}",
        ratio(f["cpu_micros"], base["cpu_micros"]),
        ratio(f["messages_per_second"], base["messages_per_second"]),
    ]


def http_tables(medians):
    """One table per scenario; the first server's CPU as a ratio to each of the others."""
    parts = []
    for name, servers in medians.items():
        ours = next(iter(servers.values()))
        rows = [[n, f"{f['requests_per_second']:,.0f}", f["failed"], time_text(f["mean_micros"]), time_text(f["max_micros"]),
                 f"{f['cpu_micros']:.2f}", f"{f['cpu_micros_least']:.2f}–{f['cpu_micros_most']:.2f}", mebibytes(f["rss_bytes"]),
                 ratio(ours["cpu_micros"], f["cpu_micros"]), ratio(ours["requests_per_second"], f["requests_per_second"])]
                for n, f in servers.items()]
        parts.append(f"### {name}\n\n" + markdown_table(
            ["server", "req/s", "failed", "mean", "max", "CPU µs/req", "least–most", "RSS MiB", "our CPU to it", "our req/s to it"], rows))
    return "\n\n".join(parts) + "\n"


def handshake_tables(medians, baseline):
    """One table for each kind of handshake; ratios are taken to the baseline server."""
    parts = []
    for name, servers in medians.items():
        base = servers[baseline]
        rows = [[n, f"1.{f['tls_minor']:.0f}", f"{f['resumed']:.0%}", f"{f['handshakes_per_second']:,.0f}", f["failed"], f"{f['cpu_micros']:.0f}",
                 f"{f['cpu_micros_least']:.0f}–{f['cpu_micros_most']:.0f}", mebibytes(f["rss_bytes"]),
                 ratio(f["cpu_micros"], base["cpu_micros"])] for n, f in servers.items()]
        parts.append(f"### Handshakes, {name}\n\n" + markdown_table(
            ["server", "TLS", "resumed", "handshakes/s", "failed", "CPU µs/handshake", "least–most", "RSS MiB", "CPU ratio"], rows))
    return "\n\n".join(parts) + "\n"


def machine_text(facts):
    return (f"{facts['date']}, {facts['cpus']} × {facts['cpu']}, {facts['kernel']}, {facts['java']}, {facts['h2load']}")


def write(out, name, markdown, data):
    """Writes NAME.md and NAME.json to the folder."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(markdown, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

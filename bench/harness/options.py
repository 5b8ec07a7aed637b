"""What the scripts that measure rounds have in common: options, and what they say of the run."""

import argparse

from harness import measure, table

# Above this the figures say as much about the neighbours as about the servers.
QUIET_CPUS = 0.1


def parser(text, name, duration, warmup, files, epilog=None):
    """A parser with the options of every such script; NAME is the folder below bench/target."""
    made = argparse.ArgumentParser(description=text, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--duration", type=float, default=duration, help="seconds per measured run (default: %(default)s)")
    made.add_argument("--rounds", type=int, default=3, help="runs of each pair; the median counts (default: %(default)s)")
    made.add_argument("--warmup", type=float, default=warmup, help="seconds of mixed load per JVM first (default: %(default)s)")
    made.add_argument("--heap", default="512m", help="-Xms and -Xmx of JVM servers (default: %(default)s)")
    made.add_argument("--server-cpu", type=int, default=0, help="(default: %(default)s)")
    made.add_argument("--client-cpu", type=int, default=1, help="(default: %(default)s)")
    made.add_argument("--out", default=str(table.BENCH / "target" / name),
                      help=f"folder for {files} and logs (default: bench/target/{name})")
    made.add_argument("--list", action="store_true", help="print the servers, and what this machine lacks for them")
    return made


def print_servers(services):
    """Every server of the services, and why this machine cannot run it."""
    for service in services:
        for server in table.load(service).values():
            reason = server.missing()
            print((f"{service:8} " if len(services) > 1 else "")
                  + f"{server.name:20} {server.label}" + (f"  [not here: {reason}]" if reason else ""))


def method(options, samples, unit, load):
    """How the medians came about, and how quiet it was."""
    cpus = measure.disturbance(samples)
    text = (f"Medians of {options.rounds} interleaved rounds of {options.duration:g} s; server on one CPU, the {load} on another. "
            f"Other processes used {cpus:.2f} CPUs during the runs.")
    if cpus > QUIET_CPUS:
        text += f" The machine was not quiet: CPU per {unit} bears it, {unit}s per second do not."
    return text


def fail_if_any(medians, what):
    """Ends the run if anything failed in it."""
    failed = sum(f["failed"] for by_server in medians.values() for f in by_server.values())
    if failed:
        raise SystemExit(f"{failed} {what} failed")


def run(main):
    """Runs a script; a failure is one sentence."""
    try:
        main()
    except RuntimeError as failure:
        raise SystemExit(f"error: {failure}")
    except KeyboardInterrupt:
        raise SystemExit(130)

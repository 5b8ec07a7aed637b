"""The table of servers (bench/servers.ini): how each is built and started."""

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
# Where harness.tlsload puts what servers prove who they are with.
CERTIFICATES = BENCH / "target" / "certificates"

# Same heap and collector for every JVM, so that none wins by a flag. With one CPU the JVM would
# choose the serial collector by itself; said here, the figures do not depend on the machine.
COLLECTOR = "-XX:+UseSerialGC"

# What servers serve if their row does not say otherwise.
GREETER = "greeter"


class Unavailable(Exception):
    """This machine cannot build or run the server; the text says what is missing."""


class Server:
    """One row of the table."""

    def __init__(self, name, row):
        self.name = name
        self.label = row.get("label", name)
        self.row = row
        self.jvm = "main" in row

    def command(self, port, heap):
        """The argument list that starts the server on a port; heap as "512m", or "16m:512m" from least to most."""
        if not self.jvm:
            return self._words("start", port)
        module = ROOT / self.row["module"]
        path = f"{module / 'target/classes'}:{(module / 'target/bench-classpath').read_text().strip()}"
        least, _, most = heap.partition(":")
        flags = [f"-Xms{least}", f"-Xmx{most or least}", COLLECTOR] + self._words("jvm", port)
        return [self.java(), *flags, "-cp", path, *self._words("main", port), *self._words("args", port)]

    def java(self):
        """The java executable: JAVA_HOME's or PATH's, or the newest that the row's least version asks for."""
        least = self.row.getint("java", fallback=0)
        return newer_java(least) if least else any_java()

    def missing(self):
        """Why this machine cannot run the server, in one sentence, or None."""
        for tool in self.row.get("needs", "").split():
            if not shutil.which(tool):
                return f"{tool} is not installed"
        try:
            if self.jvm:
                self.java()
        except Unavailable as reason:
            return str(reason)
        return None

    def build(self, log):
        """Builds what is missing or older than its sources. Output goes to the open file log."""
        made = ROOT / (f"{self.row['module']}/target/bench-classpath" if self.jvm else self.row["makes"])
        sources = [ROOT / s for s in self.row["sources"].split()]
        if made.exists() and made.stat().st_mtime >= newest(sources):
            return
        made.parent.mkdir(parents=True, exist_ok=True)
        command = self._maven() if self.jvm else self._words("build", 0)
        print("$", *command, file=log, flush=True)
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        if done.returncode != 0 or not made.exists():
            raise Unavailable(f"the build failed, see {log.name}")
        os.utime(made)

    def _maven(self):
        return [
            "mvn", "-B", "-ntp", "-Pbench", "-pl", self.row["module"], "-am",
            "-DskipTests", "-Dspotless.check.skip=true",
            # The package phase, so that the class path names jars of this tree and not installed ones.
            "package", "dependency:build-classpath", "-Dmdep.outputFile=target/bench-classpath",
        ]

    def _words(self, key, port):
        text = self.row.get(key, "")
        return [w.format(port=port, bench=BENCH, root=ROOT, tls=CERTIFICATES) for w in text.split()]


def load(service=None):
    """All rows, or those that serve a service, in the order of the file: name -> Server."""
    ini = configparser.ConfigParser(interpolation=None)
    ini.read(BENCH / "servers.ini", encoding="utf-8")
    return {name: Server(name, ini[name]) for name in ini.sections()
            if service is None or service in ini[name].get("serves", GREETER).split()}


def newest(paths):
    """The latest modification time of any file below the paths, build output left out."""
    latest = 0.0
    for path in paths:
        if path.is_file():
            latest = max(latest, path.stat().st_mtime)
        for folder, folders, files in os.walk(path):
            folders[:] = [f for f in folders if f not in ("target", ".git")]
            for file in files:
                latest = max(latest, os.stat(os.path.join(folder, file)).st_mtime)
    return latest


def any_java():
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not java or not os.path.exists(java):
        raise Unavailable("no java found: install a JDK 17 or newer, or set JAVA_HOME")
    return java


def newer_java(least):
    """The newest JDK of the usual places that is at least this version."""
    found = []
    homes = [Path(p) for p in (os.environ.get("NEWER_JAVA_HOME"), os.environ.get("JAVA_HOME")) if p]
    homes += sorted(Path("/usr/lib/jvm").glob("*")) if Path("/usr/lib/jvm").is_dir() else []
    for home in homes:
        release = home / "release"
        if (home / "bin/java").exists() and release.exists():
            match = re.search(r'JAVA_VERSION="(\d+)', release.read_text())
            if match and int(match.group(1)) >= least:
                found.append((int(match.group(1)), str(home / "bin/java")))
    if not found:
        raise Unavailable(f"needs a JDK {least} or newer: set NEWER_JAVA_HOME")
    return max(found)[1]

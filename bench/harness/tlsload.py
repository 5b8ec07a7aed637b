"""The load of bench/tls: h2load over TLS, and a client of handshakes and nothing else."""

import re
import subprocess
import sys

from harness import load
from harness.table import BENCH, CERTIFICATES

# h2load never ends if the time is over while a client still shakes hands.
LEAST_SECONDS = 2


class Calls:
    """The service's calls. A loader of measure.Bed."""

    UNIT = "request"
    # As without TLS, but no more handshakes than a cold server has done before the time is over.
    WARM_SCENARIOS = ["2b", "20x10", "1a", "20x1", "2b"]

    def check_reply(self, port):
        load.check_reply(port, "https")

    def run(self, port, name, seconds, requests, cpu):
        return load.run(port, name, seconds and max(seconds, LEAST_SECONDS), requests, cpu, "https")


class Handshakes:
    """Connections which end with the handshake: full ones, and ones that resume a session."""

    UNIT = "handshake"
    SCENARIOS = ["new", "resumed"]
    WARM_SCENARIOS = SCENARIOS

    def check_reply(self, port):
        load.check_reply(port, "https")

    def run(self, port, name, seconds, _requests, cpu):
        done = subprocess.run(
            ["taskset", "-c", str(cpu), sys.executable, str(BENCH / "harness/handshakes.py"), str(port), str(seconds),
             str(CERTIFICATES / "certificate.pem"), name],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        return parse(done.stdout, seconds)


def parse(text, seconds):
    """What the client counted."""
    found = re.fullmatch(r"(\d+) (\d+) (\d+) TLSv1\.([23])", text.strip())
    if not found:
        raise RuntimeError(f"the client of handshakes failed:\n{text}")
    count = int(found.group(1))
    return {"handshakes": count, "handshakes_per_second": count / seconds, "failed": int(found.group(3)),
            "resumed": int(found.group(2)) / max(1, count), "tls_minor": int(found.group(4))}


def certificate():
    """Makes the certificate of all servers, ECDSA on P-256, which most use today."""
    CERTIFICATES.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", str(CERTIFICATES / "key.pem"), "-out", str(CERTIFICATES / "certificate.pem")],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

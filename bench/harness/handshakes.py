"""Connections that end with the TLS handshake: PORT SECONDS CERTIFICATE new|resumed. Prints how many were done, were resumed and failed, and the version of TLS."""

import socket
import ssl
import sys
import time

TIMEOUT_SECONDS = 10
# RFC 9113, 3.4: what a client sends first, with an empty SETTINGS frame. Some servers wait for it.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def client(certificate):
    """TLS 1.2 or 1.3 with h2: what a gRPC client says."""
    context = ssl.create_default_context(cafile=certificate)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["h2"])
    return context


def connect(context, port, session=None):
    """One handshake; answers its socket."""
    plain = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(plain, server_hostname="localhost", session=session)


def await_session(context, port):
    """A session that later connections can resume: its ticket comes behind the handshake, with the first bytes."""
    with connect(context, port) as secured:
        secured.sendall(PREFACE)
        secured.recv(1)
        return secured.session


def complete(secured):
    """Whether it came to its end. A server has done its part when its first bytes, SETTINGS, are here."""
    secured.sendall(PREFACE)
    return secured.selected_alpn_protocol() == "h2" and len(secured.recv(1)) == 1


def main():
    port, seconds, resumed = int(sys.argv[1]), float(sys.argv[2]), sys.argv[4] == "resumed"
    context = client(sys.argv[3])
    session = await_session(context, port) if resumed else None
    done = reused = failed = 0
    version = None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with connect(context, port, session) as secured:
                version = secured.version()
                if complete(secured):
                    done += 1
                    reused += secured.session_reused
                else:
                    failed += 1
        except OSError:
            failed += 1
    print(done, reused, failed, version)


if __name__ == "__main__":
    main()

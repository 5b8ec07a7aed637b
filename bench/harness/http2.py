"""Just enough of an HTTP/2 client (RFC 9113, prior knowledge) to open connections and make one call."""

import socket
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, GOAWAY = 0, 1, 4, 7
END_STREAM, ACK, END_HEADERS = 1, 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """RFC 7541, 6.2.2: a literal without indexing, new name, no Huffman coding."""
    return b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


class Client:
    """One connection. Blocking; raises OSError when the peer goes away."""

    def __init__(self, port, timeout=10):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def open(self):
        """Sends preface and SETTINGS, awaits the server's SETTINGS and acknowledges them."""
        self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0))
        while True:
            kind, flags, _, _ = self.read_frame()
            if kind == SETTINGS and not flags & ACK:
                self.socket.sendall(frame(SETTINGS, ACK, 0))
                return self

    def call(self, path, message):
        """One unary call on stream 1: returns when the server has ended it, with the body's bytes."""
        fields = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "localhost",
                  "content-type": "application/grpc", "te": "trailers"}
        block = b"".join(literal(n, v) for n, v in fields.items())
        self.socket.sendall(frame(HEADERS, END_HEADERS, 1, block) + frame(DATA, END_STREAM, 1, message))
        body = b""
        while True:
            kind, flags, stream, payload = self.read_frame()
            if kind == SETTINGS and not flags & ACK:
                self.socket.sendall(frame(SETTINGS, ACK, 0))
            if kind == GOAWAY:
                raise OSError("the server said GOAWAY: " + repr(payload))
            if stream == 1 and kind == DATA:
                body += payload
            if stream == 1 and kind in (DATA, HEADERS) and flags & END_STREAM:
                return body

    def read_frame(self):
        header = self._take(9)
        length = int.from_bytes(header[:3], "big")
        kind, flags, stream = struct.unpack(">BBI", header[3:])
        return kind, flags, stream, self._take(length)

    def _take(self, count):
        while len(self.received) < count:
            more = self.socket.recv(65536)
            if not more:
                raise OSError("the server closed the connection")
            self.received += more
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def close(self):
        self.socket.close()


def first_reply(port, path, message, give_up_seconds):
    """Tries until a call is answered; returns the body. For measuring a start: polls every half millisecond."""
    until = time.monotonic() + give_up_seconds
    while True:
        try:
            client = Client(port)
            try:
                # Everything at once: a client need not await the server's SETTINGS.
                client.socket.sendall(PREFACE + frame(SETTINGS, 0, 0))
                return client.call(path, message)
            finally:
                client.close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.0005)

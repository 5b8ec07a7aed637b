"""Checks a server with Python's grpcio.

One "ok NAME" or "not ok NAME: why" per check, then "done". The generated
modules must be on the module search path.
"""

import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import grpc
from helloworld import helloworld_pb2, helloworld_pb2_grpc
from helloworld.v1 import helloworld_pb2 as v1_pb2
from helloworld.v1 import helloworld_pb2_grpc as v1_pb2_grpc
from peregrine.conformance.v1 import probe_pb2, probe_pb2_grpc, streams_pb2, streams_pb2_grpc

# Two UTF-8 lengths, a line break and the escape character itself.
AWKWARD_TEXT = "100% größer\nline2 🚀"
MESSAGE_LIMIT_BYTES = 4 << 20
# Tag and length of a bytes field of 4 MiB.
ECHO_OVERHEAD_BYTES = 5
CONCURRENT_CALLS = 1000
TIMEOUT_SECONDS = 30
ITEMS = 500
ITEM_PAYLOAD_BYTES = 10_000
# More than anybody waits for: only a cancel ends it.
ENDLESS_ITEMS = 1 << 30


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def refused(call, code):
    """The error of a call that must fail with the given code."""
    try:
        call()
    except grpc.RpcError as error:
        expect(error.code() == code, f"wanted {code}, got {error.code()} {error.details()}")
        return error
    raise AssertionError(f"wanted {code}, got a reply")


def hello(channel, probe):
    v1 = v1_pb2_grpc.GreeterStub(channel)
    reply = v1.Hello(v1_pb2.HelloRequest(name="grpcio"), timeout=TIMEOUT_SECONDS)
    expect(reply.message == "Hello `grpcio` 👋", f"Hello answered {reply.message!r}")
    plain = helloworld_pb2_grpc.GreeterStub(channel)
    reply = plain.SayHello(helloworld_pb2.HelloRequest(name="grpcio"), timeout=TIMEOUT_SECONDS)
    expect(reply.message == "Hello grpcio!", f"SayHello answered {reply.message!r}")


def unknown(channel, path):
    call = channel.unary_unary(path, lambda request: request, lambda reply: reply)
    refused(lambda: call(b"", timeout=TIMEOUT_SECONDS), grpc.StatusCode.UNIMPLEMENTED)


def unknown_method(channel, probe):
    unknown(channel, "/peregrine.conformance.v1.Probe/Missing")


def unknown_service(channel, probe):
    unknown(channel, "/peregrine.conformance.v1.Missing/Echo")


def status_text(channel, probe):
    code = grpc.StatusCode.FAILED_PRECONDITION
    request = probe_pb2.FailRequest(code=code.value[0], text=AWKWARD_TEXT)
    error = refused(lambda: probe.Fail(request, timeout=TIMEOUT_SECONDS), code)
    expect(error.details() == AWKWARD_TEXT, f"status text {error.details()!r}")


def metadata(channel, probe):
    every = bytes(range(256))
    sent = (
        ("echo-text", "one"),
        ("echo-text", "two"),
        ("echo-bytes-bin", every),
        ("echo-bytes-bin", b""),
        ("echo-trailing-text", "three"),
        ("echo-trailing-bytes-bin", every[:1]),
    )
    _, call = probe.Metadata.with_call(
        probe_pb2.MetadataRequest(), metadata=sent, timeout=TIMEOUT_SECONDS
    )
    for place, found in (("", call.initial_metadata()), ("trailing-", call.trailing_metadata())):
        for name in (f"echo-{place}text", f"echo-{place}bytes-bin"):
            wanted = [value for key, value in sent if key == name]
            got = [value for key, value in found if key == name]
            expect(got == wanted, f"{name} is {got!r}, not {wanted!r}")


def empty_message(channel, probe):
    reply = probe.Echo(probe_pb2.EchoRequest(), timeout=TIMEOUT_SECONDS)
    expect(reply.payload == b"", f"{len(reply.payload)} bytes came back")


def message_at_limit(channel, probe):
    for message_bytes in (300 << 10, MESSAGE_LIMIT_BYTES - 1, MESSAGE_LIMIT_BYTES):
        payload = (b"0123456789abcdef" * (message_bytes // 16 + 1))[
            : message_bytes - ECHO_OVERHEAD_BYTES
        ]
        reply = probe.Echo(probe_pb2.EchoRequest(payload=payload), timeout=TIMEOUT_SECONDS)
        expect(reply.payload == payload, f"message of {message_bytes} bytes came back changed")


def message_over_limit(channel, probe):
    request = probe_pb2.EchoRequest(payload=bytes(MESSAGE_LIMIT_BYTES + 1 - ECHO_OVERHEAD_BYTES))
    refused(
        lambda: probe.Echo(request, timeout=TIMEOUT_SECONDS),
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    )
    empty_message(channel, probe)


def concurrent(channel, probe):
    payloads = [bytes([i % 256, i // 256]) * (1 + i) for i in range(CONCURRENT_CALLS)]
    calls = [
        probe.Echo.future(probe_pb2.EchoRequest(payload=payload), timeout=TIMEOUT_SECONDS)
        for payload in payloads
    ]
    for i, call in enumerate(calls):
        expect(call.result().payload == payloads[i], f"call {i} came back changed")


def threads(channel, probe):
    """Blocking calls from many threads share one connection."""
    with ThreadPoolExecutor(32) as pool:
        for outcome in [pool.submit(empty_message, channel, probe) for _ in range(200)]:
            outcome.result()


def item(number, payload_bytes):
    return streams_pb2.Item(number=number, payload=bytes(payload_bytes))


def expect_item(found, number, payload_bytes):
    expect(
        (found.number, len(found.payload)) == (number, payload_bytes),
        f"item {found.number} of {len(found.payload)} bytes in the place of {number}",
    )


def download(channel, probe):
    request = streams_pb2.DownloadRequest(items=ITEMS, payload_bytes=ITEM_PAYLOAD_BYTES)
    stub = streams_pb2_grpc.StreamsStub(channel)
    found = list(stub.Download(request, timeout=TIMEOUT_SECONDS))
    expect(len(found) == ITEMS, f"{len(found)} items came")
    for number, one in enumerate(found):
        expect_item(one, number, ITEM_PAYLOAD_BYTES)


def download_status(channel, probe):
    code = grpc.StatusCode.FAILED_PRECONDITION
    request = streams_pb2.DownloadRequest(items=5, code=code.value[0], text=AWKWARD_TEXT)
    stream = streams_pb2_grpc.StreamsStub(channel).Download(request, timeout=TIMEOUT_SECONDS)
    for number in range(5):
        expect_item(next(stream), number, 0)
    error = refused(lambda: next(stream), code)
    expect(error.details() == AWKWARD_TEXT, f"status text {error.details()!r}")


def upload(channel, probe):
    items = (item(number, ITEM_PAYLOAD_BYTES) for number in range(ITEMS))
    total = streams_pb2_grpc.StreamsStub(channel).Upload(items, timeout=TIMEOUT_SECONDS)
    expect(
        (total.items, total.payload_bytes) == (ITEMS, ITEMS * ITEM_PAYLOAD_BYTES),
        f"{total.items} items of {total.payload_bytes} bytes arrived",
    )


def chat(channel, probe):
    asked = SimpleQueue()
    stub = streams_pb2_grpc.StreamsStub(channel)
    stream = stub.Chat(iter(asked.get, None), timeout=TIMEOUT_SECONDS)
    for number in range(ITEMS):
        asked.put(item(number, number))
        expect_item(next(stream), number, number)
    asked.put(None)
    expect(next(stream, None) is None, "an item after the last one")


def cancel(channel, probe):
    request = streams_pb2.DownloadRequest(items=ENDLESS_ITEMS)
    stream = streams_pb2_grpc.StreamsStub(channel).Download(request, timeout=TIMEOUT_SECONDS)
    for number in range(10):
        expect_item(next(stream), number, 0)
    stream.cancel()
    refused(lambda: deque(stream, maxlen=0), grpc.StatusCode.CANCELLED)
    empty_message(channel, probe)


CHECKS = (
    ("hello", hello),
    ("unknown-method", unknown_method),
    ("unknown-service", unknown_service),
    ("status-text", status_text),
    ("metadata", metadata),
    ("empty-message", empty_message),
    ("message-at-limit", message_at_limit),
    ("message-over-limit", message_over_limit),
    ("concurrent", concurrent),
    ("threads", threads),
    ("download", download),
    ("download-status", download_status),
    ("upload", upload),
    ("chat", chat),
    ("cancel", cancel),
)


def main():
    failed = False
    options = [
        ("grpc.max_receive_message_length", 2 * MESSAGE_LIMIT_BYTES),
        ("grpc.max_send_message_length", 2 * MESSAGE_LIMIT_BYTES),
    ]
    with grpc.insecure_channel(sys.argv[1], options=options) as channel:
        probe = probe_pb2_grpc.ProbeStub(channel)
        for name, check in CHECKS:
            try:
                check(channel, probe)
                print("ok", name)
            except Exception as error:  # every failure of a check is its result
                failed = True
                print(f"not ok {name}: {error!r}")
    print("done")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

/*
 * The floor: what the kernel alone costs.
 *
 * One thread, one epoll loop. It finds frame borders and the ends of requests, and answers each
 * request with the same canned 61 bytes (RFC 9113 frames, RFC 7541 blocks). It parses no header,
 * checks nothing and calls no handler, so no server that does can use less CPU per request.
 *
 * One read and one write per wake-up of a connection. Not a server for anything but benchmarks:
 * it believes its peer.
 *
 *   floor [PORT]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    PREFACE_BYTES = 24,
    FRAME_HEADER_BYTES = 9,
    READ_BYTES = 64 * 1024,
    /* The densest input is a 9 byte HEADERS frame with END_STREAM: 87 bytes out for 9 in. */
    WRITE_BYTES = READ_BYTES * 10 + 1024,
    EVENTS = 256,
    /* Credit is given back when this much was taken, so that long runs never stall. */
    CREDIT_BYTES = 1 << 30,
};

enum { DATA = 0, HEADERS = 1, SETTINGS = 4, PING = 6, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };

struct connection {
    int fd;
    uint32_t skip;   /* bytes of preface or frame payload still to pass over */
    uint32_t credit; /* DATA bytes taken since the last WINDOW_UPDATE */
    int tabled;      /* the two header fields are in the client's dynamic table */
    int writing;     /* waits for EPOLLOUT; nothing is read meanwhile */
    int pinging;     /* the payload being passed over is a PING's, to be echoed */
    uint8_t head[FRAME_HEADER_BYTES + 8];
    uint32_t headed;
    uint8_t *pending; /* what the socket did not take */
    size_t pending_from, pending_to;
};

static uint8_t input[READ_BYTES];
static uint8_t output[WRITE_BYTES];
static size_t output_bytes;

static const uint8_t message[] = "\x00\x00\x00\x00\x1a\x0a\x18Hello `grpc-client` \xf0\x9f\x91\x8b";
static const uint8_t first_head[] = "\x88\x5f\x8b\x1d\x75\xd0\x62\x0d\x26\x3d\x4c\x4d\x65\x64";
static const uint8_t first_trailers[] = "\x40\x88\x9a\xca\xc8\xb2\x12\x34\xda\x8f\x01\x30";
static const uint8_t next_head[] = "\x88\xbf";
static const uint8_t next_trailers[] = "\xbe";
/* MAX_CONCURRENT_STREAMS = 1000; connection window = 2^31 - 1. */
static const uint8_t greeting[] =
    "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x03\xe8"
    "\x00\x00\x04\x08\x00\x00\x00\x00\x00\x7f\xff\x00\x00";

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void append(const void *bytes, size_t count) {
    memcpy(output + output_bytes, bytes, count);
    output_bytes += count;
}

static void append_frame(int type, int flags, uint32_t stream, const void *payload, size_t count) {
    uint8_t header[FRAME_HEADER_BYTES] = {
        (uint8_t)(count >> 16), (uint8_t)(count >> 8), (uint8_t)count, (uint8_t)type, (uint8_t)flags,
        (uint8_t)(stream >> 24), (uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream};
    append(header, sizeof header);
    append(payload, count);
}

static void append_reply(struct connection *c, uint32_t stream) {
    int first = !c->tabled;
    c->tabled = 1;
    append_frame(HEADERS, END_HEADERS, stream, first ? first_head : next_head,
                 first ? sizeof first_head - 1 : sizeof next_head - 1);
    append_frame(DATA, 0, stream, message, sizeof message - 1);
    append_frame(HEADERS, END_HEADERS | END_STREAM, stream, first ? first_trailers : next_trailers,
                 first ? sizeof first_trailers - 1 : sizeof next_trailers - 1);
}

/* A frame header is complete: answer what needs an answer, and pass over the payload. */
static void on_frame(struct connection *c) {
    const uint8_t *h = c->head;
    uint32_t length = (uint32_t)h[0] << 16 | (uint32_t)h[1] << 8 | h[2];
    int type = h[3], flags = h[4];
    uint32_t stream = ((uint32_t)h[5] << 24 | (uint32_t)h[6] << 16 | (uint32_t)h[7] << 8 | h[8]) & 0x7fffffffu;
    c->skip = length;
    if (type == DATA) {
        c->credit += length;
        if (c->credit >= CREDIT_BYTES) {
            uint8_t increment[4] = {(uint8_t)(c->credit >> 24), (uint8_t)(c->credit >> 16),
                                    (uint8_t)(c->credit >> 8), (uint8_t)c->credit};
            append_frame(WINDOW_UPDATE, 0, 0, increment, sizeof increment);
            c->credit = 0;
        }
    }
    if ((type == DATA || type == HEADERS) && (flags & END_STREAM)) {
        append_reply(c, stream);
    } else if (type == SETTINGS && !(flags & ACK)) {
        append_frame(SETTINGS, ACK, 0, "", 0);
    } else if (type == PING && !(flags & ACK) && length == 8) {
        c->pinging = 1;
        c->skip = 0;
    }
}

static void take(struct connection *c, const uint8_t *bytes, size_t count) {
    size_t at = 0;
    while (at < count) {
        if (c->skip > 0) {
            size_t step = count - at < c->skip ? count - at : c->skip;
            at += step;
            c->skip -= (uint32_t)step;
            continue;
        }
        size_t whole = FRAME_HEADER_BYTES + (c->pinging ? 8 : 0);
        size_t step = count - at < whole - c->headed ? count - at : whole - c->headed;
        memcpy(c->head + c->headed, bytes + at, step);
        c->headed += (uint32_t)step;
        at += step;
        if (c->headed < whole) return;
        if (c->pinging) {
            append_frame(PING, ACK, 0, c->head + FRAME_HEADER_BYTES, 8);
            c->pinging = 0;
            c->headed = 0;
            continue;
        }
        on_frame(c);
        if (!c->pinging) c->headed = 0;
    }
}

static void discard(struct connection *c) {
    close(c->fd);
    free(c->pending);
    free(c);
}

static void watch(int epoll, struct connection *c, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &event) < 0) fail("epoll_ctl");
}

/* Writes the burst's output; what the socket does not take waits for EPOLLOUT. Answers 0 if the peer is gone. */
static int write_burst(int epoll, struct connection *c) {
    if (output_bytes == 0) return 1;
    ssize_t written = write(c->fd, output, output_bytes);
    if (written < 0) {
        if (errno != EAGAIN) return 0;
        written = 0;
    }
    size_t left = output_bytes - (size_t)written;
    if (left > 0) {
        c->pending = malloc(left);
        if (c->pending == NULL) fail("malloc");
        memcpy(c->pending, output + written, left);
        c->pending_from = 0;
        c->pending_to = left;
        c->writing = 1;
        watch(epoll, c, EPOLLOUT);
    }
    return 1;
}

static int write_pending(int epoll, struct connection *c) {
    ssize_t written = write(c->fd, c->pending + c->pending_from, c->pending_to - c->pending_from);
    if (written < 0) return errno == EAGAIN;
    c->pending_from += (size_t)written;
    if (c->pending_from == c->pending_to) {
        free(c->pending);
        c->pending = NULL;
        c->writing = 0;
        watch(epoll, c, EPOLLIN);
    }
    return 1;
}

static int serve(int epoll, struct connection *c) {
    if (c->writing) return write_pending(epoll, c);
    ssize_t count = read(c->fd, input, sizeof input);
    if (count <= 0) return count < 0 && errno == EAGAIN;
    output_bytes = 0;
    take(c, input, (size_t)count);
    return write_burst(epoll, c);
}

static void admit(int epoll, int listener) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (fd < 0) return;
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct connection *c = calloc(1, sizeof *c);
        if (c == NULL) fail("calloc");
        c->fd = fd;
        c->skip = PREFACE_BYTES;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
        output_bytes = 0;
        append(greeting, sizeof greeting - 1);
        if (!write_burst(epoll, c)) discard(c);
    }
}

static int listen_on(uint16_t port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (listener < 0) fail("socket");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(listener, 4096) < 0) fail("listen");
    return listener;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    int listener = listen_on((uint16_t)(argc > 1 ? atoi(argv[1]) : 7000));
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0) fail("epoll");
    struct epoll_event events[EVENTS];
    for (;;) {
        int ready = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            struct connection *c = events[i].data.ptr;
            if (c == NULL) {
                admit(epoll, listener);
            } else if (!serve(epoll, c)) {
                discard(c);
            }
        }
    }
}

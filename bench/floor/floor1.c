/*
 * The floor of HTTP/1.1: what the kernel alone costs.
 *
 * One thread, one epoll loop. It counts the ends of header sections ("\r\n\r\n") and answers each
 * with the same canned response; a request with content would not be understood. It parses no
 * header and checks nothing, so no server that does can use less CPU per request.
 *
 * One read and one write per wake-up of a connection, however many requests were pipelined. Not a
 * server for anything but benchmarks: it believes its peer.
 *
 *   floor1 [PORT]
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

static const char response[] =
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 11\r\n\r\nHello world";

enum {
    READ_BYTES = 64 * 1024,
    RESPONSE_BYTES = sizeof response - 1,
    /* The densest input is a request of 18 bytes. */
    WRITE_BYTES = READ_BYTES / 16 * RESPONSE_BYTES,
    EVENTS = 256,
};

struct connection {
    int fd;
    int matched; /* how many bytes of "\r\n\r\n" have come */
    int writing; /* waits for EPOLLOUT; nothing is read meanwhile */
    size_t pending_from, pending_to;
    char *pending; /* what the socket did not take */
};

static char input[READ_BYTES];
static char output[WRITE_BYTES];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* Appends a response for each end of a header section, and answers how many bytes there are. */
static size_t answer(struct connection *c, size_t count) {
    static const char end[] = "\r\n\r\n";
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (input[i] != end[c->matched]) {
            c->matched = input[i] == '\r';
        } else if (++c->matched == 4) {
            c->matched = 0;
            memcpy(output + size, response, RESPONSE_BYTES);
            size += RESPONSE_BYTES;
        }
    }
    return size;
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

/* One read, one write. Answers 0 if the peer is gone. */
static int serve(int epoll, struct connection *c) {
    if (c->writing) return write_pending(epoll, c);
    ssize_t count = read(c->fd, input, sizeof input);
    if (count <= 0) return count < 0 && errno == EAGAIN;
    size_t size = answer(c, (size_t)count);
    if (size == 0) return 1;
    ssize_t written = write(c->fd, output, size);
    if (written < 0) {
        if (errno != EAGAIN) return 0;
        written = 0;
    }
    size_t left = size - (size_t)written;
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

static void admit(int epoll, int listener) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (fd < 0) return;
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct connection *c = calloc(1, sizeof *c);
        if (c == NULL) fail("calloc");
        c->fd = fd;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
    }
}

static int listen_on(uint16_t port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
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

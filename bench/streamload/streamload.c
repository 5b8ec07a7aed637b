/*
 * A gRPC client that does nothing but load a server with streams: bench/streams says what for.
 *
 * One thread, one epoll loop. It sends canned messages as fast as windows and sockets allow, finds
 * frame and message borders in what comes back, and looks at nothing else. That makes it cheaper
 * than any server it measures, and the same to all of them. It keeps to RFC 9113: windows,
 * MAX_FRAME_SIZE, acknowledgements of SETTINGS and PING. Like gRPC libraries it sends a message as
 * one DATA frame if it fits, puts many frames into one write, and announces windows of 1 MiB.
 *
 *   streamload PORT download|upload|pingpong|unary SIZE COUNT CONNECTIONS STREAMS SECONDS
 *
 * SIZE is the body's, COUNT the messages of one call. Each stream makes call after call; those open
 * when the time is over are finished, so that every message the server handled is counted. A call
 * is good if it ends with a trailer section after exactly the messages it should have.
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
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    FRAME_HEADER_BYTES = 9,
    PREFIX_BYTES = 5,
    INPUT_BYTES = 256 * 1024,
    /* grpc-go writes in pieces of 32 KiB, grpc-java in about as much. */
    FILL_BYTES = 32 * 1024,
    /* FILL_BYTES, and what one read may provoke: a frame of 16 KiB, a call's beginning per stream. */
    OUTPUT_BYTES = 512 * 1024,
    WINDOW_BYTES = 1024 * 1024,
    MAX_STREAMS = 100,
    EVENTS = 256,
    STALL_SECONDS = 10,
};

enum { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };
enum { SET_INITIAL_WINDOW = 4, SET_MAX_FRAME = 5 };
enum call { DOWNLOAD, UPLOAD, PINGPONG, UNARY };

struct stream {
    uint32_t id;             /* 0: no call */
    int64_t window;
    uint32_t to_send;        /* messages that may be sent now, the one under way included */
    uint32_t left_to_send;   /* messages of this call not yet begun or under way */
    uint32_t message_left;   /* bytes of the message under way */
    uint32_t received;
    uint32_t body_left;      /* bytes of the incoming message still to come */
    uint32_t prefixed;
    uint32_t unannounced;    /* DATA bytes since the last WINDOW_UPDATE */
    int wrong;
    uint8_t prefix[PREFIX_BYTES];
};

struct connection {
    int fd;
    int ready;               /* the server's SETTINGS are known */
    int blocked;             /* waits for EPOLLOUT */
    uint32_t next_id;
    int64_t window;
    uint32_t initial_window, max_frame;
    uint32_t unannounced;
    uint32_t open, turn;
    /* The frame being read. */
    uint8_t head[FRAME_HEADER_BYTES];
    uint32_t headed, length, left, kept;
    uint8_t payload[256];    /* of all but DATA and HEADERS, as far as it is looked at */
    struct stream *receiver;
    struct stream streams[MAX_STREAMS];
    size_t from, to;
    uint8_t output[OUTPUT_BYTES];
};

static enum call call;
static uint32_t count, streams;
static int running = 1;
static uint64_t calls, failed, messages;
static uint32_t open_calls;

static uint8_t *message;     /* prefix and Payload */
static uint32_t message_bytes;
static uint32_t reply_bytes; /* of each reply without its prefix; 0: any */
static uint8_t request_head[256];
static uint32_t request_head_bytes;

static void fail(const char *what) {
    fprintf(stderr, "streamload: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- output */

static uint8_t *claim(struct connection *c, size_t length) {
    if (c->from == c->to) c->from = c->to = 0;
    if (c->to + length > sizeof c->output) fail("the server provokes more than it reads");
    uint8_t *at = c->output + c->to;
    c->to += length;
    return at;
}

static void put32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}

static uint32_t get32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint8_t *frame(struct connection *c, int type, int flags, uint32_t stream, uint32_t length) {
    uint8_t *at = claim(c, FRAME_HEADER_BYTES + length);
    at[0] = (uint8_t)(length >> 16);
    at[1] = (uint8_t)(length >> 8);
    at[2] = (uint8_t)length;
    at[3] = (uint8_t)type;
    at[4] = (uint8_t)flags;
    put32(at + 5, stream);
    return at + FRAME_HEADER_BYTES;
}

static void window_update(struct connection *c, uint32_t stream, uint32_t increment) {
    put32(frame(c, WINDOW_UPDATE, 0, stream, 4), increment);
}

static void start_call(struct connection *c, struct stream *s) {
    memset(s, 0, sizeof *s);
    s->id = c->next_id;
    c->next_id += 2;
    s->window = c->initial_window;
    s->left_to_send = call == UPLOAD || call == PINGPONG ? count : 1;
    s->to_send = call == PINGPONG ? 1 : s->left_to_send;
    s->message_left = message_bytes;
    memcpy(frame(c, HEADERS, END_HEADERS, s->id, request_head_bytes), request_head, request_head_bytes);
    open_calls++;
}

/* Answers whether something was sent. */
static int send_data(struct connection *c, struct stream *s) {
    if (s->id == 0 || s->to_send == 0) return 0;
    int64_t room = s->window < c->window ? s->window : c->window;
    if (room > c->max_frame) room = c->max_frame;
    if (room <= 0) return 0;
    uint32_t length = s->message_left < room ? s->message_left : (uint32_t)room;
    int last = length == s->message_left && s->left_to_send == 1;
    memcpy(frame(c, DATA, last ? END_STREAM : 0, s->id, length), message + message_bytes - s->message_left, length);
    s->window -= length;
    c->window -= length;
    s->message_left -= length;
    if (s->message_left == 0) {
        s->message_left = message_bytes;
        s->left_to_send--;
        s->to_send--;
    }
    return 1;
}

static void fill(struct connection *c) {
    int idle = 0;
    while (c->to - c->from < FILL_BYTES && idle < (int)streams) {
        idle = send_data(c, &c->streams[c->turn]) ? 0 : idle + 1;
        /* A stream keeps its turn while it has small messages to send, as writers of gRPC libraries do. */
        if (idle > 0 || message_bytes > FILL_BYTES) c->turn = (c->turn + 1) % streams;
    }
}

static void watch(int epoll, struct connection *c, int operation) {
    struct epoll_event event = {.events = c->blocked ? EPOLLIN | EPOLLOUT : EPOLLIN, .data.ptr = c};
    if (epoll_ctl(epoll, operation, c->fd, &event) < 0) fail("epoll_ctl");
}

static void flush(int epoll, struct connection *c) {
    int was = c->blocked;
    for (c->blocked = 0; !c->blocked;) {
        if (c->ready) fill(c);
        if (c->from == c->to) break;
        ssize_t written = write(c->fd, c->output + c->from, c->to - c->from);
        if (written < 0 && errno != EAGAIN) fail("the server closed a connection");
        c->blocked = written < (ssize_t)(c->to - c->from);
        if (written > 0) c->from += (size_t)written;
    }
    if (was != c->blocked) watch(epoll, c, EPOLL_CTL_MOD);
}

/* ---- input */

static void start_calls(struct connection *c) {
    for (uint32_t i = 0; i < streams; i++) start_call(c, &c->streams[i]);
}

static void end_call(struct connection *c, struct stream *s, int good) {
    calls++;
    uint32_t expected = call == DOWNLOAD || call == PINGPONG ? count : 1;
    if (!good || s->wrong || s->received != expected || s->left_to_send > 0 || s->body_left > 0 || s->prefixed > 0) {
        failed++;
    } else {
        messages += call == UNARY ? 1 : count;
    }
    open_calls--;
    s->id = 0;
    if (running) start_call(c, s);
}

static void on_message(struct stream *s) {
    s->received++;
    if (call == PINGPONG && s->left_to_send > 0) s->to_send = 1;
}

/* DATA of a stream: prefixes are read, bodies passed over. */
static void on_content(struct stream *s, const uint8_t *bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        if (s->body_left > 0) {
            size_t step = length - at < s->body_left ? length - at : s->body_left;
            s->body_left -= (uint32_t)step;
            at += step;
            if (s->body_left == 0) on_message(s);
            continue;
        }
        if (s->prefixed == 0 && length - at >= PREFIX_BYTES) {
            memcpy(s->prefix, bytes + at, PREFIX_BYTES);
            at += PREFIX_BYTES;
        } else {
            s->prefix[s->prefixed++] = bytes[at++];
            if (s->prefixed < PREFIX_BYTES) continue;
        }
        s->prefixed = 0;
        s->body_left = get32(s->prefix + 1);
        s->wrong |= s->prefix[0] != 0 || (reply_bytes > 0 && s->body_left != reply_bytes);
        if (s->body_left == 0) on_message(s);
    }
}

static struct stream *find(struct connection *c, uint32_t id) {
    for (uint32_t i = 0; i < streams; i++)
        if (c->streams[i].id == id) return &c->streams[i];
    return NULL;
}

static void on_settings(struct connection *c) {
    if (c->length > sizeof c->payload) fail("SETTINGS are longer than expected");
    for (uint32_t i = 0; i + 6 <= c->length; i += 6) {
        uint32_t key = (uint32_t)c->payload[i] << 8 | c->payload[i + 1], value = get32(c->payload + i + 2);
        if (key == SET_MAX_FRAME) c->max_frame = value;
        if (key == SET_INITIAL_WINDOW) {
            for (uint32_t s = 0; s < streams; s++) c->streams[s].window += (int64_t)value - c->initial_window;
            c->initial_window = value;
        }
    }
    /* Larger frames than everybody takes would favour who announces them. */
    if (c->max_frame > 16384) c->max_frame = 16384;
    frame(c, SETTINGS, ACK, 0, 0);
    if (!c->ready) {
        c->ready = 1;
        start_calls(c);
    }
}

/* All of a frame was read. */
static void on_frame(struct connection *c) {
    int type = c->head[3], flags = c->head[4];
    uint32_t id = get32(c->head + 5) & 0x7fffffffu;
    struct stream *s = type == DATA ? c->receiver : find(c, id);
    if (type == DATA) {
        c->unannounced += c->length;
        if (c->unannounced >= WINDOW_BYTES / 2) {
            window_update(c, 0, c->unannounced);
            c->unannounced = 0;
        }
        if (s != NULL && !(flags & END_STREAM) && (s->unannounced += c->length) >= WINDOW_BYTES / 2) {
            window_update(c, id, s->unannounced);
            s->unannounced = 0;
        }
        if (s != NULL && (flags & END_STREAM)) end_call(c, s, 0); /* no trailer section, no status */
    } else if (type == HEADERS && s != NULL && id != 0 && (flags & END_STREAM)) {
        end_call(c, s, 1);
    } else if (type == RST_STREAM && s != NULL && id != 0) {
        end_call(c, s, 0);
    } else if (type == SETTINGS && !(flags & ACK)) {
        on_settings(c);
    } else if (type == PING && !(flags & ACK)) {
        memcpy(frame(c, PING, ACK, 0, 8), c->payload, 8);
    } else if (type == GOAWAY) {
        fprintf(stderr, "streamload: GOAWAY %u: %.*s\n", get32(c->payload + 4), (int)(c->kept - 8), c->payload + 8);
        exit(1);
    } else if (type == WINDOW_UPDATE && id == 0) {
        c->window += get32(c->payload);
    } else if (type == WINDOW_UPDATE && s != NULL) {
        s->window += get32(c->payload);
    }
}

static void on_input(struct connection *c, const uint8_t *bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        if (c->headed < FRAME_HEADER_BYTES) {
            size_t step = FRAME_HEADER_BYTES - c->headed;
            if (step > length - at) step = length - at;
            memcpy(c->head + c->headed, bytes + at, step);
            c->headed += (uint32_t)step;
            at += step;
            if (c->headed < FRAME_HEADER_BYTES) return;
            c->length = c->left = get32(c->head) >> 8;
            c->kept = 0;
            c->receiver = c->head[3] == DATA ? find(c, get32(c->head + 5) & 0x7fffffffu) : NULL;
        }
        size_t step = length - at < c->left ? length - at : c->left;
        if (c->head[3] == DATA) {
            if (c->receiver != NULL) on_content(c->receiver, bytes + at, step);
        } else if (c->head[3] != HEADERS) {
            size_t keep = sizeof c->payload - c->kept < step ? sizeof c->payload - c->kept : step;
            memcpy(c->payload + c->kept, bytes + at, keep);
            c->kept += (uint32_t)keep;
        }
        at += step;
        c->left -= (uint32_t)step;
        if (c->left == 0) {
            c->headed = 0;
            on_frame(c);
        }
    }
}

/* ---- start */

static uint32_t varint(uint8_t *at, uint32_t value) {
    uint32_t n = 0;
    for (; value >= 0x80; value >>= 7) at[n++] = (uint8_t)(value | 0x80);
    at[n++] = (uint8_t)value;
    return n;
}

/* Payload{bytes body = 1}, or Order{uint32 count = 1; uint32 size = 2}, behind its prefix. */
static void make_message(uint32_t size) {
    message = calloc(1, (size_t)size + 64);
    if (message == NULL) fail("out of memory");
    uint8_t *body = message + PREFIX_BYTES;
    uint32_t n = 0;
    uint8_t scratch[16];
    uint32_t payload_bytes = 1 + varint(scratch, size) + size;
    if (call == DOWNLOAD) {
        body[n++] = 0x08;
        n += varint(body + n, count);
        body[n++] = 0x10;
        n += varint(body + n, size);
    } else {
        body[n++] = 0x0a;
        n += varint(body + n, size);
        for (uint32_t i = 0; i < size; i++) body[n + i] = (uint8_t)(i * 31);
        n += size;
    }
    put32(message + 1, n);
    message_bytes = PREFIX_BYTES + n;
    reply_bytes = call == UPLOAD ? 0 : payload_bytes;
}

/* RFC 7541, 6.2.2: literals without indexing, new names, no Huffman coding. */
static void add_field(const char *name, const char *value) {
    uint8_t *at = request_head + request_head_bytes;
    *at++ = 0;
    *at++ = (uint8_t)strlen(name);
    at = mempcpy(at, name, strlen(name));
    *at++ = (uint8_t)strlen(value);
    at = mempcpy(at, value, strlen(value));
    request_head_bytes = (uint32_t)(at - request_head);
}

static void make_head(const char *path) {
    add_field(":method", "POST");
    add_field(":scheme", "http");
    add_field(":path", path);
    add_field(":authority", "localhost");
    add_field("content-type", "application/grpc");
    add_field("te", "trailers");
}

static void connect_one(int epoll, uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct connection *c = calloc(1, sizeof *c);
    if (c == NULL) fail("out of memory");
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address) < 0) fail("cannot connect");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    c->next_id = 1;
    c->window = c->initial_window = 65535;
    c->max_frame = 16384;
    memcpy(claim(c, 24), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
    uint8_t *at = frame(c, SETTINGS, 0, 0, 6);
    at[0] = 0;
    at[1] = SET_INITIAL_WINDOW;
    put32(at + 2, WINDOW_BYTES);
    window_update(c, 0, WINDOW_BYTES - 65535);
    watch(epoll, c, EPOLL_CTL_ADD);
    flush(epoll, c);
}

static void serve(int epoll, struct connection *c) {
    static uint8_t input[INPUT_BYTES];
    ssize_t length = recv(c->fd, input, sizeof input, MSG_DONTWAIT);
    if (length == 0 || (length < 0 && errno != EAGAIN)) fail("the server closed a connection");
    if (length > 0) on_input(c, input, (size_t)length);
    flush(epoll, c);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"download", "upload", "pingpong", "unary"};
    static const char *const paths[] = {
        "/peregrine.bench.v1.Streams/Download", "/peregrine.bench.v1.Streams/Upload",
        "/peregrine.bench.v1.Streams/PingPong", "/peregrine.bench.v1.Streams/Unary"};
    if (argc != 8) fail("usage: streamload PORT download|upload|pingpong|unary SIZE COUNT CONNECTIONS STREAMS SECONDS");
    int kind = 0;
    while (kind < 4 && strcmp(argv[2], names[kind]) != 0) kind++;
    if (kind == 4) fail("unknown kind of call");
    call = (enum call)kind;
    uint32_t size = (uint32_t)atoi(argv[3]);
    count = (uint32_t)atoi(argv[4]);
    int connections = atoi(argv[5]);
    streams = (uint32_t)atoi(argv[6]);
    double seconds = atof(argv[7]);
    if (count < 1 || streams < 1 || streams > MAX_STREAMS || connections < 1) fail("out of range");
    signal(SIGPIPE, SIG_IGN);
    make_message(size);
    make_head(paths[kind]);
    int epoll = epoll_create1(0);
    double began = now(), at = began;
    for (int i = 0; i < connections; i++) connect_one(epoll, (uint16_t)atoi(argv[1]));
    struct epoll_event events[EVENTS];
    while (running || open_calls > 0) {
        int ready = epoll_wait(epoll, events, EVENTS, STALL_SECONDS * 1000);
        if (ready == 0) fail("nothing has come for 10 s");
        at = now();
        if (at - began >= seconds) running = 0;
        for (int i = 0; i < ready; i++) serve(epoll, events[i].data.ptr);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("{\"messages\": %llu, \"calls\": %llu, \"failed\": %llu, \"seconds\": %.6f, \"client_cpu_seconds\": %.6f}\n",
           (unsigned long long)messages, (unsigned long long)calls, (unsigned long long)failed, now() - began, cpu);
    return 0;
}

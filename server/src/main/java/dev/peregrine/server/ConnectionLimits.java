package dev.peregrine.server;

import dev.peregrine.wire.http1.Http1Limits;
import dev.peregrine.wire.http2.FloodLimits;
import dev.peregrine.wire.http2.Http2Limits;
import java.time.Duration;

/**
 * What connections may use at most. The defaults are safe for the open internet. Immutable, any
 * thread: each {@code with…} method returns a changed copy.
 */
public final class ConnectionLimits {

  /** The defaults. */
  public static final ConnectionLimits DEFAULTS = new ConnectionLimits();

  /** A drain is ended by the server, which knows its grace, not by each connection: ten years. */
  private static final long NO_GRACE_LIMIT_NANOS = 10L * 365 * 24 * 3600 * 1_000_000_000;

  private static final int MIN_CONNECTION_WINDOW_BYTES = 65_535;
  private static final int HARD_HEADER_FACTOR = 8;
  private static final int MIN_HARD_HEADER_BYTES = 64 * 1024;

  /** Nobody sends a megabyte of header fields on purpose; what is larger costs only memory. */
  private static final int MAX_HEADER_BYTES = 1024 * 1024;

  /** Below this, single steps of what is counted would be noticed. */
  private static final long MIN_QUEUED_BYTES = 1024 * 1024;

  /** No connection begins calls that may double this part of all bytes that may wait. */
  private static final int MARK_PART = 8;

  /** No call queues more once its connection has this part. */
  private static final int MAX_PART = 4;

  private int maxConnections = 20_000;
  private int maxConnectionsPerAddress = Integer.MAX_VALUE;
  private int maxHandshakes = 1_000;
  private int maxConcurrentStreams = Http2Limits.STANDARD.maxConcurrentStreams();
  private int maxRequests = Integer.MAX_VALUE;
  private int maxHeaderBytes = Http2Limits.STANDARD.headerListSoftBytes();
  private int streamWindowBytes = Http2Limits.STANDARD.streamWindowBytes();
  private int connectionWindowBytes = Http2Limits.STANDARD.connectionWindowBytes();
  private long maxQueuedBytes = QueuedBytes.defaultMaxBytes();
  private FloodLimits floods = FloodLimits.STANDARD;
  private Duration handshakeTime = Duration.ofSeconds(10);
  private Duration openingTime = Duration.ofSeconds(10);
  private Duration headerTime = Duration.ofSeconds(10);
  private Duration contentTime = Duration.ofSeconds(20);
  private Duration unreadTime = Duration.ofSeconds(60);

  private ConnectionLimits() {}

  private ConnectionLimits(ConnectionLimits other) {
    this.maxConnections = other.maxConnections;
    this.maxConnectionsPerAddress = other.maxConnectionsPerAddress;
    this.maxHandshakes = other.maxHandshakes;
    this.maxConcurrentStreams = other.maxConcurrentStreams;
    this.maxRequests = other.maxRequests;
    this.maxHeaderBytes = other.maxHeaderBytes;
    this.streamWindowBytes = other.streamWindowBytes;
    this.connectionWindowBytes = other.connectionWindowBytes;
    this.maxQueuedBytes = other.maxQueuedBytes;
    this.floods = other.floods;
    this.handshakeTime = other.handshakeTime;
    this.openingTime = other.openingTime;
    this.headerTime = other.headerTime;
    this.contentTime = other.contentTime;
    this.unreadTime = other.unreadTime;
  }

  /**
   * How many connections may be open at once; further ones are closed at once. Default 20,000: idle
   * ones take some KiB each, so this is well below 200 MB.
   */
  public int maxConnections() {
    return maxConnections;
  }

  /**
   * The same with another {@link #maxConnections}.
   *
   * @param connections ≥ 1
   */
  public ConnectionLimits withMaxConnections(int connections) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxConnections = positive(connections);
    return changed;
  }

  /**
   * The same for one address of peers. Not limited by default: behind a proxy all clients have one
   * address.
   */
  public int maxConnectionsPerAddress() {
    return maxConnectionsPerAddress;
  }

  /**
   * The same with another {@link #maxConnectionsPerAddress}.
   *
   * @param connections ≥ 1
   */
  public ConnectionLimits withMaxConnectionsPerAddress(int connections) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxConnectionsPerAddress = positive(connections);
    return changed;
  }

  /**
   * How many TLS handshakes may be in progress at once; with one more, the one that is oldest is
   * given up, as it is the likeliest to come to nothing. Default 1,000: each takes some 50 KiB.
   * Shared evenly by the event loops.
   */
  public int maxHandshakes() {
    return maxHandshakes;
  }

  /**
   * The same with another {@link #maxHandshakes}.
   *
   * @param handshakes ≥ 1
   */
  public ConnectionLimits withMaxHandshakes(int handshakes) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxHandshakes = positive(handshakes);
    return changed;
  }

  /**
   * How many calls may be open at once on one connection. Default 1,000: the often used 100 makes
   * long streams of one client wait for each other, silently.
   */
  public int maxConcurrentStreams() {
    return maxConcurrentStreams;
  }

  /**
   * The same with another {@link #maxConcurrentStreams}.
   *
   * @param streams ≥ 1
   */
  public ConnectionLimits withMaxConcurrentStreams(int streams) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxConcurrentStreams = positive(streams);
    return changed;
  }

  /**
   * How many requests a connection may make. The last one over HTTP/1.1 is answered with {@code
   * connection: close}; over HTTP/2 the connection is drained. Not limited by default.
   */
  public int maxRequests() {
    return maxRequests;
  }

  /**
   * The same with another {@link #maxRequests}.
   *
   * @param requests ≥ 1
   */
  public ConnectionLimits withMaxRequests(int requests) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxRequests = positive(requests);
    return changed;
  }

  /**
   * The largest header section of a call in bytes, counted with 32 for each field (RFC 9113,
   * 6.5.2). Larger ones are refused with 431, and those over eight times as much, but at least 64
   * KiB, end the connection. Default 8 KiB, as gRPC suggests.
   */
  public int maxHeaderBytes() {
    return maxHeaderBytes;
  }

  /**
   * The same with another {@link #maxHeaderBytes}.
   *
   * @param bytes 1 to 1 MiB
   */
  public ConnectionLimits withMaxHeaderBytes(int bytes) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxHeaderBytes = headerBytes(bytes);
    return changed;
  }

  /** Request content under way on one call, in bytes. Default 1 MiB. */
  public int streamWindowBytes() {
    return streamWindowBytes;
  }

  /** The same for all calls of a connection together. Default 16 MiB. */
  public int connectionWindowBytes() {
    return connectionWindowBytes;
  }

  /**
   * The same with other receive windows.
   *
   * @param streamBytes ≥ 1
   * @param connectionBytes ≥ 65,535
   */
  public ConnectionLimits withWindows(int streamBytes, int connectionBytes) {
    if (connectionBytes < MIN_CONNECTION_WINDOW_BYTES) {
      throw new IllegalArgumentException(
          "connectionWindowBytes must be at least " + MIN_CONNECTION_WINDOW_BYTES);
    }
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.streamWindowBytes = positive(streamBytes);
    changed.connectionWindowBytes = connectionBytes;
    return changed;
  }

  /**
   * The memory for bytes that wait in the whole server: responses for peers that do not read them,
   * requests until the rest of them is here, or until a handler takes them. Default a quarter of
   * the heap.
   *
   * <p>From half of it on, who leaves bytes waiting gets no new calls, streams pause, and
   * connections that have taken nothing for a second are closed, those with most bytes first. Who
   * reads slowly but steadily is closed last. No single response may be larger.
   */
  public long maxQueuedBytes() {
    return maxQueuedBytes;
  }

  /**
   * The same with another {@link #maxQueuedBytes}.
   *
   * @param bytes ≥ 1 MiB
   */
  public ConnectionLimits withMaxQueuedBytes(long bytes) {
    if (bytes < MIN_QUEUED_BYTES) {
      throw new IllegalArgumentException("maxQueuedBytes must be at least " + MIN_QUEUED_BYTES);
    }
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.maxQueuedBytes = bytes;
    return changed;
  }

  /**
   * The same with another rate of calls that the client may cancel on one connection. By default
   * 400 at once and 200 a second; each call that is answered gives one back.
   *
   * @param burst how many at once, ≥ 1
   * @param perSecond how many in the long run, 1 to 10^9
   */
  public ConnectionLimits withStreamResets(int burst, int perSecond) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.floods = floods.withResets(burst, perSecond);
    return changed;
  }

  /** How long a TLS handshake may take. Default 10 s. */
  public Duration handshakeTime() {
    return handshakeTime;
  }

  /**
   * The same with another {@link #handshakeTime}.
   *
   * @param limit positive
   */
  public ConnectionLimits withHandshakeTime(Duration limit) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.handshakeTime = positive(limit);
    return changed;
  }

  /**
   * How long a peer may take for its first bytes, and over HTTP/2 for its preface and settings.
   * Default 10 s.
   */
  public Duration openingTime() {
    return openingTime;
  }

  /**
   * The same with another {@link #openingTime}.
   *
   * @param limit positive
   */
  public ConnectionLimits withOpeningTime(Duration limit) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.openingTime = positive(limit);
    return changed;
  }

  /** How long a header section may take from its first byte on. Default 10 s. */
  public Duration headerTime() {
    return headerTime;
  }

  /**
   * The same with another {@link #headerTime}.
   *
   * @param limit positive
   */
  public ConnectionLimits withHeaderTime(Duration limit) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.headerTime = positive(limit);
    return changed;
  }

  /**
   * How often content over HTTP/1.1 that has begun must have moved on by 4 KiB; the time between
   * two chunks does not count. Default 20 s: 200 bytes a second are slower than any modem. Over
   * HTTP/2 content shares its connection with other calls; what is kept of it is bounded by {@link
   * #maxQueuedBytes}.
   */
  public Duration contentTime() {
    return contentTime;
  }

  /**
   * The same with another {@link #contentTime}.
   *
   * @param limit positive
   */
  public ConnectionLimits withContentTime(Duration limit) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.contentTime = positive(limit);
    return changed;
  }

  /**
   * How long a peer may take nothing at all of what waits for it. A stream without messages has
   * nothing that waits. Default 60 s.
   */
  public Duration unreadTime() {
    return unreadTime;
  }

  /**
   * The same with another {@link #unreadTime}.
   *
   * @param limit positive
   */
  public ConnectionLimits withUnreadTime(Duration limit) {
    ConnectionLimits changed = new ConnectionLimits(this);
    changed.unreadTime = positive(limit);
    return changed;
  }

  private static int positive(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit must be at least 1, not " + limit);
    }
    return limit;
  }

  private static Duration positive(Duration limit) {
    if (limit.isZero() || limit.isNegative()) {
      throw new IllegalArgumentException("a limit of time must be positive, not " + limit);
    }
    return limit;
  }

  private static int headerBytes(int bytes) {
    if (bytes < 1 || bytes > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException("maxHeaderBytes must be in 1.." + MAX_HEADER_BYTES);
    }
    return bytes;
  }

  /** A limit of time in nanoseconds; more than ten years are ten years. */
  static long nanos(Duration limit) {
    Duration longest = Duration.ofNanos(NO_GRACE_LIMIT_NANOS);
    return limit.compareTo(longest) > 0 ? NO_GRACE_LIMIT_NANOS : limit.toNanos();
  }

  private int part(int standardBytes, int part) {
    return (int) Math.min(standardBytes, maxQueuedBytes / part);
  }

  /** What the HTTP/1.1 engine is told. */
  Http1Limits toHttp1() {
    Http1Limits standard = Http1Limits.STANDARD;
    int queueMaxBytes = part(standard.queueMaxBytes(), MAX_PART);
    return standard
        .withHeaderBytes(maxHeaderBytes)
        .withWindowBytes(streamWindowBytes)
        .withQueueMaxBytes(Math.max(queueMaxBytes, standard.queueMarkBytes()))
        .withMaxRequests(maxRequests)
        .withTimes(nanos(headerTime), nanos(contentTime), nanos(unreadTime))
        .withDrainGraceNanos(NO_GRACE_LIMIT_NANOS);
  }

  /** What the HTTP/2 engine is told. */
  Http2Limits toHttp2() {
    Http2Limits standard = Http2Limits.STANDARD;
    return standard
        .withMaxConcurrentStreams(maxConcurrentStreams)
        .withMaxRequests(maxRequests)
        .withHeaderList(
            maxHeaderBytes, Math.max(maxHeaderBytes * HARD_HEADER_FACTOR, MIN_HARD_HEADER_BYTES))
        .withWindows(streamWindowBytes, connectionWindowBytes)
        .withQueue(
            standard.streamQueueMarkBytes(),
            part(standard.connectionQueueMarkBytes(), MARK_PART),
            part(standard.connectionQueueMaxBytes(), MAX_PART))
        .withTimes(nanos(openingTime), nanos(headerTime), nanos(unreadTime))
        .withFloods(floods)
        .withDrainGraceNanos(NO_GRACE_LIMIT_NANOS);
  }
}

package dev.peregrine.wire.http2;

/**
 * Every bound of an HTTP/2 connection in one place. Immutable, any thread.
 *
 * @param maxConcurrentStreams calls open at once, announced and enforced with REFUSED_STREAM
 * @param maxRequests requests after which the connection is drained
 * @param streamWindowBytes request content a stream may have under way or unread; 0 to 2^31 − 1
 * @param connectionWindowBytes the same for all streams together, ≥ 65,535; at most this much again
 *     may lie unread in the call layer before the peer has to wait
 * @param maxFrameBytes the largest frame payload we take, 2^14 to 2^24 − 1
 * @param headerTableBytes the peer's HPACK table, ≥ 0
 * @param headerListSoftBytes the largest header section a call may have, announced; a larger one is
 *     answered with 431 on its own stream
 * @param headerListHardBytes beyond this, decoded or not, the connection ends
 * @param maxContinuations CONTINUATION frames in one field block
 * @param streamQueueMarkBytes a stream that fell back below this much queued content is told that
 *     it may send more
 * @param connectionQueueMarkBytes while more than this is queued in all streams, new streams are
 *     refused
 * @param connectionQueueMaxBytes a stream that queues content while more than this is queued is
 *     reset
 * @param unsentMarkBytes output the socket has not taken beyond which we stop reading
 * @param unsentMaxBytes output the socket has not taken beyond which the connection ends
 * @param openingNanos how long a peer may take for its preface and SETTINGS, and for the
 *     acknowledgement of ours
 * @param headerNanos how long a peer may take for one field block
 * @param unreadNanos how long we wait for a peer that does not read what we sent, once reading from
 *     it has stopped
 * @param drainPingNanos how long the first step of a drain waits for the peer's ping while calls
 *     are open
 * @param drainIdlePingNanos the same when no call is open
 * @param drainGraceNanos how long a drain waits for open calls
 * @param floods rates of what costs us and serves no call
 * @param life how long a connection may live, idle or silent, and how often its peer may ping
 */
public record Http2Limits(
    int maxConcurrentStreams,
    int maxRequests,
    int streamWindowBytes,
    int connectionWindowBytes,
    int maxFrameBytes,
    int headerTableBytes,
    int headerListSoftBytes,
    int headerListHardBytes,
    int maxContinuations,
    int streamQueueMarkBytes,
    int connectionQueueMarkBytes,
    int connectionQueueMaxBytes,
    int unsentMarkBytes,
    int unsentMaxBytes,
    long openingNanos,
    long headerNanos,
    long unreadNanos,
    long drainPingNanos,
    long drainIdlePingNanos,
    long drainGraceNanos,
    FloodLimits floods,
    LifeLimits life) {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  /** The limits a server has unless told otherwise. */
  public static final Http2Limits STANDARD =
      new Http2Limits(
          1_000, // 100 makes long streams wait silently; a stream costs well under 1 KiB
          Integer.MAX_VALUE,
          MIB, // the bandwidth-delay product of 1 Gbit/s at 8 ms
          16 * MIB, // 64 KiB would slow large messages to a crawl
          Settings.MIN_MAX_FRAME_BYTES, // larger frames save nothing and delay others
          Settings.INITIAL_HEADER_TABLE_BYTES,
          8 * KIB, // what gRPC suggests
          64 * KIB, // a misconfigured client still gets its 431
          16, // of 16 KiB each: more than the hard limit holds
          64 * KIB, // one socket buffer's worth ahead
          16 * MIB,
          64 * MIB,
          512 * KIB, // above what a loop holds back before it calls itself not writable
          4 * MIB,
          10 * SECOND,
          10 * SECOND,
          60 * SECOND,
          5 * SECOND, // as long as grpc-go
          200 * MILLI, // long enough for a call under way, short enough for an exit below 1 s
          30 * SECOND,
          FloodLimits.STANDARD,
          LifeLimits.NONE);

  /** Checks the ranges. */
  public Http2Limits {
    require(maxConcurrentStreams > 0, "maxConcurrentStreams must be at least 1");
    require(streamWindowBytes >= 0, "streamWindowBytes must not be negative");
    require(
        connectionWindowBytes >= FlowWindow.INITIAL_BYTES,
        "connectionWindowBytes must be at least 65535");
    require(
        maxFrameBytes >= Settings.MIN_MAX_FRAME_BYTES
            && maxFrameBytes <= Settings.MAX_MAX_FRAME_BYTES,
        "maxFrameBytes must be in 16384..16777215");
    require(headerTableBytes >= 0, "headerTableBytes must not be negative");
    require(
        headerListSoftBytes > 0 && headerListSoftBytes <= headerListHardBytes,
        "header list limits must be 0 < soft <= hard");
    require(maxContinuations >= 0, "maxContinuations must not be negative");
    require(
        streamQueueMarkBytes > 0
            && connectionQueueMarkBytes > 0
            && connectionQueueMarkBytes <= connectionQueueMaxBytes,
        "queue marks must be positive, and the connection's mark at most its maximum");
    require(
        unsentMarkBytes > 0 && unsentMarkBytes <= unsentMaxBytes,
        "unsent limits must be 0 < mark <= max");
    require(
        openingNanos > 0
            && headerNanos > 0
            && maxRequests > 0
            && unreadNanos > 0
            && drainPingNanos > 0
            && drainIdlePingNanos > 0
            && drainGraceNanos > 0,
        "limits of time must be positive");
  }

  private static void require(boolean condition, String text) {
    if (!condition) {
      throw new IllegalArgumentException(text);
    }
  }

  /** These limits with another number of calls open at once. */
  public Http2Limits withMaxConcurrentStreams(int streams) {
    Draft draft = new Draft(this);
    draft.maxConcurrentStreams = streams;
    return draft.limits();
  }

  /** These limits with another number of requests. */
  public Http2Limits withMaxRequests(int requests) {
    Draft draft = new Draft(this);
    draft.maxRequests = requests;
    return draft.limits();
  }

  /** These limits with other receive windows. */
  public Http2Limits withWindows(int streamBytes, int connectionBytes) {
    Draft draft = new Draft(this);
    draft.streamWindowBytes = streamBytes;
    draft.connectionWindowBytes = connectionBytes;
    return draft.limits();
  }

  /** These limits with other sizes of a header section. */
  public Http2Limits withHeaderList(int softBytes, int hardBytes) {
    Draft draft = new Draft(this);
    draft.headerListSoftBytes = softBytes;
    draft.headerListHardBytes = hardBytes;
    return draft.limits();
  }

  /** These limits with other bounds of queued content. */
  public Http2Limits withQueue(
      int streamMarkBytes, int connectionMarkBytes, int connectionMaxBytes) {
    Draft draft = new Draft(this);
    draft.streamQueueMarkBytes = streamMarkBytes;
    draft.connectionQueueMarkBytes = connectionMarkBytes;
    draft.connectionQueueMaxBytes = connectionMaxBytes;
    return draft.limits();
  }

  /** These limits with other bounds of output the socket has not taken. */
  public Http2Limits withUnsent(int markBytes, int maxBytes) {
    Draft draft = new Draft(this);
    draft.unsentMarkBytes = markBytes;
    draft.unsentMaxBytes = maxBytes;
    return draft.limits();
  }

  /** These limits with another time for open calls to end in a drain. */
  public Http2Limits withDrainGraceNanos(long nanos) {
    Draft draft = new Draft(this);
    draft.drainGraceNanos = nanos;
    return draft.limits();
  }

  /** These limits with other rates. */
  public Http2Limits withFloods(FloodLimits rates) {
    Draft draft = new Draft(this);
    draft.floods = rates;
    return draft.limits();
  }

  /** These limits with another life. */
  public Http2Limits withLife(LifeLimits other) {
    Draft draft = new Draft(this);
    draft.life = other;
    return draft.limits();
  }

  /** These limits with other times: to open the connection, for a field block, and to read. */
  public Http2Limits withTimes(long opening, long header, long unread) {
    Draft draft = new Draft(this);
    draft.openingNanos = opening;
    draft.headerNanos = header;
    draft.unreadNanos = unread;
    return draft.limits();
  }

  /** Every value, to be changed before they are limits again, which checks their ranges. */
  private static final class Draft {
    private int maxConcurrentStreams;
    private int maxRequests;
    private int streamWindowBytes;
    private int connectionWindowBytes;
    private int maxFrameBytes;
    private int headerTableBytes;
    private int headerListSoftBytes;
    private int headerListHardBytes;
    private int maxContinuations;
    private int streamQueueMarkBytes;
    private int connectionQueueMarkBytes;
    private int connectionQueueMaxBytes;
    private int unsentMarkBytes;
    private int unsentMaxBytes;
    private long openingNanos;
    private long headerNanos;
    private long unreadNanos;
    private long drainPingNanos;
    private long drainIdlePingNanos;
    private long drainGraceNanos;
    private FloodLimits floods;
    private LifeLimits life;

    Draft(Http2Limits from) {
      maxConcurrentStreams = from.maxConcurrentStreams;
      maxRequests = from.maxRequests;
      streamWindowBytes = from.streamWindowBytes;
      connectionWindowBytes = from.connectionWindowBytes;
      maxFrameBytes = from.maxFrameBytes;
      headerTableBytes = from.headerTableBytes;
      headerListSoftBytes = from.headerListSoftBytes;
      headerListHardBytes = from.headerListHardBytes;
      maxContinuations = from.maxContinuations;
      streamQueueMarkBytes = from.streamQueueMarkBytes;
      connectionQueueMarkBytes = from.connectionQueueMarkBytes;
      connectionQueueMaxBytes = from.connectionQueueMaxBytes;
      unsentMarkBytes = from.unsentMarkBytes;
      unsentMaxBytes = from.unsentMaxBytes;
      openingNanos = from.openingNanos;
      headerNanos = from.headerNanos;
      unreadNanos = from.unreadNanos;
      drainPingNanos = from.drainPingNanos;
      drainIdlePingNanos = from.drainIdlePingNanos;
      drainGraceNanos = from.drainGraceNanos;
      floods = from.floods;
      life = from.life;
    }

    Http2Limits limits() {
      return new Http2Limits(
          maxConcurrentStreams,
          maxRequests,
          streamWindowBytes,
          connectionWindowBytes,
          maxFrameBytes,
          headerTableBytes,
          headerListSoftBytes,
          headerListHardBytes,
          maxContinuations,
          streamQueueMarkBytes,
          connectionQueueMarkBytes,
          connectionQueueMaxBytes,
          unsentMarkBytes,
          unsentMaxBytes,
          openingNanos,
          headerNanos,
          unreadNanos,
          drainPingNanos,
          drainIdlePingNanos,
          drainGraceNanos,
          floods,
          life);
    }
  }
}

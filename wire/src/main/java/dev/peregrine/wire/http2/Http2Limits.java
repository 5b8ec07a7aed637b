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
    return new Http2Limits(
        streams,
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

  /** These limits with another number of requests. */
  public Http2Limits withMaxRequests(int requests) {
    return new Http2Limits(
        maxConcurrentStreams,
        requests,
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

  /** These limits with other receive windows. */
  public Http2Limits withWindows(int streamBytes, int connectionBytes) {
    return new Http2Limits(
        maxConcurrentStreams,
        maxRequests,
        streamBytes,
        connectionBytes,
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

  /** These limits with other sizes of a header section. */
  public Http2Limits withHeaderList(int softBytes, int hardBytes) {
    return new Http2Limits(
        maxConcurrentStreams,
        maxRequests,
        streamWindowBytes,
        connectionWindowBytes,
        maxFrameBytes,
        headerTableBytes,
        softBytes,
        hardBytes,
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

  /** These limits with other bounds of queued content. */
  public Http2Limits withQueue(
      int streamMarkBytes, int connectionMarkBytes, int connectionMaxBytes) {
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
        streamMarkBytes,
        connectionMarkBytes,
        connectionMaxBytes,
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

  /** These limits with other bounds of output the socket has not taken. */
  public Http2Limits withUnsent(int markBytes, int maxBytes) {
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
        markBytes,
        maxBytes,
        openingNanos,
        headerNanos,
        unreadNanos,
        drainPingNanos,
        drainIdlePingNanos,
        drainGraceNanos,
        floods,
        life);
  }

  /** These limits with another time for open calls to end in a drain. */
  public Http2Limits withDrainGraceNanos(long nanos) {
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
        nanos,
        floods,
        life);
  }

  /** These limits with other rates. */
  public Http2Limits withFloods(FloodLimits rates) {
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
        rates,
        life);
  }

  /** These limits with another life. */
  public Http2Limits withLife(LifeLimits other) {
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
        other);
  }

  /** These limits with other times: to open the connection, for a field block, and to read. */
  public Http2Limits withTimes(long opening, long header, long unread) {
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
        opening,
        header,
        unread,
        drainPingNanos,
        drainIdlePingNanos,
        drainGraceNanos,
        floods,
        life);
  }
}

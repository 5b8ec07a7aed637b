package dev.peregrine.wire.http1;

/**
 * Every bound of an HTTP/1.1 connection in one place. Immutable, any thread.
 *
 * @param requestLineBytes the longest request line; a longer one is answered with 414
 * @param headerBytes the field lines of a head together; more are answered with 431
 * @param headerCount field lines in a head or trailer section; more are answered with 431
 * @param trailerBytes the field lines of a trailer section together
 * @param chunkLineBytes the line that begins a chunk, with its extensions
 * @param chunkOverheadBytes what chunk lines may take beyond 16 bytes for each and twice the
 *     content
 * @param contentBytes the content of a request; more is answered with 413
 * @param windowBytes content the call layer has not given back, beyond which we stop reading
 * @param pipelineBytes input that waits for its turn, beyond which we stop reading
 * @param discardBytes the rest of a request that was answered early which is read and dropped, so
 *     that the connection can be kept; with more, or with chunks, the response says that it is the
 *     last
 * @param queueMarkBytes a response that fell back below this much queued content may send more
 * @param queueMaxBytes a response that queues content while more than this is queued ends the
 *     connection
 * @param maxRequests requests after which the connection is closed in good order
 * @param headNanos how long a head may take from its first byte on
 * @param contentNanos how often content that has begun must have moved on by {@code
 *     contentMinBytes}; the time between two chunks does not count
 * @param contentMinBytes see {@code contentNanos}
 * @param unreadNanos how long we wait for a peer that takes nothing of what we sent
 * @param idleNanos how long a connection is kept without a request
 * @param maxAgeNanos after so long, ± 10 %, the connection is drained
 * @param ageGraceNanos what is still under way so long after that is cut
 * @param drainGraceNanos how long a drain waits for the request under way
 */
public record Http1Limits(
    int requestLineBytes,
    int headerBytes,
    int headerCount,
    int trailerBytes,
    int chunkLineBytes,
    int chunkOverheadBytes,
    long contentBytes,
    int windowBytes,
    int pipelineBytes,
    int discardBytes,
    int queueMarkBytes,
    int queueMaxBytes,
    int maxRequests,
    long headNanos,
    long contentNanos,
    int contentMinBytes,
    long unreadNanos,
    long idleNanos,
    long maxAgeNanos,
    long ageGraceNanos,
    long drainGraceNanos) {

  /** Says that there is no limit of time. */
  public static final long NONE_NANOS = Long.MAX_VALUE;

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000;

  /** The limits a server has unless told otherwise. */
  public static final Http1Limits STANDARD =
      new Http1Limits(
          8 * KIB, // RFC 9112, 3 asks for 8000 at least
          8 * KIB, // as for HTTP/2
          100, // browsers send about 20; each costs an object or two
          8 * KIB,
          256, // room for signatures in extensions, which nobody here reads
          16 * KIB,
          Long.MAX_VALUE, // the call layer bounds what it holds, and a stream may go on for ever
          MIB,
          64 * KIB, // one read of the loop
          256 * KIB, // cheaper than a new connection
          64 * KIB,
          64 * MIB,
          Integer.MAX_VALUE,
          10 * SECOND,
          20 * SECOND,
          4 * KIB, // 200 bytes a second: slower than any modem
          60 * SECOND,
          75 * SECOND, // longer than the 60 s of load balancers, so that they are the first to
          // close
          NONE_NANOS,
          NONE_NANOS,
          30 * SECOND);

  /** Checks the ranges. */
  public Http1Limits {
    require(requestLineBytes > 0 && headerBytes > 0 && headerCount > 0, "limits of a head");
    require(trailerBytes >= 0 && chunkLineBytes > 2 && chunkOverheadBytes >= 0, "limits of chunks");
    require(contentBytes >= 0 && windowBytes > 0 && pipelineBytes > 0, "limits of input");
    require(discardBytes >= 0 && maxRequests > 0 && contentMinBytes >= 0, "limits of a request");
    require(queueMarkBytes > 0 && queueMarkBytes <= queueMaxBytes, "limits of the queue");
    require(
        headNanos > 0
            && contentNanos > 0
            && unreadNanos > 0
            && idleNanos > 0
            && maxAgeNanos > 0
            && ageGraceNanos > 0
            && drainGraceNanos > 0,
        "limits of time");
  }

  private static void require(boolean condition, String text) {
    if (!condition) {
      throw new IllegalArgumentException(text + " are out of range");
    }
  }

  /** These limits with another size of the header section. */
  public Http1Limits withHeaderBytes(int bytes) {
    Draft draft = new Draft(this);
    draft.headerBytes = bytes;
    return draft.limits();
  }

  /** These limits with another window for content. */
  public Http1Limits withWindowBytes(int bytes) {
    Draft draft = new Draft(this);
    draft.windowBytes = bytes;
    return draft.limits();
  }

  /** These limits with another life; {@link #NONE_NANOS} for no limit. */
  public Http1Limits withLife(long idle, long maxAge, long ageGrace) {
    Draft draft = new Draft(this);
    draft.idleNanos = idle;
    draft.maxAgeNanos = maxAge;
    draft.ageGraceNanos = ageGrace;
    return draft.limits();
  }

  /** These limits with another time for the request under way to end in a drain. */
  public Http1Limits withDrainGraceNanos(long nanos) {
    Draft draft = new Draft(this);
    draft.drainGraceNanos = nanos;
    return draft.limits();
  }

  /** These limits with another one for what is queued of a response. */
  public Http1Limits withQueueMaxBytes(int bytes) {
    Draft draft = new Draft(this);
    draft.queueMaxBytes = bytes;
    return draft.limits();
  }

  /** These limits with another number of requests. */
  public Http1Limits withMaxRequests(int requests) {
    Draft draft = new Draft(this);
    draft.maxRequests = requests;
    return draft.limits();
  }

  /** These limits with other times for a head, for content to move on, and for a peer to read. */
  public Http1Limits withTimes(long head, long content, long unread) {
    Draft draft = new Draft(this);
    draft.headNanos = head;
    draft.contentNanos = content;
    draft.unreadNanos = unread;
    return draft.limits();
  }

  /** Every value, to be changed before they are limits again, which checks their ranges. */
  private static final class Draft {
    private int requestLineBytes;
    private int headerBytes;
    private int headerCount;
    private int trailerBytes;
    private int chunkLineBytes;
    private int chunkOverheadBytes;
    private long contentBytes;
    private int windowBytes;
    private int pipelineBytes;
    private int discardBytes;
    private int queueMarkBytes;
    private int queueMaxBytes;
    private int maxRequests;
    private long headNanos;
    private long contentNanos;
    private int contentMinBytes;
    private long unreadNanos;
    private long idleNanos;
    private long maxAgeNanos;
    private long ageGraceNanos;
    private long drainGraceNanos;

    Draft(Http1Limits from) {
      requestLineBytes = from.requestLineBytes;
      headerBytes = from.headerBytes;
      headerCount = from.headerCount;
      trailerBytes = from.trailerBytes;
      chunkLineBytes = from.chunkLineBytes;
      chunkOverheadBytes = from.chunkOverheadBytes;
      contentBytes = from.contentBytes;
      windowBytes = from.windowBytes;
      pipelineBytes = from.pipelineBytes;
      discardBytes = from.discardBytes;
      queueMarkBytes = from.queueMarkBytes;
      queueMaxBytes = from.queueMaxBytes;
      maxRequests = from.maxRequests;
      headNanos = from.headNanos;
      contentNanos = from.contentNanos;
      contentMinBytes = from.contentMinBytes;
      unreadNanos = from.unreadNanos;
      idleNanos = from.idleNanos;
      maxAgeNanos = from.maxAgeNanos;
      ageGraceNanos = from.ageGraceNanos;
      drainGraceNanos = from.drainGraceNanos;
    }

    Http1Limits limits() {
      return new Http1Limits(
          requestLineBytes,
          headerBytes,
          headerCount,
          trailerBytes,
          chunkLineBytes,
          chunkOverheadBytes,
          contentBytes,
          windowBytes,
          pipelineBytes,
          discardBytes,
          queueMarkBytes,
          queueMaxBytes,
          maxRequests,
          headNanos,
          contentNanos,
          contentMinBytes,
          unreadNanos,
          idleNanos,
          maxAgeNanos,
          ageGraceNanos,
          drainGraceNanos);
    }
  }
}

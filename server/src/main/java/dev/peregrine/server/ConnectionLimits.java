package dev.peregrine.server;

import dev.peregrine.wire.http1.Http1Limits;
import dev.peregrine.wire.http2.Http2Limits;

/**
 * What connections may use at most. Defaults are safe for the open internet. Immutable.
 *
 * @param maxConnections connections open at once, 20,000: idle ones take some KiB each, so this is
 *     well below 200 MB; further ones are closed at once
 * @param maxConnectionsPerAddress the same for one address of peers. Not limited by default: behind
 *     a proxy all clients have one address
 * @param maxConcurrentStreams calls open at once on one connection, 1,000: the often used 100 makes
 *     long streams of one client wait for each other, silently
 * @param maxHeaderBytes the largest header section of a call, 8 KiB, as gRPC suggests; counted with
 *     32 bytes for each field (RFC 9113, 6.5.2). Larger ones are refused with 431, and those over
 *     eight times as much, but at least 64 KiB, end the connection
 * @param streamWindowBytes request content under way on one call, 1 MiB
 * @param connectionWindowBytes the same for all calls of a connection together, 16 MiB
 */
public record ConnectionLimits(
    int maxConnections,
    int maxConnectionsPerAddress,
    int maxConcurrentStreams,
    int maxHeaderBytes,
    int streamWindowBytes,
    int connectionWindowBytes) {

  /** The defaults. */
  public static final ConnectionLimits DEFAULTS =
      new ConnectionLimits(
          20_000,
          Integer.MAX_VALUE,
          Http2Limits.STANDARD.maxConcurrentStreams(),
          Http2Limits.STANDARD.headerListSoftBytes(),
          Http2Limits.STANDARD.streamWindowBytes(),
          Http2Limits.STANDARD.connectionWindowBytes());

  /** A drain is ended by the server, which knows its grace, not by each connection: ten years. */
  private static final long NO_GRACE_LIMIT_NANOS = 10L * 365 * 24 * 3600 * 1_000_000_000;

  private static final int MIN_CONNECTION_WINDOW_BYTES = 65_535;
  private static final int HARD_HEADER_FACTOR = 8;
  private static final int MIN_HARD_HEADER_BYTES = 64 * 1024;

  /** Nobody sends a megabyte of header fields on purpose; what is larger costs only memory. */
  private static final int MAX_HEADER_BYTES = 1024 * 1024;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the value that is out of range
   */
  public ConnectionLimits {
    require(maxConnections >= 1, "maxConnections must be at least 1");
    require(maxConnectionsPerAddress >= 1, "maxConnectionsPerAddress must be at least 1");
    require(maxConcurrentStreams >= 1, "maxConcurrentStreams must be at least 1");
    require(
        maxHeaderBytes >= 1 && maxHeaderBytes <= MAX_HEADER_BYTES,
        "maxHeaderBytes must be in 1.." + MAX_HEADER_BYTES);
    require(streamWindowBytes >= 1, "streamWindowBytes must be at least 1");
    require(
        connectionWindowBytes >= MIN_CONNECTION_WINDOW_BYTES,
        "connectionWindowBytes must be at least " + MIN_CONNECTION_WINDOW_BYTES);
  }

  private static void require(boolean condition, String text) {
    if (!condition) {
      throw new IllegalArgumentException(text);
    }
  }

  /** The same with another {@link #maxConnections}. */
  public ConnectionLimits withMaxConnections(int connections) {
    return new ConnectionLimits(
        connections,
        maxConnectionsPerAddress,
        maxConcurrentStreams,
        maxHeaderBytes,
        streamWindowBytes,
        connectionWindowBytes);
  }

  /** The same with another {@link #maxConnectionsPerAddress}. */
  public ConnectionLimits withMaxConnectionsPerAddress(int connections) {
    return new ConnectionLimits(
        maxConnections,
        connections,
        maxConcurrentStreams,
        maxHeaderBytes,
        streamWindowBytes,
        connectionWindowBytes);
  }

  /** The same with another {@link #maxConcurrentStreams}. */
  public ConnectionLimits withMaxConcurrentStreams(int streams) {
    return new ConnectionLimits(
        maxConnections,
        maxConnectionsPerAddress,
        streams,
        maxHeaderBytes,
        streamWindowBytes,
        connectionWindowBytes);
  }

  /** The same with another {@link #maxHeaderBytes}. */
  public ConnectionLimits withMaxHeaderBytes(int bytes) {
    return new ConnectionLimits(
        maxConnections,
        maxConnectionsPerAddress,
        maxConcurrentStreams,
        bytes,
        streamWindowBytes,
        connectionWindowBytes);
  }

  /** The same with other receive windows. */
  public ConnectionLimits withWindows(int streamBytes, int connectionBytes) {
    return new ConnectionLimits(
        maxConnections,
        maxConnectionsPerAddress,
        maxConcurrentStreams,
        maxHeaderBytes,
        streamBytes,
        connectionBytes);
  }

  /** What the HTTP/1.1 engine is told. */
  Http1Limits toHttp1() {
    return Http1Limits.STANDARD
        .withHeaderBytes(maxHeaderBytes)
        .withWindowBytes(streamWindowBytes)
        .withDrainGraceNanos(NO_GRACE_LIMIT_NANOS);
  }

  /** What the HTTP/2 engine is told. */
  Http2Limits toHttp2() {
    return Http2Limits.STANDARD
        .withMaxConcurrentStreams(maxConcurrentStreams)
        .withHeaderList(
            maxHeaderBytes, Math.max(maxHeaderBytes * HARD_HEADER_FACTOR, MIN_HARD_HEADER_BYTES))
        .withWindows(streamWindowBytes, connectionWindowBytes)
        .withDrainGraceNanos(NO_GRACE_LIMIT_NANOS);
  }
}

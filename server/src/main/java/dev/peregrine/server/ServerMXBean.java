package dev.peregrine.server;

import java.util.Map;

/**
 * What JMX shows of a {@link Server}: the figures of {@link Server#counts}, of one moment each. Any
 * thread.
 */
public interface ServerMXBean {

  /** Connections that are open. */
  int getConnections();

  /** Connections accepted since the start. */
  long getAcceptedConnections();

  /** Connections closed at once since the start, because a limit was reached. */
  long getRefusedConnections();

  /** TLS handshakes in progress. */
  int getHandshakes();

  /** Calls that have not ended. */
  int getCalls();

  /** Bytes that wait: for peers that do not read, and for handlers. */
  long getQueuedBytes();

  /** How often each limit that was reached has been, by its name. */
  Map<String, Long> getLimits();
}

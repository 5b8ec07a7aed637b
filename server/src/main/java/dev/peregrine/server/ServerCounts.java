package dev.peregrine.server;

import dev.peregrine.rpc.Limit;
import java.util.Map;

/**
 * What a server has and had at one moment; its numbers are taken one after the other. Immutable,
 * any thread.
 *
 * @param connections open connections
 * @param acceptedConnections connections admitted since the start
 * @param handshakes TLS handshakes in progress
 * @param calls open calls, as of the end of each loop's last turn
 * @param queuedBytes memory for bytes that wait, within {@link ConnectionLimits#maxQueuedBytes}
 * @param limits how often each limit has done its work since the start; those that never did are
 *     there with 0
 */
public record ServerCounts(
    int connections,
    long acceptedConnections,
    int handshakes,
    int calls,
    long queuedBytes,
    Map<Limit, Long> limits) {

  /** Copies. */
  public ServerCounts {
    limits = Map.copyOf(limits);
  }

  /** Connections closed at once, because there were too many. */
  public long refusedConnections() {
    return limits.get(Limit.CONNECTIONS) + limits.get(Limit.CONNECTIONS_PER_ADDRESS);
  }
}

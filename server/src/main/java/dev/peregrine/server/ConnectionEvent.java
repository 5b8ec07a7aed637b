package dev.peregrine.server;

import java.net.SocketAddress;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * A connection that has ended, for JDK Flight Recorder. Loop-confined.
 *
 * <p>Made at the end alone, with the age as a field, so that connections which were there before
 * the recording are in it, too.
 */
@Name("dev.peregrine.Connection")
@Label("Connection")
@Description("A connection has ended")
@Category("Peregrine")
@StackTrace(false)
final class ConnectionEvent extends Event {

  private static final ConnectionEvent PROBE = new ConnectionEvent();

  @Label("Peer")
  String peer;

  @Label("Reason")
  @Description("Why it ended; if the peer was told to go away, what it was told")
  String reason;

  @Label("Age")
  @Description("How long ago it was opened")
  @Timespan(Timespan.NANOSECONDS)
  long age;

  @Label("Bytes Received")
  @DataAmount
  long bytesReceived;

  @Label("Bytes Sent")
  @Description("What the system took; the peer may not have")
  @DataAmount
  long bytesSent;

  /** Records the end of a connection, if a recording wants to know. */
  static void record(
      SocketAddress peer, String reason, long ageNanos, long receivedBytes, long sentBytes) {
    if (PROBE.isEnabled()) {
      ConnectionEvent event = new ConnectionEvent();
      event.peer = String.valueOf(peer);
      event.reason = reason;
      event.age = ageNanos;
      event.bytesReceived = receivedBytes;
      event.bytesSent = sentBytes;
      event.commit();
    }
  }
}

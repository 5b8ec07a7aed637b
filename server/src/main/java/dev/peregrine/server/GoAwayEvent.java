package dev.peregrine.server;

import dev.peregrine.wire.ErrorCode;
import java.net.SocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A peer was told to go away, for JDK Flight Recorder. Loop-confined. */
@Name("dev.peregrine.GoAway")
@Label("GOAWAY")
@Description("A client was told to make no further calls on its connection (RFC 9113, 6.8)")
@Category("Peregrine")
@StackTrace(false)
final class GoAwayEvent extends Event {

  private static final GoAwayEvent PROBE = new GoAwayEvent();

  @Label("Peer")
  String peer;

  @Label("Code")
  String code;

  @Label("Reason")
  @Description("The debug data, which names the limit or the fault")
  String reason;

  /** Records a GOAWAY, if a recording wants to know. */
  static void record(SocketAddress peer, ErrorCode code, String reason) {
    if (PROBE.isEnabled()) {
      GoAwayEvent event = new GoAwayEvent();
      event.peer = String.valueOf(peer);
      event.code = code.toString();
      event.reason = reason;
      event.commit();
    }
  }
}

package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Status;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * A call, for JDK Flight Recorder: its duration is from the request's header section to the end.
 * Loop-confined.
 *
 * <p>The threshold is that of the JDK's own events of sockets: a busy server would push everything
 * else out of a recording.
 */
@Name("dev.peregrine.Call")
@Label("Call")
@Description("A call of a method that exists, from its header section to its end")
@Category("Peregrine")
@StackTrace(false)
@Threshold("20 ms")
final class CallEvent extends Event {

  private static final CallEvent PROBE = new CallEvent();

  @Label("Method")
  String method;

  @Label("Protocol")
  String protocol;

  @Label("Status")
  String status;

  @Label("Request Bytes")
  @Description("The messages received, compressed where they were, without prefixes")
  @DataAmount
  long requestBytes;

  @Label("Response Bytes")
  @Description("The messages sent, compressed where they were, without prefixes")
  @DataAmount
  long responseBytes;

  /** A call begins; {@code null} if no recording wants to know. */
  static CallEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    CallEvent event = new CallEvent();
    event.begin();
    return event;
  }

  /** The call has ended. */
  void ended(Context context, Status end, long received, long sent) {
    end();
    if (shouldCommit()) {
      method = context.method().fullName();
      protocol = context.protocol();
      status = end.code().name();
      requestBytes = received;
      responseBytes = sent;
      commit();
    }
  }
}

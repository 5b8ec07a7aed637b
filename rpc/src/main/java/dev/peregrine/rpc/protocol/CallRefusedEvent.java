package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A request answered without any handler, for JDK Flight Recorder. Loop-confined. */
@Name("dev.peregrine.CallRefused")
@Label("Call Refused")
@Description("A call that was refused before a handler could run, or of a method that is not there")
@Category("Peregrine")
@StackTrace(false)
final class CallRefusedEvent extends Event {

  private static final CallRefusedEvent PROBE = new CallRefusedEvent();

  @Label("Method")
  @Description("The method; or the path as it was sent, if there is no such method")
  String method;

  @Label("Status")
  String status;

  @Label("Reason")
  String reason;

  /** Records a refusal, if a recording wants to know. */
  static void record(String method, Status status) {
    if (PROBE.isEnabled()) {
      CallRefusedEvent event = new CallRefusedEvent();
      event.method = method;
      event.status = status.code().name();
      event.reason = status.message();
      event.commit();
    }
  }
}

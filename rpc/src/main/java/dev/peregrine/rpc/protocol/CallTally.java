package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.Status;
import dev.peregrine.rpc.WireRequest;
import java.util.List;

/**
 * What is counted of one call, if anybody observes or records: made only then. Loop-confined.
 *
 * <p>It ends once: {@link #ended} is called by whatever ends the call.
 */
final class CallTally {

  private final List<ServerObserver> observers;
  private final Context context;
  private final long startNanos;
  private final CallEvent event;
  private long requestBytes;
  private long responseBytes;

  private CallTally(
      List<ServerObserver> observers, Context context, long startNanos, CallEvent event) {
    this.observers = observers;
    this.context = context;
    this.startNanos = startNanos;
    this.event = event;
  }

  /** Begins to count, and says that the call has started; {@code null} if nobody wants to know. */
  static CallTally start(List<ServerObserver> observers, Context context, long nowNanos) {
    CallEvent event = FlightRecording.PRESENT ? CallEvent.start() : null;
    if (event == null && observers.isEmpty()) {
      return null;
    }
    Observers.tell(observers, ServerObserver::callStarted, context);
    return new CallTally(observers, context, nowNanos, event);
  }

  void received(int bytes) {
    requestBytes += bytes;
  }

  void sent(int bytes) {
    responseBytes += bytes;
  }

  /** The call has ended. */
  void ended(Status status, int httpStatus, long nowNanos) {
    if (event != null) {
      event.ended(context, status, requestBytes, responseBytes);
    }
    if (observers.isEmpty()) {
      return;
    }
    Observers.tell(
        observers,
        ServerObserver::callEnded,
        new CallEnd(
            context.method().fullName(),
            true,
            context.protocol(),
            status,
            httpStatus,
            nowNanos - startNanos,
            requestBytes,
            responseBytes,
            context.wireRequest(),
            context));
  }

  /** A plain HTTP request that means no call was answered by a refusal. */
  static void refusedPage(List<ServerObserver> observers, Refusal refusal, WireRequest request) {
    if (FlightRecording.PRESENT) {
      CallRefusedEvent.record(request.target(), refusal.status());
    }
    if (!observers.isEmpty()) {
      Observers.tell(
          observers,
          ServerObserver::httpEnded,
          new HttpEnd(request, refusal.httpStatus(), 0, 0, refusal.contentBytes()));
    }
  }

  /** A call was refused before it could begin. */
  static void refused(
      List<ServerObserver> observers,
      String method,
      boolean known,
      String protocol,
      Refusal refusal,
      WireRequest request) {
    Status status = refusal.status();
    if (FlightRecording.PRESENT) {
      CallRefusedEvent.record(method, status);
    }
    if (!observers.isEmpty()) {
      int httpStatus = refusal.httpStatus();
      Observers.tell(
          observers,
          ServerObserver::callEnded,
          new CallEnd(method, known, protocol, status, httpStatus, 0, 0, 0, request, null));
    }
  }
}

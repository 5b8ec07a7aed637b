package dev.peregrine.opentelemetry;

import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Status;
import io.opentelemetry.context.Scope;
import java.util.Objects;

/** Tells a listener everything while the span of its call is current. One thread at a time. */
@SuppressWarnings("try") // scopes are there to be closed
final class TracedListener<Q> implements CallListener<Q> {

  private final CallListener<Q> listener;
  private final Context call;
  private final io.opentelemetry.context.Context context;

  TracedListener(CallListener<Q> listener, Context call) {
    this.listener = Objects.requireNonNull(listener, "the handler's listener");
    this.call = call;
    this.context = OpenTelemetryTracing.context(call);
  }

  @Override
  public void onMessage(Q message) throws Exception {
    try (Scope scope = context.makeCurrent()) {
      listener.onMessage(message);
    } catch (Throwable t) {
      OpenTelemetryTracing.record(call, t);
      throw t;
    }
  }

  @Override
  public void onHalfClose() throws Exception {
    try (Scope scope = context.makeCurrent()) {
      listener.onHalfClose();
    } catch (Throwable t) {
      OpenTelemetryTracing.record(call, t);
      throw t;
    }
  }

  @Override
  public void onReady() throws Exception {
    try (Scope scope = context.makeCurrent()) {
      listener.onReady();
    } catch (Throwable t) {
      OpenTelemetryTracing.record(call, t);
      throw t;
    }
  }

  /** The call has ended: whatever is thrown comes too late for its span. */
  @Override
  public void onCancel(Status reason) {
    try (Scope scope = context.makeCurrent()) {
      listener.onCancel(reason);
    }
  }
}

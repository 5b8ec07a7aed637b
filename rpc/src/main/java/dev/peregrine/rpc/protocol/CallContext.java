package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ContextKey;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.WireRequest;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.Transport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.security.Principal;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The half of a call that its handler sees. Handler thread, except for what is marked otherwise.
 *
 * <p>A superclass rather than an object of its own: one RPC is one object here.
 */
abstract class CallContext<Q, R> extends HandlerThread implements Context {

  static final System.Logger LOG = System.getLogger("dev.peregrine.rpc");

  private static final Object CANCELLED = new Object();

  private static final Headers NO_HEADERS = new Headers();

  private static final VarHandle CANCEL;

  static {
    try {
      CANCEL = MethodHandles.lookup().findVarHandle(CallContext.class, "cancel", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final HttpStream stream;
  final RequestHead<Q, R> head;
  private long deadlineNanos = NO_DEADLINE;
  private Metadata metadata;
  private Metadata responseHeaders;
  private Metadata responseTrailers;
  private ContextValue values;
  private boolean compressing;

  // Crossing: null; then what onCancel gave, a Runnable; CANCELLED for good.
  @SuppressWarnings("unused") // through CANCEL
  private volatile Object cancel;

  // Crossing: the response headers as they will leave, once the handler can change them no more.
  private volatile Headers fixedHeaders;

  CallContext(HttpStream stream, RequestHead<Q, R> head) {
    this.stream = stream;
    this.head = head;
  }

  // ---- Loop.

  /** Sets the deadline, before the handler begins. */
  final void deadline(long nanos) {
    deadlineNanos = nanos;
  }

  /** Nobody waits for the answer any more: from here on {@link #isCancelled}. */
  final void cancelContext() {
    Object hook = CANCEL.getAndSet(this, CANCELLED);
    if (hook instanceof Runnable action) {
      runHook(action);
    }
  }

  private void runHook(Runnable action) {
    try {
      action.run();
    } catch (Throwable t) {
      // Whatever it is: the call has still to be ended, by who runs the hook.
      complain("onCancel hook", t);
    }
  }

  /** Logs a fault of the handler's code; never fails. Any thread. */
  final void complain(String what, Throwable fault) {
    FaultLog.handler(what, head.bound(), fault);
  }

  /**
   * What the handler put into {@link #responseHeaders()}, or {@code null}. Once the handler is
   * done, or on its thread.
   */
  final Metadata preparedHeaders() {
    return responseHeaders;
  }

  /** The fields to send in the header section beside those of the wire, or {@code null}. */
  final Headers headersToSend() {
    Headers fixed = fixedHeaders;
    if (fixed == null) {
      return responseHeaders == null || responseHeaders.size() == 0
          ? null
          : responseHeaders.fields();
    }
    return fixed == NO_HEADERS ? null : fixed;
  }

  /** What the handler put into {@link #responseTrailers()}, or {@code null}. */
  final Metadata preparedTrailers() {
    return responseTrailers;
  }

  @Override
  public final Transport transport() {
    return stream.transport();
  }

  // ---- Context: handler thread.

  @Override
  public final Method<Q, R> method() {
    return head.bound().method();
  }

  @Override
  public final String protocol() {
    return head.protocol().name();
  }

  @Override
  public final Metadata metadata() {
    if (metadata == null) {
      metadata = Metadata.of(head.headers());
    }
    return metadata;
  }

  @Override
  public final WireRequest wireRequest() {
    return new StreamRequest(stream, head.headers());
  }

  @Override
  public final SocketAddress peer() {
    return stream.transport().peer();
  }

  @Override
  public final SocketAddress local() {
    return stream.transport().local();
  }

  @Override
  public final Optional<SSLSession> tlsSession() {
    return Optional.ofNullable(stream.transport().tlsSession());
  }

  @Override
  public final Optional<Principal> peerUser() {
    return Optional.ofNullable(stream.transport().peerUser());
  }

  @Override
  public final Optional<Principal> peerGroup() {
    return Optional.ofNullable(stream.transport().peerGroup());
  }

  @Override
  public final long remainingNanos() {
    return deadlineNanos == NO_DEADLINE ? NO_DEADLINE : deadlineNanos - System.nanoTime();
  }

  @Override
  public final boolean isCancelled() {
    return cancel == CANCELLED;
  }

  @Override
  public final void onCancel(Runnable action) {
    Object old = cancel;
    while (old != CANCELLED) {
      Runnable earlier = (Runnable) old;
      Runnable both =
          earlier == null
              ? action
              : () -> {
                runHook(earlier);
                runHook(action);
              };
      if (CANCEL.compareAndSet(this, old, both)) {
        return;
      }
      old = cancel;
    }
    runHook(action);
  }

  @Override
  public final Metadata responseHeaders() {
    if (responseHeaders == null) {
      responseHeaders = new Metadata();
    }
    return responseHeaders;
  }

  /**
   * The header section may leave from now on: takes a copy of its fields, because the handler may
   * go on and change them while the loop sends. Where messages are sent, before they are.
   */
  final void fixHeaders() {
    if (fixedHeaders == null) {
      fixedHeaders = copyOf(responseHeaders);
    }
  }

  private static Headers copyOf(Metadata metadata) {
    if (metadata == null || metadata.size() == 0) {
      return NO_HEADERS;
    }
    Headers fields = metadata.fields();
    Headers copy = new Headers();
    for (int i = 0; i < fields.size(); i++) {
      copy.add(fields.name(i), fields.value(i));
    }
    return copy;
  }

  @Override
  public final Metadata responseTrailers() {
    if (responseTrailers == null) {
      responseTrailers = new Metadata();
    }
    return responseTrailers;
  }

  @Override
  public final void compressResponses(boolean on) {
    compressing = on;
  }

  /** What {@link #compressResponses} said last. */
  final boolean compressing() {
    return compressing;
  }

  @Override
  @SuppressWarnings("unchecked") // set() put it there for a key of this type
  public final <T> T get(ContextKey<T> key) {
    return (T) ContextValue.find(values, key);
  }

  @Override
  public final <T> void set(ContextKey<T> key, T value) {
    values = ContextValue.with(values, key, value);
  }
}

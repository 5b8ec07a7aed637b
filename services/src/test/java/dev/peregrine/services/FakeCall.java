package dev.peregrine.services;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;

/** A call without a server, whose client takes messages when the test says so. */
final class FakeCall<R> implements Call<R> {

  private final List<R> sent = new ArrayList<>();
  private volatile boolean ready = true;
  private int permits = 1;
  private Status closed;

  @Override
  public Context context() {
    throw new UnsupportedOperationException("the services need no context");
  }

  @Override
  public synchronized void send(R message) {
    if (closed != null) {
      throw new IllegalStateException("send after close");
    }
    sent.add(message);
  }

  @Override
  public boolean ready() {
    return ready;
  }

  void ready(boolean ready) {
    this.ready = ready;
  }

  @Override
  public void request(int count) {
    permits += count;
  }

  /** How many messages the handler has asked for so far. */
  int permits() {
    return permits;
  }

  @Override
  public synchronized void close(Status status) {
    if (closed == null) {
      closed = status;
    }
  }

  /** How the handler ended the call, or {@code null}. */
  synchronized Status closed() {
    return closed;
  }

  /** What was sent so far. */
  synchronized List<R> sent() {
    return List.copyOf(sent);
  }

  /** What was sent since the last time. */
  synchronized List<R> take() {
    List<R> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  /** The handler that a definition binds to a method. */
  @SuppressWarnings("unchecked") // the handler was bound to this method
  static <Q, R> Handler<Q, R> handler(ServiceDefinition service, Method<Q, R> method) {
    for (ServiceDefinition.Binding<?, ?> binding : service.bindings()) {
      if (binding.method().fullName().equals(method.fullName())) {
        return (Handler<Q, R>) binding.handler();
      }
    }
    throw new AssertionError(service.name() + " does not bind " + method);
  }
}

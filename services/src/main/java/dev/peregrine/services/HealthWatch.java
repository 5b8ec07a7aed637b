package dev.peregrine.services;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Status;
import dev.peregrine.services.health.v1.HealthCheckRequest;
import dev.peregrine.services.health.v1.HealthCheckResponse;

/**
 * Any thread. One call of Watch.
 *
 * <p>It queues nothing: the status is looked up when the client can take it, so a slow client hears
 * of the newest one alone, and a status the client knows already is not sent again. The lock puts
 * looking up and sending of several threads in one order; nothing under it blocks.
 */
final class HealthWatch implements CallListener<HealthCheckRequest> {

  private final Health health;
  private final Call<HealthCheckResponse> call;

  // Guarded by this.
  private String service;
  private HealthCheckResponse.ServingStatus told;
  private boolean ended;

  HealthWatch(Health health, Call<HealthCheckResponse> call) {
    this.health = health;
    this.call = call;
  }

  @Override
  public void onMessage(HealthCheckRequest request) {
    String name = Health.checkedName(request);
    synchronized (this) {
      service = name;
    }
    health.add(this);
  }

  @Override
  public void onReady() {
    tell();
  }

  @Override
  public void onCancel(Status reason) {
    synchronized (this) {
      ended = true;
    }
    health.remove(this);
  }

  synchronized boolean isOf(String name) {
    return name.equals(service);
  }

  /** Tells the client what is new, if it can take it now; else {@link #onReady} will. */
  synchronized void tell() {
    if (!ended && call.ready()) {
      sendNews();
    }
  }

  /** Tells the client what is new, and ends the call. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      // Even if the client is slow: it is one message.
      sendNews();
      call.close(Status.UNAVAILABLE.withMessage("the server is shutting down"));
      health.remove(this);
    }
  }

  private void sendNews() {
    HealthCheckResponse.ServingStatus now = health.status(service);
    if (now != told) {
      told = now;
      call.send(Health.response(now));
    }
  }
}

package dev.peregrine.services;

import dev.peregrine.services.health.v1.HealthCheckResponse;

/** Any thread. What a server says of its health: see {@link Health#set}. */
public enum ServingStatus {
  /** It cannot tell, for instance while it starts. */
  UNKNOWN(HealthCheckResponse.ServingStatus.UNKNOWN),
  /** It takes calls. */
  SERVING(HealthCheckResponse.ServingStatus.SERVING),
  /** It should be sent no calls. */
  NOT_SERVING(HealthCheckResponse.ServingStatus.NOT_SERVING);

  private final HealthCheckResponse.ServingStatus onWire;

  ServingStatus(HealthCheckResponse.ServingStatus onWire) {
    this.onWire = onWire;
  }

  HealthCheckResponse.ServingStatus onWire() {
    return onWire;
  }
}

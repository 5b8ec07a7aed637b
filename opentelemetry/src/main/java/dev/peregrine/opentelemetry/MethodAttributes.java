package dev.peregrine.opentelemetry;

import dev.peregrine.rpc.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;

/** The attributes of a method's calls, made once. Immutable, any thread. */
final class MethodAttributes {

  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("grpc.method");
  private static final AttributeKey<String> STATUS = AttributeKey.stringKey("grpc.status");

  private final Attributes started;
  private final Attributes[] byCode = new Attributes[Status.Code.values().length];

  MethodAttributes(String method) {
    started = Attributes.of(METHOD, method);
    for (Status.Code code : Status.Code.values()) {
      byCode[code.number()] = Attributes.of(METHOD, method, STATUS, code.name());
    }
  }

  Attributes started() {
    return started;
  }

  Attributes ended(Status.Code code) {
    return byCode[code.number()];
  }
}

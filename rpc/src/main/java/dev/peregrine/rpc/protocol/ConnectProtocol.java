package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;

/** What Connect's unary calls and its streams have in common. Any thread. */
abstract class ConnectProtocol extends CallProtocol {

  private static final String VERSION = "1";

  ConnectProtocol(String subtype, boolean isDefault, Codings codings) {
    super(subtype, isDefault, codings);
  }

  @Override
  public final String name() {
    return "connect";
  }

  @Override
  public final Status malformed(String text) {
    return Status.INVALID_ARGUMENT.withMessage(text);
  }

  @Override
  final Refusal malformedField(String text) {
    return refuse(malformed(text), null, null);
  }

  @Override
  final HeaderName timeoutField() {
    return HeaderName.CONNECT_TIMEOUT_MS;
  }

  @Override
  final long timeoutNanos(Headers headers) {
    return ConnectTimeout.parse(headers.get(HeaderName.CONNECT_TIMEOUT_MS));
  }

  @Override
  final Opening fault(Headers headers, BoundMethod<?, ?> method, HttpVersion version) {
    Opening bidi = Refusal.ifBidi(method, version);
    if (bidi != null) {
      return bidi;
    }
    // Browsers leave it out to save a preflight.
    String wanted = headers.get(HeaderName.CONNECT_PROTOCOL_VERSION);
    return wanted == null || wanted.equals(VERSION)
        ? null
        : malformedField("connect-protocol-version must be 1, not " + wanted);
  }
}

package dev.peregrine.rpc;

import com.google.protobuf.Message;
import java.util.Objects;

/**
 * One method of a service: its name, its kind, and how its messages are encoded. Immutable, any
 * thread.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public final class Method<Q, R> {

  /** How many messages go each way. */
  public enum Kind {
    /** One request, one response. */
    UNARY,
    /** One request, any number of responses. */
    SERVER_STREAMING,
    /** Any number of requests, one response. */
    CLIENT_STREAMING,
    /** Any number each way, in any order. */
    BIDI_STREAMING;

    /** Whether the client may send any number of messages. */
    public boolean streamsRequests() {
      return this == CLIENT_STREAMING || this == BIDI_STREAMING;
    }

    /** Whether the server may send any number of messages. */
    public boolean streamsResponses() {
      return this == SERVER_STREAMING || this == BIDI_STREAMING;
    }
  }

  private final String fullName;
  private final Kind kind;
  private final Codec<Q> requestCodec;
  private final Codec<R> responseCodec;
  private final boolean noSideEffects;

  private Method(
      String fullName, Kind kind, Codec<Q> requests, Codec<R> responses, boolean noSideEffects) {
    this.fullName = fullName;
    this.kind = kind;
    this.requestCodec = requests;
    this.responseCodec = responses;
    this.noSideEffects = noSideEffects;
  }

  /**
   * A method with any message type.
   *
   * @param fullName {@code package.Service/Method}, without a leading slash
   * @throws IllegalArgumentException if the name has not this form
   */
  public static <Q, R> Method<Q, R> of(
      String fullName, Kind kind, Codec<Q> requests, Codec<R> responses) {
    int slash = fullName.indexOf('/');
    if (slash <= 0 || slash == fullName.length() - 1 || fullName.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException(
          "\"" + fullName + "\" is not of the form package.Service/Method");
    }
    return new Method<>(
        fullName,
        Objects.requireNonNull(kind),
        Objects.requireNonNull(requests),
        Objects.requireNonNull(responses),
        false);
  }

  /** A unary method with protobuf messages. */
  public static <Q extends Message, R extends Message> Method<Q, R> unary(
      String fullName, Q request, R response) {
    return of(fullName, Kind.UNARY, ProtobufCodec.of(request), ProtobufCodec.of(response));
  }

  /** A server-streaming method with protobuf messages. */
  public static <Q extends Message, R extends Message> Method<Q, R> serverStreaming(
      String fullName, Q request, R response) {
    return of(
        fullName, Kind.SERVER_STREAMING, ProtobufCodec.of(request), ProtobufCodec.of(response));
  }

  /** A client-streaming method with protobuf messages. */
  public static <Q extends Message, R extends Message> Method<Q, R> clientStreaming(
      String fullName, Q request, R response) {
    return of(
        fullName, Kind.CLIENT_STREAMING, ProtobufCodec.of(request), ProtobufCodec.of(response));
  }

  /** A bidirectional streaming method with protobuf messages. */
  public static <Q extends Message, R extends Message> Method<Q, R> bidiStreaming(
      String fullName, Q request, R response) {
    return of(fullName, Kind.BIDI_STREAMING, ProtobufCodec.of(request), ProtobufCodec.of(response));
  }

  /**
   * The same method, declared free of side effects ({@code idempotency_level = NO_SIDE_EFFECTS}),
   * so that it may be called by HTTP GET.
   */
  public Method<Q, R> withNoSideEffects() {
    return new Method<>(fullName, kind, requestCodec, responseCodec, true);
  }

  /** {@code package.Service/Method}, without a leading slash. */
  public String fullName() {
    return fullName;
  }

  /** {@code package.Service}. */
  public String serviceName() {
    return fullName.substring(0, fullName.indexOf('/'));
  }

  /** The name within the service. */
  public String name() {
    return fullName.substring(fullName.indexOf('/') + 1);
  }

  /** How many messages go each way. */
  public Kind kind() {
    return kind;
  }

  /** How requests are encoded. */
  public Codec<Q> requestCodec() {
    return requestCodec;
  }

  /** How responses are encoded. */
  public Codec<R> responseCodec() {
    return responseCodec;
  }

  /** Whether a call changes nothing. */
  public boolean noSideEffects() {
    return noSideEffects;
  }

  @Override
  public String toString() {
    return fullName;
  }
}

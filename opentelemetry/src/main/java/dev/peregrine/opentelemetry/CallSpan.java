package dev.peregrine.opentelemetry;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Status;
import dev.peregrine.rpc.WireRequest;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;

/** What a call's span says, by the semantic conventions of RPC, version 1.45. Any thread. */
final class CallSpan {

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system.name");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
  private static final AttributeKey<String> METHOD_ORIGINAL =
      AttributeKey.stringKey("rpc.method_original");
  private static final AttributeKey<String> STATUS_CODE =
      AttributeKey.stringKey("rpc.response.status_code");
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> PROTOCOL_NAME =
      AttributeKey.stringKey("network.protocol.name");
  private static final AttributeKey<String> PROTOCOL_VERSION =
      AttributeKey.stringKey("network.protocol.version");
  private static final AttributeKey<String> PEER_ADDRESS =
      AttributeKey.stringKey("network.peer.address");
  private static final AttributeKey<Long> PEER_PORT = AttributeKey.longKey("network.peer.port");
  private static final AttributeKey<String> SERVER_ADDRESS =
      AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");

  private static final String OTHER = "_OTHER";

  /** What clients invent is cut: spans are kept for long. */
  private static final int MAX_ORIGINAL_CHARS = 256;

  private CallSpan() {}

  /**
   * A span that is going to be started.
   *
   * @param method {@code null} for one that does not exist
   */
  static SpanBuilder builder(Tracer tracer, String method, String protocol, WireRequest request) {
    String system = system(protocol);
    SpanBuilder span =
        tracer
            .spanBuilder(method == null ? system : method)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(SYSTEM, system)
            .setAttribute(METHOD, method == null ? OTHER : method)
            .setAttribute(PROTOCOL_NAME, "http")
            .setAttribute(PROTOCOL_VERSION, request.httpVersion());
    if (method == null) {
      span.setAttribute(METHOD_ORIGINAL, original(request.target()));
    }
    address(span, request.peer(), PEER_ADDRESS, PEER_PORT);
    address(span, request.local(), SERVER_ADDRESS, SERVER_PORT);
    return span;
  }

  /** The path without its slash and its query. */
  private static String original(String target) {
    int mark = target.indexOf('?');
    int end = Math.min(mark < 0 ? target.length() : mark, MAX_ORIGINAL_CHARS);
    return target.substring(target.startsWith("/") ? 1 : 0, end);
  }

  private static void address(
      SpanBuilder span, SocketAddress of, AttributeKey<String> address, AttributeKey<Long> port) {
    if (of instanceof InetSocketAddress inet && inet.getAddress() != null) {
      span.setAttribute(address, inet.getAddress().getHostAddress());
      span.setAttribute(port, (long) inet.getPort());
    }
  }

  private static String system(String protocol) {
    return switch (protocol) {
      case "grpc", "grpc-web" -> "grpc";
      case "connect" -> "connectrpc";
      default -> protocol;
    };
  }

  /** Ends a span by how its call has ended. */
  static void end(Span span, CallEnd end) {
    Status status = end.status();
    String code = code(end.protocol(), status.code());
    span.setAttribute(STATUS_CODE, code);
    if (isError(status.code())) {
      span.setAttribute(ERROR_TYPE, code);
      span.setStatus(StatusCode.ERROR, status.message());
    }
    span.end();
  }

  /** A code as the wire names it. */
  private static String code(String protocol, Status.Code code) {
    if (!protocol.equals("connect") || code == Status.Code.OK) {
      return code.name();
    }
    return code == Status.Code.CANCELLED ? "canceled" : code.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether a code is an error of the server, by the table for gRPC: the others are answers, or
   * faults of the client. The same for every wire, as it is the same handler's answer.
   */
  private static boolean isError(Status.Code code) {
    return switch (code) {
      case UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
      default -> false;
    };
  }
}

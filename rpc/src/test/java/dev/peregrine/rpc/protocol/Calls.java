package dev.peregrine.rpc.protocol;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.wire.Headers;
import java.util.concurrent.Executor;

/**
 * A router with one method, {@code test.Echo/Call}, on a fake loop, and the calls which a test
 * makes to it. Test thread.
 */
final class Calls {

  static final Method<StringValue, StringValue> CALL =
      Method.unary(
          "test.Echo/Call", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  private final FakeLoop loop = new FakeLoop();
  private final Router router;

  Calls(Execution execution, Limits limits, Handler.Unary<StringValue, StringValue> handler) {
    this(execution, limits, CALL, handler);
  }

  /** With other messages; the method must be {@code test.Echo/Call}, too. */
  <Q, R> Calls(
      Execution execution, Limits limits, Method<Q, R> method, Handler.Unary<Q, R> handler) {
    this(execution, CallSettings.defaults().withLimits(limits), method, handler);
  }

  /** With other settings. */
  <Q, R> Calls(
      Execution execution,
      CallSettings settings,
      Method<Q, R> method,
      Handler.Unary<Q, R> handler) {
    Routes routes = new Routes(settings, 1);
    routes.add(() -> ServiceDefinition.of("test.Echo").unary(method, handler), execution);
    router = new Router(routes, loop, null);
  }

  /** The handler runs on the loop. */
  static Calls inline(Handler.Unary<StringValue, StringValue> handler) {
    return new Calls(Execution.inline(), Limits.DEFAULTS, handler);
  }

  /** The handler runs where the executor says. */
  static Calls on(Executor executor, Handler.Unary<StringValue, StringValue> handler) {
    return new Calls(Execution.on(executor), Limits.DEFAULTS, handler);
  }

  /** A handler that says hello to the text it is given. */
  static Handler.Unary<StringValue, StringValue> hello() {
    return (request, context) -> StringValue.of("hello " + request.getValue());
  }

  /** The loop on which the calls live. */
  FakeLoop loop() {
    return loop;
  }

  /** The calls that have not ended. */
  int openCalls() {
    return router.openCalls();
  }

  /** A request begins, on a connection of its own. */
  Exchange open(Headers headers, boolean end) {
    return new Exchange(loop, router, new FakeHttpStream(new FakeTransport()), headers, end);
  }

  /** A request begins on a stream which the test has prepared. */
  Exchange open(FakeHttpStream stream, Headers headers) {
    return new Exchange(loop, router, stream, headers, false);
  }

  /** A whole request: a header section and then its content, which ends it. */
  Exchange call(Headers headers, byte[] content) {
    return open(headers, false).data(content, true);
  }

  /** A whole request on a stream which the test has prepared. */
  Exchange call(FakeHttpStream stream, String text) {
    return open(stream, RequestParts.headers()).data(RequestParts.message(text), true);
  }

  /** A whole good request with one message. */
  Exchange call(String text) {
    return call(RequestParts.headers(), RequestParts.message(text));
  }
}

package dev.peregrine.server;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.nio.charset.StandardCharsets;

/** {@code echo.Echo/Unary} over plain text messages, with a handler of the test's choice. */
record EchoService(Handler.Unary<String, String> handler) implements Service {

  static final String PATH = "/echo.Echo/Unary";

  static final Codec<String> TEXT =
      new Codec<>() {
        @Override
        public String name() {
          return "proto";
        }

        @Override
        public int size(String message) {
          return message.getBytes(StandardCharsets.UTF_8).length;
        }

        @Override
        public void encode(String message, byte[] target, int offset) {
          byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
          System.arraycopy(bytes, 0, target, offset, bytes.length);
        }

        @Override
        public String decode(byte[] source, int offset, int length) {
          return new String(source, offset, length, StandardCharsets.UTF_8);
        }
      };

  static final Method<String, String> UNARY =
      Method.of("echo.Echo/Unary", Method.Kind.UNARY, TEXT, TEXT);

  static final Method<String, String> BIDI =
      Method.of("echo.Echo/Bidi", Method.Kind.BIDI_STREAMING, TEXT, TEXT);

  /** Answers with the request. */
  EchoService() {
    this((request, context) -> request);
  }

  @Override
  public ServiceDefinition definition() {
    return ServiceDefinition.of("echo.Echo").unary(UNARY, handler);
  }
}

package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.examples.helloworld.GreeterService;
import dev.peregrine.examples.helloworld.HelloReply;
import dev.peregrine.examples.helloworld.HelloRequest;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Method;
import dev.peregrine.server.Server;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HelloWorldTest {

  static List<String> modes() {
    List<String> modes = new ArrayList<>(List.of("inline", "workers", "executor"));
    if (Execution.virtualThreadsAvailable()) {
      modes.add("virtual");
    }
    return modes;
  }

  @ParameterizedTest
  @MethodSource("modes")
  void bothGreetersAnswerInEveryMode(String mode) throws IOException {
    HelloOptions options = HelloOptions.parse(List.of("--port", "0", "--mode", mode));
    try (Server server = HelloWorld.start(options)) {
      assertEquals(
          "Hello World!",
          HelloCall.call(server.port(), GreeterService.SAY_HELLO, request("World")).getMessage());
      assertEquals(
          "Hello `Wörld` 👋",
          HelloCall.call(
                  server.port(),
                  dev.peregrine.examples.helloworld.v1.GreeterService.HELLO,
                  dev.peregrine.examples.helloworld.v1.HelloRequest.newBuilder()
                      .setName("Wörld")
                      .build())
              .getMessage());
    }
  }

  @Test
  void theDefaultsAnswerToo() throws IOException {
    try (Server server = HelloWorld.start(HelloOptions.parse(List.of("--port", "0")))) {
      assertEquals(
          "Hello !",
          HelloCall.call(server.port(), GreeterService.SAY_HELLO, request("")).getMessage());
    }
  }

  @Test
  void aCallThatFailsTellsItsStatus() {
    Method<HelloRequest, HelloReply> unknown =
        Method.unary(
            "helloworld.Greeter/SayBye",
            HelloRequest.getDefaultInstance(),
            HelloReply.getDefaultInstance());
    try (Server server = HelloWorld.start(HelloOptions.parse(List.of("--port", "0")))) {
      IOException failure =
          assertThrows(
              IOException.class, () -> HelloCall.call(server.port(), unknown, request("World")));
      assertTrue(failure.getMessage().contains("grpc-status 12"), failure.getMessage());
    }
  }

  @Test
  void aServerThatSpeaksNoHttp2IsAnErrorNotAHang() throws Exception {
    try (ServerSocket other = new ServerSocket(0)) {
      Thread thread =
          new Thread(
              () -> {
                try (var peer = other.accept()) {
                  peer.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
                  peer.getInputStream().readAllBytes();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      thread.start();
      IOException failure =
          assertThrows(
              IOException.class,
              () -> HelloCall.call(other.getLocalPort(), GreeterService.SAY_HELLO, request("x")));
      assertTrue(failure.getMessage().contains("is this HTTP/2?"), failure.getMessage());
      thread.join();
    }
  }

  private static HelloRequest request(String name) {
    return HelloRequest.newBuilder().setName(name).build();
  }
}

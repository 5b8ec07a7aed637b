package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.EchoRequest;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls A: what is a gRPC request by its content type, method and te. */
class ContentTypePitfallsTest {

  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P10
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/grpc",
        "application/grpc+proto",
        "application/grpc;charset=utf-8",
        "application/grpc; charset=utf-8",
        "application/grpc+proto;charset=utf-8",
        "Application/GRPC",
        "APPLICATION/GRPC+PROTO"
      })
  void everySpellingOfGrpcIsServed(String type) throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(call().set("content-type", type), EMPTY_MESSAGE);
      assertEquals("HEADERS DATA HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(0, reply.status());
    }
  }

  // P9, P10: 415 is final for a client; a reset would have been retried in silence.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/grpcfoo",
        "application/grpc-web+foo",
        "application/grpc-websocket",
        "application/x-grpc",
        "application/grpc+foo",
        "application/xml",
        "; application/grpc",
        ""
      })
  void anotherContentTypeIsAnsweredWith415(String type) throws IOException {
    expectRefusal(call().set("content-type", type), "415");
  }

  // P9
  @Test
  void aMissingContentTypeIsAnsweredWith415() throws IOException {
    expectRefusal(call().without("content-type"), "415");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "HEAD", "DELETE", "post"})
  void aCallByAnotherMethodIsAnsweredWith405(String method) throws IOException {
    Reply reply = expectRefusal(call().set(":method", method), "405");
    assertEquals("POST", reply.field("allow"));
  }

  // P15
  @Test
  void aCallWithoutTeIsServed() throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(call().without("te"), EMPTY_MESSAGE);
      assertEquals("HEADERS DATA HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(0, reply.status());
    }
  }

  private static Reply expectRefusal(FieldBlock block, String httpStatus) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      Reply reply = client.call(block, EMPTY_MESSAGE);
      assertEquals(httpStatus, reply.field(":status"), reply::toString);
      // A gRPC client that is refused by HTTP status shows the cause only if it is told.
      assertTrue(reply.status() > 0, reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
      return reply;
    }
  }

  private static FieldBlock call() {
    return FieldBlock.call(ECHO);
  }
}

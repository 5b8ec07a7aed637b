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

/** Pitfalls A: the path is matched as exact bytes, and a refusal is one well-formed section. */
class PathPitfallsTest {

  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());
  private static final int UNIMPLEMENTED = 12;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P1: whatever judges paths before the call must see the name that is routed.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "peregrine.conformance.v1.Probe/Echo",
        "//peregrine.conformance.v1.Probe/Echo",
        "/peregrine.conformance.v1.Probe/Echo/",
        "/peregrine.conformance.v1.Probe/Echo?x",
        "/peregrine.conformance.v1.Probe/Echo#x",
        "/peregrine.conformance.v1.Probe/./Echo",
        "/peregrine.conformance.v1.Probe//Echo",
        "/peregrine%2Econformance.v1.Probe/Echo",
        "/peregrine.conformance.v1.Probe/%45cho",
        "/peregrine.conformance.v1.probe/Echo",
        "/peregrine.conformance.v1.Probe/echo",
        "http://localhost/peregrine.conformance.v1.Probe/Echo"
      })
  void aPathThatOnlyResemblesAMethodIsUnknown(String path) throws IOException {
    expectUnknown(path);
  }

  // P2
  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a/b/c", "*", "/a/", "/peregrine.conformance.v1.Probe/"})
  void aMalformedMethodNameIsUnimplemented(String path) throws IOException {
    expectUnknown(path);
  }

  // P2
  @Test
  void theRefusalNamesThePath() throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(FieldBlock.call("/no.such.Service/Method"), EMPTY_MESSAGE);
      assertTrue(reply.field("grpc-message").contains("/no.such.Service/Method"), reply::toString);
    }
  }

  // P11
  @Test
  void everyAnswerHasOneStatusInItsFirstSection() throws IOException {
    try (RawClient client = server.connect()) {
      Reply unknown = client.call(FieldBlock.call("/no.such.Service/Method"), EMPTY_MESSAGE);
      assertEquals("HEADERS+ES", unknown.frames());
      assertEquals(1, unknown.count(":status"));
      assertEquals("application/grpc", unknown.field("content-type"));
      Reply answered = client.call(FieldBlock.call(ECHO), EMPTY_MESSAGE);
      assertEquals("HEADERS DATA HEADERS+ES", answered.frames());
      assertEquals(1, answered.count(":status"));
      assertEquals(1, answered.count("content-type"));
      assertEquals(1, answered.count("grpc-status"));
    }
  }

  private static void expectUnknown(String path) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      Reply reply = client.call(FieldBlock.call(path), EMPTY_MESSAGE);
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(UNIMPLEMENTED, reply.status(), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }
}

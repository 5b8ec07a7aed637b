package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.rpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the fields go that a handler gives to a response. */
class ResponseHeadersTest {

  /** Clients take whatever a trailers-only answer carries for trailers. */
  @Test
  void headersOfFailedCallDoNotBecomeTrailers() {
    Calls calls =
        Calls.inline(
            (request, context) -> {
              context.responseHeaders().add("x-head", "1");
              context.responseTrailers().add("x-tail", "2");
              throw Status.NOT_FOUND.withMessage("no you").exception();
            });
    assertEquals(
        List.of(HEAD + " x-head=1", "TRAILERS grpc-status=5 grpc-message=no you x-tail=2"),
        calls.call("you").lines());
  }

  @Test
  void failedCallWithTrailersAloneIsOneSection() {
    Calls calls =
        Calls.inline(
            (request, context) -> {
              context.responseTrailers().add("x-tail", "2");
              throw Status.NOT_FOUND.exception();
            });
    assertEquals(List.of(fails(5) + " x-tail=2"), calls.call("you").lines());
  }

  @Test
  void headersOfFailedCallAreCutToWhatThePeerTakes() {
    Calls calls =
        Calls.inline(
            (request, context) -> {
              context.responseHeaders().add("x-long", "v".repeat(1000)).add("x-short", "1");
              throw Status.NOT_FOUND.exception();
            });
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    stream.peerMaxHeaderListBytes(500);
    assertEquals(
        List.of(HEAD + " x-short=1", "TRAILERS grpc-status=5"), calls.call(stream, "you").lines());
  }

  @Test
  void headersThatWereOnlyAskedForDoNotCostSection() {
    Calls calls =
        Calls.inline(
            (request, context) -> {
              assertEquals(0, context.responseHeaders().size());
              throw Status.NOT_FOUND.exception();
            });
    assertEquals(List.of(fails(5)), calls.call("you").lines());
  }
}

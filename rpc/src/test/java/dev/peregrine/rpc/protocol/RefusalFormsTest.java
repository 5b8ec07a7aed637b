package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call that the server has no place for, as each wire is told. */
class RefusalFormsTest {

  private static final String TEXT = "the server has too many calls; try again later";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/grpc|HEADERS END_STREAM :status=200 content-type=application/grpc"
            + " grpc-status=8 grpc-message="
            + TEXT
            + "|",
        "application/grpc-web-text|HEADERS END_STREAM :status=200"
            + " content-type=application/grpc-web-text grpc-status=8 grpc-message="
            + TEXT
            + "|",
        "application/proto|HEADERS :status=429 content-type=application/json"
            + "|DATA END_STREAM {\"code\":\"resource_exhausted\",\"message\":\""
            + TEXT
            + "\"}",
        "application/protobuf|HEADERS :status=429 content-type=text/plain; charset=utf-8"
            + "|DATA END_STREAM "
            + TEXT
            + "\\0a",
      })
  void tooManyCalls(String contentType, String head, String content) {
    Calls calls =
        new Calls(Execution.inline(), Limits.DEFAULTS.withMaxCalls(1), Calls.CALL, Calls.hello());
    Exchange first = calls.open(headers(), false);
    List<String> answer = calls.open(headers("content-type", contentType), false).lines();
    assertEquals(content == null ? List.of(head) : List.of(head, content), answer);
    assertEquals(1, calls.openCalls());
    first.reset();
    assertEquals(0, calls.openCalls());
  }
}

package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.BadRequest;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.Status;
import dev.peregrine.transcoding.probe.All;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses and failures as content. */
final class ResponseMappingTest {

  private static final ProbeTable PROBE = new ProbeTable(new Transcoding());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          whole/x         | {"name":"x"}                    | {"name":"x"}
          part/child      | {"name":"x","child":{"i32":1}}  | {"i32":1}
          part/child      | {}                              | {}
          part/children   | {"children":[{"i32":1},{}]}     | [{"i32":1},{}]
          part/children   | {"name":"x"}                    | []
          part/tags       | {"tags":["a","]}\\""]}          | ["a","]}\\""]
          part/tags       | {}                              | []
          part/labels     | {"labels":{"a":"b"}}            | {"a":"b"}
          part/labels     | {}                              | {}
          part/name       | {"name":"x","i32":1}            | "x"
          part/name       | {}                              | ""
          part/i32        | {"i32":-5}                      | -5
          part/i32        | {}                              | 0
          part/big        | {"bigNumber":"12345678901"}     | "12345678901"
          part/big        | {}                              | "0"
          part/color      | {"color":"RED"}                 | "RED"
          part/color      | {}                              | "COLOR_UNSPECIFIED"
          part/set        | {}                              | false
          part/maybe      | {"maybe":0}                     | 0
          part/maybe      | {}                              | null
          part/time       | {"createTime":"2020-01-02T03:04:05Z"} | "2020-01-02T03:04:05Z"
          part/time       | {}                              | null
          part/attributes | {"attributes":{"a":1}}          | {"a":1.0}
          part/attributes | {}                              | null
          """)
  void theFieldOfTheRuleIsTheContent(String path, String response, String expected)
      throws Exception {
    All.Builder message = All.newBuilder();
    JsonFormat.parser().merge(response, message);
    assertEquals(expected, PROBE.response("POST /v1/" + path, message.build()));
  }

  private static String failure(Status status) {
    return new String(new StatusJson(new Json(), All.getDescriptor()).toBytes(status), UTF_8);
  }

  @Test
  void failuresAreStatusMessages() {
    assertEquals("{\"code\":5}", failure(Status.NOT_FOUND));
    assertEquals(
        "{\"code\":3,\"message\":\"a \\\"quoted\\\" ü\"}",
        failure(Status.INVALID_ARGUMENT.withMessage("a \"quoted\" ü")));
  }

  @Test
  void detailsOfKnownTypesAreWrittenOut() {
    BadRequest details =
        BadRequest.newBuilder()
            .addFieldViolations(BadRequest.FieldViolation.newBuilder().setField("shelf.theme"))
            .build();
    assertEquals(
        "{\"code\":3,\"details\":["
            + "{\"@type\":\"type.googleapis.com/google.rpc.BadRequest\","
            + "\"fieldViolations\":[{\"field\":\"shelf.theme\"}]},"
            + "{\"@type\":\"type.googleapis.com/probe.All\",\"i32\":1},"
            + "{\"@type\":\"type.googleapis.com/google.protobuf.Duration\",\"value\":\"1s\"}]}",
        failure(
            Status.INVALID_ARGUMENT.withDetails(
                details,
                All.newBuilder().setI32(1).build(),
                Duration.newBuilder().setSeconds(1).build())));
  }

  @Test
  void detailsOfOtherTypesAreToldByTheirBytes() {
    Any unknown =
        Any.newBuilder()
            .setTypeUrl("type.googleapis.com/no.Such")
            .setValue(ByteString.copyFromUtf8("hi"))
            .build();
    assertEquals(
        "{\"code\":9,\"details\":"
            + "[{\"@type\":\"type.googleapis.com/no.Such\",\"value\":\"aGk\\u003d\"}]}",
        failure(Status.FAILED_PRECONDITION.withDetails(unknown)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          -                                                      | application/json
          */*                                                    | application/json
          application/json                                       | application/json
          text/html                                              | application/json
          text/html, application/*;q=0.9                         | application/json
          application/x-ndjson                                   | application/x-ndjson
          Application/JSONL ; charset=utf-8                      | application/jsonl
          text/event-stream                                      | text/event-stream
          text/event-stream, application/json                    | text/event-stream
          text/event-stream;q=0.5, application/json              | application/json
          application/x-ndjson;q=0, */*;q=0.1                    | application/json
          application/x-ndjson;q=x, text/event-stream;q=0.1      | text/event-stream
          text/event-stream;q=NaN                                | application/json
          ,;,                                                    | application/json
          """)
  void acceptChoosesTheFormOfAStream(String accept, String expected) {
    assertEquals(expected, StreamFormat.contentType(accept));
  }
}

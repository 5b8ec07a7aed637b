package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One unary call and one failure, as each wire writes them. */
class WireFormsTest {

  private static final byte[] YOU = StringValue.of("you").toByteArray();
  private static final String HELLO_YOU = "DATA END_STREAM \\0a\\09hello you";

  private static final Handler.Unary<StringValue, StringValue> NOT_FOUND =
      (request, context) -> {
        context.responseHeaders().add("x-head", "1");
        context.responseTrailers().add("x-tail", "2");
        throw Status.NOT_FOUND.withMessage("no \"such\" \u263a").exception();
      };

  private static List<String> call(
      String contentType, Handler.Unary<StringValue, StringValue> handler, byte[] content) {
    return Calls.inline(handler).call(headers("content-type", contentType), content).lines();
  }

  @Test
  void grpcWebEndsWithAFrameOfTrailers() {
    assertEquals(
        List.of(
            "HEADERS :status=200 content-type=application/grpc-web",
            dataLine("hello you"),
            "DATA END_STREAM \\80\\00\\00\\00\\10grpc-status: 0\\0d\\0a"),
        call("application/grpc-web+proto", Calls.hello(), message("you")));
  }

  @Test
  void grpcWebTellsAFailureAfterTheFieldsOfTheHandler() {
    assertEquals(
        List.of(
            "HEADERS :status=200 content-type=application/grpc-web x-head=1",
            "DATA END_STREAM \\80\\00\\00\\00>grpc-status: 5\\0d\\0a"
                + "grpc-message: no \"such\" %E2%98%BA\\0d\\0ax-tail: 2\\0d\\0a"),
        call("application/grpc-web", NOT_FOUND, message("you")));
  }

  @Test
  void grpcWebTellsAFailureInTheHeaderSectionIfThatIsAllThereIs() {
    assertEquals(
        List.of(
            "HEADERS END_STREAM :status=200 content-type=application/grpc-web grpc-status=12"
                + " grpc-message=no request message"),
        call("application/grpc-web", Calls.hello(), new byte[0]));
  }

  @Test
  void connectAnswersWithTheBareMessage() {
    assertEquals(
        List.of("HEADERS :status=200 content-type=application/proto", HELLO_YOU),
        call("application/proto", Calls.hello(), YOU));
  }

  @Test
  void connectTellsAFailureAsJson() {
    assertEquals(
        List.of(
            "HEADERS :status=404 content-type=application/json x-head=1 trailer-x-tail=2",
            "DATA END_STREAM {\"code\":\"not_found\",\"message\":\"no \\5c\"such\\5c\""
                + " \\e2\\98\\ba\"}"),
        call("application/proto", NOT_FOUND, YOU));
  }

  @Test
  void emptyContentIsAMessageOfDefaults() {
    for (String contentType : List.of("application/proto", "application/x-protobuf")) {
      assertEquals(
          List.of(
              "HEADERS :status=200 content-type=" + contentType, "DATA END_STREAM \\0a\\06hello "),
          call(contentType, Calls.hello(), new byte[0]));
    }
  }

  @Test
  void plainHttpAnswersWithTheBareMessageAndTellsAFailureAsText() {
    assertEquals(
        List.of("HEADERS :status=200 content-type=application/x-protobuf", HELLO_YOU),
        call("application/x-protobuf", Calls.hello(), YOU));
    assertEquals(
        List.of(
            "HEADERS :status=404 content-type=text/plain; charset=utf-8 x-head=1"
                + " trailer-x-tail=2",
            "DATA END_STREAM no \"such\" \\e2\\98\\ba\\0a"),
        call("application/protobuf", NOT_FOUND, YOU));
  }
}

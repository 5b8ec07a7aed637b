package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plain HTTP requests that mean calls, by a mapping of a few words. */
class MappedCallsTest {

  private static final Method<StringValue, StringValue> STREAM =
      Method.serverStreaming(
          "test.Echo/Stream", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  /** The text itself; a request is the end of its target and its content. */
  private record Text(String target) implements Codec<StringValue> {
    @Override
    public String name() {
      return "text";
    }

    @Override
    public int size(StringValue message) {
      return UNKNOWN_SIZE;
    }

    @Override
    public void encode(StringValue message, byte[] into, int offset) {
      throw new AssertionError("its size is not known");
    }

    @Override
    public byte[] toBytes(StringValue message) {
      return message.getValue().getBytes(UTF_8);
    }

    @Override
    public StringValue decode(byte[] source, int offset, int length)
        throws MalformedMessageException {
      if (target.isEmpty()) {
        throw new MalformedMessageException("no target");
      }
      return StringValue.of(target + new String(source, offset, length, UTF_8));
    }
  }

  private enum Words implements HttpMapping.Framing {
    WORDS;

    @Override
    public byte[] next(byte[] item) {
      return ("+" + new String(item, UTF_8)).getBytes(UTF_8);
    }

    @Override
    public void asFirst(byte[] framed) {
      framed[0] = '(';
    }

    @Override
    public byte[] end(boolean empty) {
      return (empty ? "()" : ")").getBytes(UTF_8);
    }

    @Override
    public byte[] failed(byte[] failure, boolean empty) {
      return ((empty ? "(" : "") + "!" + new String(failure, UTF_8) + ")").getBytes(UTF_8);
    }
  }

  private static final HttpMapping.Table TABLE =
      new HttpMapping.Table() {
        @Override
        public HttpMapping.Match match(
            String httpMethod, String target, String contentType, String accept) {
          if (target.startsWith("/one/")) {
            Text text = new Text(target.substring(5));
            return new HttpMapping.Found<>(Calls.CALL, text, text, "application/json", null);
          }
          if (target.startsWith("/many/")) {
            Text text = new Text(target.substring(6));
            return new HttpMapping.Found<>(STREAM, text, text, accept, Words.WORDS);
          }
          return target.equals("/other")
              ? new HttpMapping.Refused(405, Status.UNIMPLEMENTED.withMessage("no"), "GET, PUT")
              : null;
        }

        @Override
        public byte[] failure(Status status) {
          return status.toString().getBytes(UTF_8);
        }
      };

  private final FakeLoop loop = new FakeLoop();
  private String protocol;
  private Call<StringValue> open;

  private final Router router = router();

  private Router router() {
    Routes routes = new Routes(Limits.DEFAULTS.withMaxRequestBytes(10), 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(
                    Calls.CALL,
                    (request, context) -> {
                      protocol = context.protocol();
                      if (request.getValue().equals("fail")) {
                        context.responseTrailers().add("x-tail", "2");
                        throw Status.NOT_FOUND.exception();
                      }
                      context.responseHeaders().add("x-head", "1");
                      return request;
                    })
                .eventDriven(
                    STREAM,
                    call -> {
                      open = call;
                      return call::send;
                    }),
        Execution.inline());
    routes.addEndpoint("/one/endpoint");
    routes.mapping(services -> TABLE);
    routes.starting();
    return new Router(routes, loop, (stream, headers, end) -> Refusal.DEAF);
  }

  private Exchange open(Headers headers, boolean end) {
    return new Exchange(loop, router, new FakeHttpStream(new FakeTransport()), headers, end);
  }

  private static Headers request(String method, String path, String... more) {
    Headers headers = headers(":method", method, ":path", path, "content-type", null);
    for (int i = 0; i < more.length; i += 2) {
      headers.add(more[i], more[i + 1]);
    }
    return headers;
  }

  private List<String> get(String path, String... more) {
    return open(request("GET", path, more), true).lines();
  }

  @Test
  void aRequestWithoutContentIsACall() {
    assertEquals(
        List.of("HEADERS :status=200 content-type=application/json x-head=1", "DATA END_STREAM x"),
        get("/one/x"));
    assertEquals("http", protocol);
    assertEquals(0, router.openCalls());
  }

  @Test
  void contentIsGatheredAndEndsWithTrailersToo() {
    Exchange exchange = open(request("PUT", "/one/x"), false);
    exchange.data("1".getBytes(UTF_8), false).data("2".getBytes(UTF_8), false).trailers();
    assertEquals("DATA END_STREAM x12", exchange.lines().get(1));
    assertEquals(2, exchange.stream().credited());
  }

  @Test
  void aFailureHasTheStatusOfHttpAndItsTrailersAbove() {
    assertEquals(
        List.of(
            "HEADERS :status=404 content-type=application/json trailer-x-tail=2",
            "DATA END_STREAM NOT_FOUND"),
        get("/one/fail"));
  }

  @Test
  void malformedRequestsAndLargeOnesAreRefused() {
    assertEquals(
        List.of(
            "HEADERS :status=400 content-type=application/json",
            "DATA END_STREAM INVALID_ARGUMENT: no target"),
        get("/one/"));
    assertEquals(
        "HEADERS :status=429 content-type=application/json",
        open(request("PUT", "/one/x"), false).data(new byte[11], false).lines().get(0));
    assertEquals(
        "HEADERS :status=400 content-type=application/json",
        get("/one/x", "grpc-timeout", "soon").get(0));
    assertEquals(
        "HEADERS :status=501 content-type=application/json accept-encoding=gzip,deflate",
        get("/one/x", "content-encoding", "br").get(0));
    assertEquals(0, router.openCalls());
  }

  @Test
  void refusalsOfTheMappingAreAnsweredAsItSays() {
    assertEquals(
        List.of(
            "HEADERS :status=405 content-type=application/json allow=GET, PUT",
            "DATA END_STREAM UNIMPLEMENTED: no"),
        get("/other"));
  }

  @Test
  void theDeadlineOfTheClientHolds() {
    Exchange exchange =
        open(request("GET", "/many/x", "grpc-timeout", "5m", "accept", "application/json"), true);
    loop.advance(10_000_000);
    loop.runOutbox();
    assertEquals(
        List.of(
            "HEADERS :status=200 content-type=application/json",
            "DATA (x",
            "DATA END_STREAM !DEADLINE_EXCEEDED: the deadline has passed)"),
        exchange.lines());
  }

  @Test
  void endpointsOfTheirOwnAndMethodsGoBeforeAndOthersBehind() {
    assertEquals(List.of(), get("/one/endpoint"));
    assertEquals("HEADERS :status=404", get("/nothing").get(0).substring(0, 19));
    assertEquals("HEADERS :status=405", get("/test.Echo/Call").get(0).substring(0, 19));
  }

  @Test
  void grpcIsNeverMapped() {
    List<String> lines =
        open(headers(":path", "/one/x"), false).data(RequestParts.message("you"), true).lines();
    assertEquals("grpc-status=12", lines.get(0).split(" ", -1)[4]);
  }

  @Test
  void itemsOfAStreamLeaveOneByOne() {
    Exchange exchange = open(request("GET", "/many/x", "accept", "text/event-stream"), true);
    String head = "HEADERS :status=200 content-type=text/event-stream cache-control=no-cache";
    assertEquals(List.of(head, "DATA (x"), exchange.lines());
    open.send(StringValue.of("y"));
    open.close(Status.OK);
    loop.runOutbox();
    assertEquals(List.of(head, "DATA (x", "DATA +y", "DATA END_STREAM )"), exchange.lines());
  }

  @Test
  void aStreamThatFailsBehindItsHeadTellsItInAnItem() {
    Exchange exchange = open(request("GET", "/many/x", "accept", "x/y"), true);
    open.context().responseTrailers().add("x-tail", "2");
    open.close(Status.ABORTED);
    loop.runOutbox();
    assertEquals(
        List.of(
            "HEADERS :status=200 content-type=x/y",
            "DATA (x",
            "DATA !ABORTED)",
            "TRAILERS x-tail=2"),
        exchange.lines());
  }

  @Test
  void aStreamThatFailsBeforeItsHeadHasTheStatusOfHttp() {
    assertEquals(
        List.of(
            "HEADERS :status=400 content-type=application/json",
            "DATA END_STREAM INVALID_ARGUMENT: no target"),
        get("/many/", "accept", "x/y"));
  }

  @Test
  void aHeadRequestIsAnsweredWithoutContent() {
    assertEquals(
        List.of("HEADERS END_STREAM :status=200 content-type=application/json x-head=1"),
        open(request("HEAD", "/one/x"), true).lines());
    Exchange exchange = open(request("HEAD", "/many/x", "accept", "x/y"), true);
    open.close(Status.OK);
    loop.runOutbox();
    assertEquals(
        List.of("HEADERS :status=200 content-type=x/y", "DATA END_STREAM "), exchange.lines());
  }
}

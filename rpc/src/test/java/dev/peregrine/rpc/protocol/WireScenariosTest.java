package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.concat;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static dev.peregrine.rpc.protocol.RequestParts.prefix;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Limits;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a unary call answers to its request content by every wire but gRPC. */
class WireScenariosTest {

  private static final byte[] GOOD = StringValue.of("you").toByteArray();
  private static final byte[] MALFORMED = {0x0a, 0x7f, 'x'};
  private static final Limits SMALL = Limits.DEFAULTS.withMaxRequestBytes(9);

  static Stream<Scenario> scenarios() {
    return Stream.of(
            web("application/grpc-web", "", bytes -> bytes, line -> line),
            web("application/grpc-web-text", "", WireScenariosTest::text, WireScenariosTest::text),
            bodies("application/proto"),
            bodies("application/x-protobuf"))
        .flatMap(scenarios -> scenarios);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void answersTheSameHoweverTheContentIsCut(Scenario scenario) {
    ScenarioReplay.inEveryWay(scenario);
  }

  // ---- gRPC-Web, where messages stand behind a prefix as in gRPC.

  private interface Coding {
    byte[] of(byte[] plain);
  }

  private interface LineCoding {
    String of(String line);
  }

  private static Stream<Scenario> web(String type, String suffix, Coding coding, LineCoding lines) {
    String head = "HEADERS :status=200 content-type=" + type + suffix;
    String ok = lines.of("DATA END_STREAM \\80\\00\\00\\00\\10grpc-status: 0\\0d\\0a");
    String hello = lines.of(dataLine("hello you"));
    String fails = "HEADERS END_STREAM :status=200 content-type=" + type + " grpc-status=";
    byte[] packed = Compressor.gzip().compress(GOOD, 0, GOOD.length);
    return Stream.of(
            scenario("one message", coding.of(message("you")), 1, head, hello, ok),
            scenario(
                "an empty message",
                coding.of(prefix(0, 0)),
                1,
                head,
                lines.of(dataLine("hello ")),
                ok),
            scenario(
                "no message",
                coding.of(new byte[0]),
                0,
                fails + "12 grpc-message=no request message"),
            scenario(
                "two messages",
                coding.of(concat(message("you"), message("you"))),
                0,
                fails + "12 grpc-message=more than one request message"),
            scenario(
                "a frame of trailers",
                coding.of(concat(message("you"), message(0x80, new byte[0]))),
                0,
                fails + "13 grpc-message=a message's flags are 128"),
            scenario(
                "not a protobuf",
                coding.of(message(0, MALFORMED)),
                0,
                fails + "13 grpc-message=" + CallScenariosTest.MALFORMED),
            scenario(
                "ended inside a message",
                coding.of(Arrays.copyOf(message("you"), 8)),
                0,
                fails + "13 grpc-message=the request ended inside a message"),
            scenario(
                    "over the limit",
                    coding.of(message("12345678")),
                    0,
                    fails + "8 grpc-message=a message of 10 bytes is over the limit of 9")
                .within(SMALL),
            scenario(
                "compressed without an encoding",
                coding.of(message(1, packed)),
                0,
                fails
                    + "13 grpc-message=a message is compressed, but the call has no grpc-encoding"))
        .map(scenario -> scenario.with("content-type", type));
  }

  private static byte[] text(byte[] plain) {
    return Base64.getEncoder().encode(plain);
  }

  /** A line of data with its content in base64. */
  private static String text(String line) {
    int begin = line.startsWith("DATA END_STREAM ") ? 16 : 5;
    StringBuilder bytes = new StringBuilder();
    for (int i = begin; i < line.length(); i++) {
      if (line.charAt(i) == '\\') {
        bytes.append((char) Integer.parseInt(line, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.append(line.charAt(i));
      }
    }
    return line.substring(0, begin)
        + new String(text(bytes.toString().getBytes(ISO_8859_1)), ISO_8859_1);
  }

  // ---- Connect and plain HTTP, where the content is the message.

  private static Stream<Scenario> bodies(String type) {
    String head = "HEADERS :status=200 content-type=" + type;
    byte[] packed = Compressor.gzip().compress(GOOD, 0, GOOD.length);
    byte[] bomb = Compressor.gzip().compress(new byte[100_000], 0, 100_000);
    byte[] large = StringValue.of("x".repeat(40_000)).toByteArray();
    return Stream.of(
            scenario("the message", GOOD, 1, head, hello("you")),
            scenario("nothing", new byte[0], 1, head, "DATA END_STREAM \\0a\\06hello "),
            scenario("not a protobuf", MALFORMED, 0, fails(type, 3, CallScenariosTest.MALFORMED)),
            scenario("a few slices long", large, 1, head, hello("x".repeat(40_000))),
            scenario(
                    "at the limit",
                    StringValue.of("1234567").toByteArray(),
                    1,
                    head,
                    hello("1234567"))
                .within(SMALL),
            scenario(
                    "over the limit",
                    StringValue.of("12345678").toByteArray(),
                    0,
                    fails(type, 8, "a message is over the limit of 9"))
                .within(SMALL),
            scenario("compressed", packed, 1, head, hello("you")).with("content-encoding", "gzip"),
            scenario("compressed and empty", new byte[0], 1, head, "DATA END_STREAM \\0a\\06hello ")
                .with("content-encoding", "gzip"),
            scenario("identity", GOOD, 1, head, hello("you")).with("content-encoding", "identity"),
            scenario(
                    "does not decompress",
                    GOOD,
                    0,
                    fails(type, 3, "a message does not decompress as gzip"))
                .with("content-encoding", "gzip"),
            scenario(
                    "a bomb",
                    bomb,
                    0,
                    fails(type, 8, "a decompressed message is over the limit of 1000 bytes"))
                .with("content-encoding", "gzip")
                .within(Limits.DEFAULTS.withMaxRequestBytes(1000)))
        .map(scenario -> withType(scenario, type));
  }

  private static Scenario withType(Scenario scenario, String type) {
    String[] changes =
        Stream.concat(scenario.changes().stream(), Stream.of("content-type", type))
            .toArray(String[]::new);
    return scenario.with(changes);
  }

  private static Scenario scenario(String name, byte[] content, int handled, String... answer) {
    return Scenario.of(name, content, handled, answer);
  }

  private static String hello(String name) {
    byte[] reply = StringValue.of("hello " + name).toByteArray();
    return "DATA END_STREAM " + FakeHttpStream.text(reply, 0, reply.length);
  }

  /** A failure as both lines of it. */
  private static String[] fails(String type, int code, String text) {
    String name = code == 3 ? "invalid_argument" : "resource_exhausted";
    int status = code == 3 ? 400 : 429;
    return type.equals("application/proto")
        ? new String[] {
          "HEADERS :status=" + status + " content-type=application/json",
          "DATA END_STREAM {\"code\":\"" + name + "\",\"message\":\"" + text + "\"}"
        }
        : new String[] {
          "HEADERS :status=" + status + " content-type=text/plain; charset=utf-8",
          "DATA END_STREAM " + text + "\\0a"
        };
  }
}

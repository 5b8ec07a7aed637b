package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.Answers.fails;
import static dev.peregrine.rpc.protocol.RequestParts.concat;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static dev.peregrine.rpc.protocol.RequestParts.prefix;

import dev.peregrine.rpc.Limits;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a unary call answers to its request content. Each scenario is replayed with the content cut
 * in every way, ended in every way, with the handler on the loop and off it.
 */
class CallScenariosTest {

  static Stream<Scenario> scenarios() {
    byte[] good = message("you");
    byte[] malformed = message(0, new byte[] {0x0a, 0x7f, 'x'});
    String reserved = "a message's flags are ";
    String compressed = "a message is compressed, but the call has no grpc-encoding";
    String inside = "the request ended inside a message";
    return Stream.of(
        Scenario.of("one message", good, 1, HEAD, dataLine("hello you"), OK),
        Scenario.of("an empty message is a message", prefix(0, 0), 1, HEAD, dataLine("hello "), OK),
        Scenario.of("no message", new byte[0], 0, fails(12, "no request message")),
        Scenario.of(
            "two messages", concat(good, good), 0, fails(12, "more than one request message")),
        Scenario.of(
            "two empty messages",
            concat(prefix(0, 0), prefix(0, 0)),
            0,
            fails(12, "more than one request message")),
        Scenario.of("identity", good, 1, HEAD, dataLine("hello you"), OK)
            .with("grpc-encoding", "identity"),
        Scenario.of(
            "compressed without an encoding", message(1, new byte[8]), 0, fails(13, compressed)),
        Scenario.of("compressed and empty", prefix(1, 0), 0, fails(13, compressed)),
        Scenario.of(
                "compressed, encoding identity", message(1, new byte[8]), 0, fails(13, compressed))
            .with("grpc-encoding", "identity"),
        Scenario.of("flag 2", message(2, new byte[8]), 0, fails(13, reserved + "2")),
        Scenario.of("flag 128", message(0x80, new byte[8]), 0, fails(13, reserved + "128")),
        Scenario.of("all flags", message(0xff, new byte[8]), 0, fails(13, reserved + "255")),
        Scenario.of("reserved flag, then silence", prefix(4, 9), 0, fails(13, reserved + "4")),
        Scenario.of("not a protobuf", malformed, 0, fails(13, MALFORMED)),
        Scenario.of("ended inside a prefix", prefix(0, 5), 0, fails(13, inside)),
        Scenario.of("ended after one byte", new byte[] {0}, 0, fails(13, inside)),
        Scenario.of(
            "ended inside a message", Arrays.copyOf(good, good.length - 1), 0, fails(13, inside)),
        Scenario.of(
            "ended inside a second message", concat(good, new byte[] {0, 0}), 0, fails(13, inside)),
        Scenario.of(
            "4 MiB and one byte, announced", prefix(0, 4194305), 0, fails(8, tooLarge(4194305))),
        Scenario.of("2 GiB announced", prefix(0, 1L << 31), 0, fails(8, tooLarge(1L << 31))),
        Scenario.of("4 GiB announced", prefix(0, 0xffffffffL), 0, fails(8, tooLarge(0xffffffffL))),
        Scenario.of("at the limit", message("1234567"), 1, HEAD, dataLine("hello 1234567"), OK)
            .within(Limits.DEFAULTS.withMaxRequestBytes(9)),
        Scenario.of(
                "over the limit by one",
                message("12345678"),
                0,
                fails(8, "a message of 10 bytes is over the limit of 9"))
            .within(Limits.DEFAULTS.withMaxRequestBytes(9)),
        Scenario.of(
            "a few slices long",
            message("x".repeat(40_000)),
            1,
            HEAD,
            dataLine("hello " + "x".repeat(40_000)),
            OK));
  }

  static final String MALFORMED =
      "malformed protobuf: While parsing a protocol message, the input ended unexpectedly in the"
          + " middle of a field.  This could mean either that the input has been truncated or that"
          + " an embedded message misreported its own length.";

  private static String tooLarge(long bytes) {
    return "a message of " + bytes + " bytes is over the limit of 4194304";
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void answersTheSameHoweverTheContentIsCut(Scenario scenario) {
    ScenarioReplay.inEveryWay(scenario);
  }
}

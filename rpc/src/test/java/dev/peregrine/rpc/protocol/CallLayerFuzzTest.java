package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.BytesValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Arbitrary bytes, arbitrarily cut, into everything that reads what a peer has sent. */
class CallLayerFuzzTest {

  private static final int MAX_BYTES = 300;

  /** What a reader finds must be what a simple look at the whole content finds. */
  @FuzzTest
  void envelopeReaderFindsWhatIsThere(FuzzedDataProvider data) {
    EnvelopeReader reader = new EnvelopeReader(MAX_BYTES);
    List<byte[]> slices = new ArrayList<>();
    List<String> found = new ArrayList<>();
    boolean[] broken = new boolean[1];
    MessageSink sink =
        new MessageSink() {
          @Override
          public boolean onMessage(int flags, byte[] bytes, int offset, int length) {
            found.add(flags + Arrays.toString(Arrays.copyOfRange(bytes, offset, offset + length)));
            return true;
          }

          @Override
          public void onBroken(Status status) {
            broken[0] = true;
          }
        };
    while (data.remainingBytes() > 0 && !broken[0]) {
      byte[] slice = data.consumeBytes(data.consumeInt(0, 40));
      slices.add(slice);
      reader.read(slice, 0, slice.length, sink);
    }
    byte[] content = RequestParts.concat(slices.toArray(byte[][]::new));
    assertEquals(expected(content), found + (broken[0] ? "!" : reader.incomplete() ? "?" : "."));
  }

  private static String expected(byte[] content) {
    List<String> messages = new ArrayList<>();
    int at = 0;
    while (content.length - at >= EnvelopeReader.PREFIX_BYTES) {
      long length = EnvelopeReader.length(content, at);
      if ((content[at] & 0xfe) != 0 || length > MAX_BYTES) {
        return messages + "!";
      }
      int end = at + EnvelopeReader.PREFIX_BYTES + (int) length;
      if (end > content.length) {
        return messages + "?";
      }
      byte[] message = Arrays.copyOfRange(content, at + EnvelopeReader.PREFIX_BYTES, end);
      messages.add(content[at] + Arrays.toString(message));
      at = end;
    }
    return messages + (at < content.length ? "?" : ".");
  }

  /** Whatever arrives, a call ends once, in an order its stream accepts, and gives all credit. */
  @FuzzTest
  void callEndsExactlyOnce(FuzzedDataProvider data) {
    HeldTasks tasks = new HeldTasks();
    Calls calls =
        new Calls(
            data.consumeBoolean() ? Execution.inline() : Execution.on(tasks),
            Limits.DEFAULTS.withMaxRequestBytes(MAX_BYTES),
            Method.unary(
                "test.Echo/Call", BytesValue.getDefaultInstance(), BytesValue.getDefaultInstance()),
            (request, context) -> request);
    String[] changes =
        data.consumeBoolean() ? new String[] {"grpc-encoding", "gzip"} : new String[] {};
    Exchange exchange = calls.open(RequestParts.headers(changes), false);
    long arrived = 0;
    while (data.remainingBytes() > 0) {
      byte[] slice = data.consumeBytes(data.consumeInt(0, 60));
      arrived += slice.length;
      exchange.data(slice, false);
    }
    if (data.consumeBoolean()) {
      exchange.trailers();
    } else {
      exchange.data(new byte[0], true);
    }
    tasks.run();
    calls.loop().runOutbox();
    assertTrue(exchange.stream().ended(), exchange.lines()::toString);
    assertTrue(exchange.lines().get(0).startsWith("HEADERS"), exchange.lines()::toString);
    assertEquals(arrived, exchange.stream().credited());
    assertEquals(0, calls.openCalls());
  }

  /** Any text decodes again, and at any length is cut to a prefix of itself. */
  @FuzzTest
  void percentEncodingRoundTripsAndCuts(FuzzedDataProvider data) {
    int max = data.consumeInt(0, 200);
    String text = data.consumeRemainingAsString();
    String encoded = PercentEncoding.encode(text);
    String whole = PercentTexts.wellFormed(text);
    assertEquals(whole, PercentTexts.decode(encoded));
    String cut = PercentEncoding.cut(encoded, max);
    assertTrue(cut.length() <= max);
    assertTrue(whole.startsWith(PercentTexts.decode(cut)));
  }

  /** A timeout is what the grammar says, computed without regard to overflow. */
  @FuzzTest
  void timeoutFollowsTheGrammar(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    long parsed = Timeout.parse(text);
    if (!text.matches("[0-9]{1,8}[HMSmun]")) {
      assertEquals(Timeout.MALFORMED, parsed);
      return;
    }
    double amount = Double.parseDouble(text.substring(0, text.length() - 1));
    double unit =
        switch (text.charAt(text.length() - 1)) {
          case 'H' -> 3600e9;
          case 'M' -> 60e9;
          case 'S' -> 1e9;
          case 'm' -> 1e6;
          case 'u' -> 1e3;
          default -> 1;
        };
    double expected = Math.min(amount * unit, Long.MAX_VALUE);
    assertTrue(Math.abs(parsed - expected) <= expected * 1e-12, text + " = " + parsed);
  }
}

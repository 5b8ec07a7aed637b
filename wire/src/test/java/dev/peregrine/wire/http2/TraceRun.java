package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Plays one trace against an engine. Loop-confined. */
final class TraceRun {

  /** How the peer's bytes are cut into bursts. */
  enum Cut {
    WHOLE,
    BYTES,
    RANDOM
  }

  private static final long SECOND_NANOS = 1_000_000_000;

  private final Trace trace;
  private final Cut cut;
  private final Random random;
  private final FakeTransport transport = new FakeTransport();
  private final FakeHandler handler = new FakeHandler();
  private final TraceFrames peer = new TraceFrames();
  private final SeenFrames seen = new SeenFrames();
  // Near the top of the range, so that comparisons which do not wrap are found out.
  private long nowNanos = Long.MAX_VALUE - 5 * SECOND_NANOS;
  private final Http2Connection connection;

  TraceRun(Trace trace, Cut cut, long seed) {
    this.trace = trace;
    this.cut = cut;
    this.random = new Random(seed);
    this.connection = new Http2Connection(transport, handler, trace.limits(), nowNanos);
  }

  void run() {
    for (Trace.Step step : trace.steps()) {
      if (step.action() != null) {
        act(TraceFrames.words(step.action()));
        transport.endBurst();
      } else {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        step.input().forEach(line -> input.writeBytes(peer.bytes(line)));
        feed(input.toByteArray());
      }
      compare(step);
    }
  }

  private void feed(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      int length = bytes.length - at;
      if (cut == Cut.BYTES) {
        length = 1;
      } else if (cut == Cut.RANDOM) {
        length = 1 + random.nextInt(Math.min(length, random.nextBoolean() ? 20 : 3000));
      }
      // A fresh array each time: an engine that keeps a slice it was lent is found out.
      byte[] lent = new byte[length + 7];
      System.arraycopy(bytes, at, lent, 3, length);
      connection.receive(lent, 3, length, nowNanos);
      java.util.Arrays.fill(lent, (byte) 0xee);
      transport.endBurst();
      at += length;
      while (transport.takeWoken()) {
        connection.transmit();
        transport.endBurst();
      }
    }
  }

  private void act(List<String> words) {
    String what = words.get(0);
    switch (what) {
      case "clock" -> {
        nowNanos += (long) (Double.parseDouble(words.get(1).replace("s", "")) * SECOND_NANOS);
        connection.expire(nowNanos);
      }
      case "room" -> {
        boolean all = words.get(1).equals("all");
        transport.addRoom(all ? Long.MAX_VALUE : Long.parseLong(words.get(1)));
        if (transport.writable()) {
          connection.transmit();
        }
      }
      case "drain" -> connection.drain(nowNanos);
      case "closed" -> connection.closed();
      case "check" -> check(words);
      default -> actOnStream(what, handler.stream(Integer.parseInt(words.get(1))), words);
    }
    while (transport.takeWoken()) {
      transport.endBurst();
      connection.transmit();
    }
  }

  private void check(List<String> words) {
    for (String word : words.subList(1, words.size())) {
      String[] pair = word.split("=", -1);
      long value =
          switch (pair[0]) {
            case "open" -> connection.openStreams();
            case "queued" -> connection.sendQueue().queuedBytes();
            case "unread" -> connection.receiveWindow().unreadBytes();
            case "requests" -> handler.requests();
            default -> throw new AssertionError("nothing to check: " + word);
          };
      assertEquals(Long.parseLong(pair[1]), value, pair[0]);
    }
  }

  private void actOnStream(String what, HttpStream stream, List<String> words) {
    List<String> rest = new ArrayList<>(words.subList(2, words.size()));
    boolean end = rest.remove("end");
    switch (what) {
      case "head" -> {
        ResponseHead head = end ? FakeHandler.REFUSAL : FakeHandler.HEAD;
        stream.head(head, fields(rest), end);
      }
      case "trailers" -> stream.trailers(FakeHandler.OK, fields(rest));
      case "data" -> {
        int length = rest.isEmpty() ? 0 : Integer.parseInt(rest.get(0));
        stream.data(new byte[length], 0, length, end);
      }
      case "claim" -> {
        int length = Integer.parseInt(rest.get(0));
        boolean refused = rest.contains("refused");
        assertEquals(refused, stream.claim(length) < 0, "claim refused");
      }
      case "reset" -> stream.reset(ErrorCode.valueOf(rest.get(0)));
      case "credit" -> stream.credit(Integer.parseInt(rest.get(0)));
      default -> throw new AssertionError("no such action: " + words);
    }
  }

  private static Headers fields(List<String> words) {
    if (words.isEmpty()) {
      return null;
    }
    Headers headers = new Headers();
    for (String word : words) {
      String[] pair = word.split("=", -1);
      boolean zeros = pair[1].startsWith("zeros:");
      headers.add(pair[0], zeros ? "0".repeat(Integer.parseInt(pair[1].substring(6))) : pair[1]);
    }
    return headers;
  }

  private void compare(Trace.Step step) {
    String where = "line " + step.line() + ", " + cut;
    compare(unfold(step.frames()), seen.lines(transport.takeSent()), where);
    List<String> events = new ArrayList<>(handler.takeEvents());
    events.addAll(transport.takeEvents());
    if (!step.events().isEmpty()) {
      List<String> wanted = new ArrayList<>(unfold(step.events()));
      wanted.remove("nothing");
      compare(wanted, events, where);
    }
  }

  /** Writes repetitions out: {@code 3x LINE} or {@code 3x (LINE; LINE)}. */
  private static List<String> unfold(List<String> lines) {
    List<String> all = new ArrayList<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      if (space > 0 && line.substring(0, space).matches("\\d+x")) {
        String rest = line.substring(space + 1);
        boolean group = rest.startsWith("(");
        List<String> repeated =
            group
                ? List.of(rest.substring(1, rest.length() - 1).split("\\s*;\\s*", -1))
                : List.of(rest);
        for (int i = Integer.parseInt(line.substring(0, space - 1)); i > 0; i--) {
          all.addAll(repeated);
        }
      } else {
        all.add(line);
      }
    }
    return all;
  }

  /** Equal lines; three dots at the end stand for anything. Shows the first that differs. */
  private static void compare(List<String> expected, List<String> actual, String where) {
    int common = Math.min(expected.size(), actual.size());
    for (int i = 0; i <= common; i++) {
      String wanted = i < expected.size() ? expected.get(i) : "nothing more";
      String seen = i < actual.size() ? actual.get(i) : "nothing more";
      boolean open = wanted.endsWith("...") && i < actual.size();
      if (!open || !seen.startsWith(wanted.substring(0, wanted.length() - 3))) {
        assertEquals(wanted, seen, where + ", item " + i + " of " + actual.size());
      }
    }
  }
}

package dev.peregrine.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Plays one trace against an engine. Loop-confined. */
public final class TraceRun {

  /** How the peer's bytes are cut into bursts. */
  enum Cut {
    WHOLE,
    BYTES,
    RANDOM
  }

  private static final int RANDOM_RUNS = 5;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final Trace trace;
  private final Cut cut;
  private final Random random;
  private final FakeTransport transport = new FakeTransport();
  // Near the top of the range, so that comparisons which do not wrap are found out.
  private long nowNanos = Long.MAX_VALUE - 5 * SECOND_NANOS;
  private final TraceSubject subject;
  private final Connection connection;

  private TraceRun(Trace trace, TraceSubject.Maker maker, Cut cut, long seed) {
    this.trace = trace;
    this.cut = cut;
    this.random = new Random(seed);
    this.subject = maker.make(transport, trace.limits(), nowNanos);
    this.connection = subject.connection();
  }

  /** A test for each trace of a folder: whole, byte by byte, and cut at random. */
  public static Stream<DynamicTest> tests(Path folder, TraceSubject.Maker maker)
      throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(file -> file.toString().endsWith(".trace")).sorted().toList();
    }
    assertFalse(files.isEmpty());
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file, maker)));
  }

  private static void play(Path file, TraceSubject.Maker maker) throws IOException {
    List<Trace> traces = Trace.read(file);
    assertFalse(traces.isEmpty());
    for (Trace trace : traces) {
      new TraceRun(trace, maker, Cut.WHOLE, 0).run();
      new TraceRun(trace, maker, Cut.BYTES, 0).run();
      for (int seed = 1; seed <= RANDOM_RUNS; seed++) {
        new TraceRun(trace, maker, Cut.RANDOM, seed).run();
      }
    }
  }

  private void run() {
    if (trace.opened()) {
      run(subject.opening());
    }
    trace.steps().forEach(this::run);
  }

  private void run(Trace.Step step) {
    if (step.action() != null) {
      act(words(step.action()));
      transport.endBurst();
    } else {
      ByteArrayOutputStream input = new ByteArrayOutputStream();
      step.input().forEach(line -> input.writeBytes(subject.bytes(line)));
      feed(input.toByteArray());
    }
    compare(step);
  }

  /** Words are separated by blanks; quotes hold them together, with {@code \\x00} for any byte. */
  public static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    boolean any = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
        any = true;
      } else if (c == '\\' && text.startsWith("\\x", i)) {
        word.append((char) Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
        any = true;
      } else if (c == ' ' && !quoted) {
        if (any) {
          words.add(word.toString());
        }
        word.setLength(0);
        any = false;
      } else {
        word.append(c);
        any = true;
      }
    }
    if (any) {
      words.add(word.toString());
    }
    return words;
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
      Arrays.fill(lent, (byte) 0xee);
      transport.endBurst();
      at += length;
      while (transport.takeWoken()) {
        connection.transmit();
        transport.endBurst();
      }
    }
  }

  private static long nanos(String seconds) {
    return (long) (Double.parseDouble(seconds.replace("s", "")) * SECOND_NANOS);
  }

  private void act(List<String> words) {
    String what = words.get(0);
    switch (what) {
      case "clock" -> {
        nowNanos += nanos(words.get(1));
        connection.expire(nowNanos);
      }
      case "pass" -> nowNanos += nanos(words.get(1)); // nobody looks at the limits of time
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
      case "input" -> endInput();
      default -> actOnStream(what, subject.stream(Integer.parseInt(words.get(1))), words);
    }
    while (transport.takeWoken()) {
      transport.endBurst();
      connection.transmit();
    }
  }

  /** What a loop does when the peer has shut its side down. */
  private void endInput() {
    if (!connection.inputEnded(nowNanos)) {
      connection.closed();
      transport.close();
    }
  }

  private void check(List<String> words) {
    for (String word : words.subList(1, words.size())) {
      String[] pair = word.split("=", -1);
      long value = pair[0].equals("open") ? connection.openStreams() : subject.measure(pair[0]);
      assertEquals(Long.parseLong(pair[1]), value, pair[0]);
    }
  }

  private void actOnStream(String what, HttpStream stream, List<String> words) {
    List<String> rest = new ArrayList<>(words.subList(2, words.size()));
    boolean end = rest.remove("end");
    switch (what) {
      case "head" -> {
        stream.head(subject.head(rest, end), fields(rest), end);
      }
      case "trailers" -> stream.trailers(subject.trailers(), fields(rest));
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
    compare(unfold(step.frames()), subject.lines(transport.takeSent()), where);
    List<String> events = new ArrayList<>(subject.takeEvents());
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

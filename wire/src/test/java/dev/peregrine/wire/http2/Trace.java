package dev.peregrine.wire.http2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace file: steps of something done and what must come of it. Immutable, any thread.
 *
 * @param limits the engine's limits
 * @param steps in order
 */
record Trace(Http2Limits limits, List<Step> steps) {

  /**
   * One step.
   *
   * @param line where it begins in the file
   * @param input lines of frames from the peer, or none
   * @param action what the call layer or the loop does, or {@code null}
   * @param frames what must be sent, in order
   * @param events what must be told to the call layer and the transport, or {@code null} for
   *     anything
   */
  record Step(
      int line, List<String> input, String action, List<String> frames, List<String> events) {}

  static Trace read(Path file) throws IOException {
    Http2Limits limits = Http2Limits.STANDARD;
    List<Step> steps = new ArrayList<>();
    Step step = null;
    int number = 0;
    for (String raw : Files.readAllLines(file)) {
      number++;
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String rest = line.substring(1).strip();
      switch (line.charAt(0)) {
        case '>' -> {
          if (step == null || !isOpenInput(step)) {
            step = new Step(number, new ArrayList<>(), null, new ArrayList<>(), new ArrayList<>());
            steps.add(step);
          }
          step.input().add(rest);
        }
        case '!' -> {
          step = new Step(number, List.of(), rest, new ArrayList<>(), new ArrayList<>());
          steps.add(step);
        }
        case '<' -> step.frames().add(rest);
        case '=' -> step.events().add(rest);
        default -> {
          if (line.equals("open")) {
            step = opening(number);
            steps.add(step);
          } else if (line.startsWith("limits ")) {
            limits = TraceLimits.parse(line.substring("limits ".length()), limits);
          } else {
            throw new AssertionError(file + ":" + number + ": not a line of a trace: " + line);
          }
        }
      }
    }
    return new Trace(limits, steps);
  }

  private static boolean isOpenInput(Step step) {
    return step.action() == null && step.frames().isEmpty() && step.events().isEmpty();
  }

  /** The usual beginning: both sides' SETTINGS, acknowledged. */
  private static Step opening(int line) {
    return new Step(
        line,
        new ArrayList<>(List.of("preface", "SETTINGS", "SETTINGS ack")),
        null,
        new ArrayList<>(List.of("SETTINGS...", "WINDOW_UPDATE 0...", "SETTINGS ack")),
        new ArrayList<>());
  }
}

package dev.peregrine.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One conversation of a trace file: steps of something done and what must come of it. Immutable,
 * any thread.
 *
 * @param limits the engine's limits that are not the standard ones, as {@code name=value}
 * @param opened whether it begins with the protocol's usual opening
 * @param steps in order
 */
public record Trace(List<String> limits, boolean opened, List<Step> steps) {

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
  public record Step(
      int line, List<String> input, String action, List<String> frames, List<String> events) {}

  /** The conversations of a file. Each {@code open} or {@code connect} begins another one. */
  static List<Trace> read(Path file) throws IOException {
    List<String> limits = new ArrayList<>();
    List<Trace> traces = new ArrayList<>();
    Step step = null;
    int number = 0;
    for (String raw : Files.readAllLines(file)) {
      number++;
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String rest = line.substring(1).strip();
      if (line.startsWith("limits ")) {
        limits.addAll(List.of(line.substring("limits ".length()).split("\\s+", -1)));
      } else if (line.equals("open") || line.equals("connect")) {
        step = null;
        traces.add(new Trace(List.copyOf(limits), line.equals("open"), new ArrayList<>()));
      } else if (line.charAt(0) == '<') {
        step.frames().add(rest);
      } else if (line.charAt(0) == '=') {
        step.events().add(rest);
      } else if (line.charAt(0) == '>' && step != null && isOpenInput(step)) {
        step.input().add(rest);
      } else if (line.charAt(0) == '>' || line.charAt(0) == '!') {
        step = line.charAt(0) == '>' ? input(number, rest) : action(number, rest);
        traces.get(traces.size() - 1).steps().add(step);
      } else {
        throw new AssertionError(file + ":" + number + ": not a line of a trace: " + line);
      }
    }
    return traces;
  }

  private static Step input(int line, String frames) {
    List<String> lines = new ArrayList<>(List.of(frames));
    return new Step(line, lines, null, new ArrayList<>(), new ArrayList<>());
  }

  private static Step action(int line, String action) {
    return new Step(line, List.of(), action, new ArrayList<>(), new ArrayList<>());
  }

  private static boolean isOpenInput(Step step) {
    return step.action() == null && step.frames().isEmpty() && step.events().isEmpty();
  }
}

package dev.peregrine.wire;

import java.util.List;

/**
 * An engine that traces are played against, with its peer, its call layer and the words its traces
 * are written in. Loop-confined.
 */
public interface TraceSubject {

  /** Makes one for each run. */
  @FunctionalInterface
  interface Maker {

    /** A new connection with some limits that are not the standard ones. */
    TraceSubject make(FakeTransport transport, List<String> limits, long nowNanos);
  }

  /** The engine. */
  Connection connection();

  /** What {@code open} stands for. */
  Trace.Step opening();

  /** What the peer sends for a line. */
  byte[] bytes(String line);

  /** What the engine has sent since the last call, in words. */
  List<String> lines(byte[] sent);

  /** A stream by the number a trace gives it. */
  HttpStream stream(int id);

  /** What the call layer was told since the last call. */
  List<String> takeEvents();

  /** Something to check. */
  long measure(String name);

  /** The head for {@code head}; words that say which are taken from the list. */
  ResponseHead head(List<String> words, boolean end);

  /** The trailer section for {@code trailers}. */
  ResponseHead trailers();
}

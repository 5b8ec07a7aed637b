package dev.peregrine.conformance.soak;

import dev.peregrine.wire.Headers;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** A download of 10,000 messages of 1 MB by a client that never reads it. One thread. */
final class Stalled {

  private static final int MESSAGES = 10_000;
  private static final int MESSAGE_BYTES = 1_000_000;

  /** Read before anything is measured: what the server needs for large messages, once. */
  private static final int WARM_UP_MESSAGES = 100;

  private static final int MAX_RSS_GROWTH_BYTES = 64 * 1024 * 1024;

  /** A message or two, what the engine and the socket's backlog hold, and noise. */
  private static final int MAX_HEAP_GROWTH_BYTES = 8 * 1024 * 1024;

  private static final int MAX_LATENCY_FACTOR = 3;

  /** Below this, what else runs on the machine decides. */
  private static final long LATENCY_NOISE_NANOS = 2_000_000;

  /** Something else may have run on the machine just then; what we do ourselves comes back. */
  private static final int MAX_ATTEMPTS = 8;

  private static final int RELEASE_SECONDS = 20;

  private final ServerProcess server;
  private final Checks checks;
  private final long phaseNanos;

  /**
   * Over a server that serves nobody else.
   *
   * @param phaseNanos how long latencies are measured, before and during
   */
  Stalled(ServerProcess server, Checks checks, long phaseNanos) {
    this.server = server;
    this.checks = checks;
    this.phaseNanos = phaseNanos;
  }

  void run() throws Exception {
    for (Variant variant : Variant.all()) {
      // With one worker, a blocking handler that waits for its client has it: as it must be.
      if (!variant.name().equals("OneWorkerBlocking")) {
        run(variant, true);
        run(variant, false);
      }
    }
  }

  /**
   * One stream.
   *
   * @param windowOpen whether the socket is what does not take any more, rather than the window
   */
  private void run(Variant variant, boolean windowOpen) throws Exception {
    String what = "stalled " + variant.name() + (windowOpen ? ", socket full" : ", window closed");
    readSome(variant);
    Phase phase;
    try (Prober prober = new Prober(server.port(), variant)) {
      prober.latenciesNanos(phaseNanos);
      int attempts = 1;
      phase = measure(prober, variant, windowOpen);
      while (!phase.unmoved() && attempts < MAX_ATTEMPTS) {
        attempts++;
        phase = measure(prober, variant, windowOpen);
      }
      checks.check(what + ": other calls", phase.unmoved(), phase + attempts(attempts));
    }
    checks.check(
        what + ": memory",
        phase.rssGrowth() <= MAX_RSS_GROWTH_BYTES && phase.heapGrowth() <= MAX_HEAP_GROWTH_BYTES,
        "RSS grew by "
            + phase.rssGrowth() / 1024
            + " KiB, live heap by "
            + phase.heapGrowth() / 1024
            + " KiB");
    checks.check(
        what + ": the call went on",
        phase.goesOn(),
        phase.goesOn() ? "open to the end" : "it ended");
    ServerState state = server.idle(RELEASE_SECONDS);
    checks.check(what + ": released", state.isIdle(), state.open() + " calls are left");
  }

  private static String attempts(int attempts) {
    return attempts == 1 ? "" : ", attempt " + attempts;
  }

  /**
   * What other calls saw.
   *
   * @param before sorted latencies
   * @param during the same while the stream was stalled
   * @param rssGrowth from before, in bytes
   * @param heapGrowth the same of the live heap
   * @param goesOn whether the stalled call was still there at the end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Phase(
      long[] before, long[] during, long rssGrowth, long heapGrowth, boolean goesOn) {

    boolean unmoved() {
      long limit = Math.max(LATENCY_NOISE_NANOS, MAX_LATENCY_FACTOR * percentile(before, 99));
      return percentile(during, 99) <= limit;
    }

    @Override
    public String toString() {
      return "p50/p99 " + micros(before) + " before, " + micros(during) + " during";
    }
  }

  private Phase measure(Prober prober, Variant variant, boolean windowOpen) throws Exception {
    long heapBefore = server.state().heapBytes();
    long[] before = prober.latenciesNanos(phaseNanos);
    long rssBefore = server.rssBytes();
    try (ClientConnection stalled = open(variant, windowOpen)) {
      AtomicLong rssMax = new AtomicLong();
      Thread watch = watch(rssMax);
      long[] during = prober.latenciesNanos(phaseNanos);
      watch.interrupt();
      watch.join();
      ServerState state = server.state();
      stalled.abort();
      return new Phase(
          before,
          during,
          rssMax.get() - rssBefore,
          state.heapBytes() - heapBefore,
          state.open() >= 1);
    }
  }

  private ClientConnection open(Variant variant, boolean windowOpen) throws IOException {
    ClientConnection connection =
        new ClientConnection(server.port(), windowOpen ? Integer.MAX_VALUE : 65_535, 0);
    if (windowOpen) {
      connection.grant(Integer.MAX_VALUE - 65_535);
    }
    download(connection, variant, MESSAGES);
    return connection;
  }

  private static void download(ClientConnection connection, Variant variant, int messages)
      throws IOException {
    byte[] request = new Payload.Download(messages, MESSAGE_BYTES, 1).request();
    byte[] message = Requests.message(request);
    connection.headers(1, Requests.block(variant.path(Variant.DOWNLOAD), null), false);
    connection.data(1, message, 0, message.length, true);
    connection.flush();
  }

  private void readSome(Variant variant) throws IOException {
    try (ClientConnection connection = new ClientConnection(server.port(), Integer.MAX_VALUE, 0)) {
      connection.grant(Integer.MAX_VALUE - 65_535);
      download(connection, variant, WARM_UP_MESSAGES);
      EndListener end = new EndListener();
      while (!end.ended) {
        connection.read(end);
      }
    }
  }

  /** Hears of the end alone. */
  private static final class EndListener implements ClientConnection.Listener {
    private boolean ended;

    @Override
    public void onHeaders(int streamId, Headers fields, boolean end) {
      ended |= end;
    }

    @Override
    public void onData(int streamId, byte[] bytes, int offset, int length, boolean end) {}

    @Override
    public void onReset(int streamId, int code) {
      ended = true;
    }
  }

  /** Notes the most memory until it is interrupted. */
  private Thread watch(AtomicLong rssMax) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  rssMax.accumulateAndGet(server.rssBytes(), Math::max);
                  Thread.sleep(50);
                }
              } catch (IOException | InterruptedException e) {
                // the end of this phase, or of the server, which others notice
              }
            });
    thread.start();
    return thread;
  }

  private static long percentile(long[] sorted, int percent) {
    return sorted[(int) ((long) (sorted.length - 1) * percent / 100)];
  }

  private static String micros(long[] sorted) {
    return percentile(sorted, 50) / 1000 + "/" + percentile(sorted, 99) / 1000 + " µs";
  }
}

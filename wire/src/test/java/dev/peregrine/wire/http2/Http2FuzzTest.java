package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.QuietLog;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arbitrary bytes, and arbitrary conversations, into the engine. */
@ExtendWith(QuietLog.class)
class Http2FuzzTest {

  private static final int SESSION_CHOICES = 2_000;
  private static final int SESSIONS = 5;

  /**
   * Bytes after the opening: nothing is thrown, the output is made of whole frames, and the call
   * layer hears the same however the bytes are cut. (It does not answer: when content leaves does
   * depend on the burst.)
   */
  @FuzzTest
  void arbitraryBytesMeanTheSameHoweverCut(byte[] data) {
    assertEquals(heard(data, Integer.MAX_VALUE), heard(data, 1));
  }

  private static List<String> heard(byte[] data, int step) {
    FakeTransport transport = new FakeTransport();
    FakeHandler handler = new FakeHandler(true);
    Http2Connection connection = new Http2Connection(transport, handler, Http2Limits.STANDARD, 0);
    byte[] opening = new TraceFrames().bytes("preface; SETTINGS; SETTINGS ack");
    connection.receive(opening, 0, opening.length, 0);
    for (int at = 0; at < data.length; at += step) {
      int length = Math.min(step, data.length - at);
      connection.receive(data, at, length, 0);
      transport.endBurst();
      if (length < step) {
        break;
      }
    }
    new SeenFrames().lines(transport.takeSent());
    connection.closed();
    return handler.takeEvents();
  }

  /** A peer and a call layer that do anything, mostly legal. */
  @FuzzTest
  void everyConversationKeepsTheRules(FuzzedDataProvider data) {
    new RandomSession(
            new Choices() {
              @Override
              public boolean more() {
                return data.remainingBytes() > 0;
              }

              @Override
              public int below(int bound) {
                return data.consumeInt(0, bound - 1);
              }
            })
        .run();
  }

  /** The same from seeds, so that every build sees many. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void seededConversationsKeepTheRules(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < SESSIONS; i++) {
      new RandomSession(new SeededChoices(random)).run();
    }
  }

  private static final class SeededChoices implements Choices {

    private final Random random;
    private int left = SESSION_CHOICES;

    SeededChoices(Random random) {
      this.random = random;
    }

    @Override
    public boolean more() {
      return left > 0;
    }

    @Override
    public int below(int bound) {
      left--;
      return random.nextInt(bound);
    }
  }
}

package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.SETTING_HEADER_TABLE;
import static dev.peregrine.conformance.RawClient.message;
import static dev.peregrine.conformance.RawClient.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls H: floods and bombs end the connection that sends them, and no other. */
class HostilePitfallsTest {

  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());
  private static final int CANCEL = 8;
  private static final int ATTACK_FRAMES = 100_000;

  /** A burst of resets is tolerated; a hundredth of the attack is not. */
  private static final int MAX_HANDLERS = ATTACK_FRAMES / 100;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P83: rapid reset, CVE-2023-44487
  @Test
  void rapidResetsEndTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      byte[] block = FieldBlock.call(ECHO).encode();
      attack(
          client,
          () -> {
            int stream = client.newStream();
            client.frame(Frame.HEADERS, Frame.END_HEADERS, stream, block).reset(stream, CANCEL);
          });
    }
    expectHealthy();
  }

  // P83: complete requests that are reset at once start few handlers, however many there are.
  @Test
  void rapidResetsOfCompleteRequestsStartFewHandlers() throws IOException {
    try (ProbeServer workers = ProbeServer.workers(2)) {
      try (RawClient client = workers.connect()) {
        byte[] block = FieldBlock.call(ECHO).encode();
        attack(
            client,
            () -> {
              int stream = client.newStream();
              client
                  .frame(Frame.HEADERS, Frame.END_HEADERS, stream, block)
                  .frame(Frame.DATA, Frame.END_STREAM, stream, EMPTY_MESSAGE)
                  .reset(stream, CANCEL);
            });
      }
      assertTrue(workers.calls() < MAX_HANDLERS, () -> workers.calls() + " handlers ran");
      try (RawClient client = workers.connect()) {
        client.expectSecondCall();
      }
    }
  }

  // P83: "made you reset", CVE-2025-8671: the peer provokes our RST_STREAM.
  @Test
  void provokedResetsEndTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      byte[] block = FieldBlock.call(ECHO).encode();
      attack(
          client,
          () -> {
            int stream = client.newStream();
            client.frame(Frame.HEADERS, Frame.END_HEADERS, stream, block).windowUpdate(stream, 0);
          });
    }
    expectHealthy();
  }

  // P86: CONTINUATION flood
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8192})
  void endlessContinuationsEndTheConnection(int bytes) throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      byte[] piece = new byte[bytes];
      // Literals without indexing, of an empty name and value: harmless until counted.
      client.frame(Frame.HEADERS, 0, stream, FieldBlock.call(ECHO).encode());
      attack(client, () -> client.frame(Frame.CONTINUATION, 0, stream, piece));
    }
    expectHealthy();
  }

  // P86
  @Test
  void severalContinuationsAreFine() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      byte[] block = FieldBlock.call(ECHO).encode();
      client.frame(Frame.HEADERS, 0, stream, Arrays.copyOf(block, 1));
      client.frame(Frame.CONTINUATION, 0, stream);
      client.frame(Frame.CONTINUATION, 0, stream, Arrays.copyOfRange(block, 1, 20));
      client.frame(
          Frame.CONTINUATION,
          Frame.END_HEADERS,
          stream,
          Arrays.copyOfRange(block, 20, block.length));
      client.data(stream, EMPTY_MESSAGE, true).send();
      assertEquals(0, client.reply(stream).status());
      client.expectSecondCall();
    }
  }

  // P86
  @Test
  void anotherFrameInsideAFieldBlockEndsTheConnection() throws IOException {
    for (int type : new int[] {Frame.DATA, Frame.PING, Frame.WINDOW_UPDATE, 0x77}) {
      try (RawClient client = server.connect()) {
        int stream = client.newStream();
        client.frame(Frame.HEADERS, 0, stream, FieldBlock.call(ECHO).encode());
        client.frame(type, 0, type == Frame.PING ? 0 : stream, new byte[8]).send();
        client.expectConnectionError(ErrorCode.PROTOCOL_ERROR);
      }
    }
    expectHealthy();
  }

  // P88: a peer that pings and never reads the answers.
  @Test
  void pingsWithoutReadingEndTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      attack(client, () -> client.frame(Frame.PING, 0, 0, new byte[8]));
    }
    expectHealthy();
  }

  // P88: SETTINGS churn
  @Test
  void endlessSettingsEndTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      attack(client, () -> client.frame(Frame.SETTINGS, 0, 0, setting(SETTING_HEADER_TABLE, 0)));
    }
    expectHealthy();
  }

  // P88
  @ParameterizedTest
  @ValueSource(ints = {Frame.PRIORITY, 0x77})
  void endlessFramesWithoutEffectEndTheConnection(int type) throws IOException {
    try (RawClient client = server.connect()) {
      attack(client, () -> client.frame(type, 0, 1, new byte[5]));
    }
    expectHealthy();
  }

  // P88: CVE-2019-9518
  @Test
  void endlessEmptyDataEndsTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false);
      attack(client, () -> client.data(stream, new byte[0], false));
    }
    expectHealthy();
  }

  // P88: and an honest number of each is no attack.
  @Test
  void honestPingsAndSettingsAreAnswered() throws IOException {
    try (RawClient client = server.connect()) {
      for (int i = 0; i < 50; i++) {
        client.sync();
        client.expectSecondCall();
      }
      for (int i = 0; i < 10; i++) {
        client.frame(Frame.SETTINGS, 0, 0, setting(SETTING_HEADER_TABLE, 100 * i));
        client.expectSecondCall();
      }
    }
  }

  /**
   * Repeats frames until the server has had enough. It must say so in GOAWAY, with the limit by
   * name; a client that does not read may miss that, so losing the connection is enough where
   * GOAWAY did not come through.
   */
  private static void attack(RawClient client, Runnable oneFrame) throws IOException {
    boolean ended = false;
    try {
      for (int i = 0; i < ATTACK_FRAMES && !ended; i++) {
        oneFrame.run();
        if (i % 100 == 99) {
          client.send();
        }
      }
      client.send();
    } catch (IOException e) {
      ended = true; // closed by the server while we wrote
    }
    while (true) {
      Frame frame;
      try {
        frame = client.read();
      } catch (IOException e) {
        break;
      }
      if (frame == null) {
        break;
      }
    }
    if (client.goaway() != null) {
      assertEquals(
          ErrorCode.ENHANCE_YOUR_CALM, ErrorCode.of(client.goaway().int32(4)), client::goawayText);
      assertFalse(client.goawayText().isBlank(), "GOAWAY names no limit");
    } else {
      assertTrue(ended, "the server took it all");
    }
  }

  private static void expectHealthy() throws IOException {
    try (RawClient client = server.connect()) {
      client.expectSecondCall();
    }
  }
}

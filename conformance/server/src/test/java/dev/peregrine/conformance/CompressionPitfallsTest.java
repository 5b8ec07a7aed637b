package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.EchoRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pitfalls C: messages that are small on the wire and large in memory, or not what they say. */
class CompressionPitfallsTest {

  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int INTERNAL = 13;
  private static final int MIB = 1 << 20;
  private static final byte COMPRESSED = 1;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P29: 256 MiB of zeros in a quarter of a megabyte. The test JVM would hardly hold them.
  @Test
  void aGzipBombIsRefused() throws IOException {
    expectFailure(withPrefix(COMPRESSED, gzip(256 * MIB)), RESOURCE_EXHAUSTED);
  }

  // P29: each member of a file of several is below the limit, all of them together are not.
  @Test
  void gzipMembersAreCountedTogether() throws IOException {
    byte[] member = gzip(3 * MIB);
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int i = 0; i < 4; i++) {
      members.writeBytes(member);
    }
    try (RawClient client = server.connect()) {
      int before = server.calls();
      Reply reply = upload(client, withPrefix(COMPRESSED, members.toByteArray()));
      // Whether what follows the first member is counted or is garbage: an error, and no call.
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P29: empty members without end, for each of which the JDK's reader calls itself.
  @Test
  void gzipOfManyEmptyMembersIsAnErrorAndNoFault() throws IOException {
    byte[] member = gzip(0);
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) {
      members.writeBytes(member);
    }
    try (ServerLog log = new ServerLog()) {
      expectFailure(withPrefix(COMPRESSED, members.toByteArray()), INTERNAL);
      assertEquals(0, log.texts().size(), () -> log.texts().toString());
    }
  }

  @Test
  void brokenGzipIsAnError() throws IOException {
    byte[] broken = gzip(1000);
    broken[broken.length - 5] ^= 1; // its checksum
    expectFailure(withPrefix(COMPRESSED, broken), INTERNAL);
    expectFailure(withPrefix(COMPRESSED, new byte[20]), INTERNAL);
  }

  // P34: nothing is an empty message, whatever its flag says; no decompressor is asked.
  @Test
  void anEmptyCompressedMessageIsServed() throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(gzipCall(), withPrefix(COMPRESSED, new byte[0]));
      assertEquals(0, reply.status(), reply::toString);
      client.expectSecondCall();
    }
  }

  @Test
  void aCompressedMessageIsServed() throws IOException {
    byte[] request =
        message(
            EchoRequest.newBuilder().setPayload(ByteString.copyFromUtf8("a".repeat(5000))).build());
    byte[] encoded = new byte[request.length - 5];
    System.arraycopy(request, 5, encoded, 0, encoded.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(encoded);
    }
    try (RawClient client = server.connect()) {
      // P32: this client offers nothing in grpc-accept-encoding, so the reply must be plain.
      Reply reply = client.call(gzipCall(), withPrefix(COMPRESSED, out.toByteArray()));
      assertEquals(0, reply.status(), reply::toString);
      assertArrayEquals(request, reply.data());
    }
  }

  @Test
  void aPlainMessageOfACompressingCallIsServed() throws IOException {
    byte[] request =
        message(EchoRequest.newBuilder().setPayload(ByteString.copyFromUtf8("a")).build());
    try (RawClient client = server.connect()) {
      Reply reply = client.call(gzipCall(), request);
      assertEquals(0, reply.status(), reply::toString);
      assertArrayEquals(request, reply.data());
    }
  }

  private static void expectFailure(byte[] body, int status) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      Reply reply = upload(client, body);
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(status, reply.status(), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  private static Reply upload(RawClient client, byte[] body) throws IOException {
    int stream = client.newStream();
    client.headers(stream, gzipCall(), false).send();
    client.upload(stream, body, true);
    return client.reply(stream);
  }

  private static FieldBlock gzipCall() {
    return FieldBlock.call(ECHO).with("grpc-encoding", "gzip");
  }

  private static byte[] gzip(int zeros) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      byte[] block = new byte[1000];
      for (int left = zeros; left > 0; left -= block.length) {
        gzip.write(block, 0, Math.min(left, block.length));
      }
    }
    return out.toByteArray();
  }

  private static byte[] withPrefix(byte flags, byte[] payload) {
    return ByteBuffer.allocate(5 + payload.length)
        .put(flags)
        .putInt(payload.length)
        .put(payload)
        .array();
  }
}

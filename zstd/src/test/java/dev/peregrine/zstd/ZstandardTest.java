package dev.peregrine.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes in comes out, and no more than the bound. */
final class ZstandardTest {

  private static final int LIMIT_BYTES = 1 << 20;

  private final Zstandard zstd = new Zstandard();

  private byte[] unpack(byte[] packed, int maxBytes) throws MalformedMessageException {
    byte[] framed = new byte[packed.length + 4];
    System.arraycopy(packed, 0, framed, 2, packed.length);
    return zstd.decompress(framed, 2, packed.length, maxBytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 255, 256, 257, 1024, 65_536, 1_000_000, LIMIT_BYTES})
  void whatGoesInComesOut(int bytes) throws Exception {
    byte[] noise = new byte[bytes];
    new Random(bytes).nextBytes(noise);
    for (byte[] message : new byte[][] {noise, new byte[bytes]}) {
      byte[] packed = zstd.compress(message, 0, bytes);
      assertArrayEquals(message, unpack(packed, LIMIT_BYTES));
      assertArrayEquals(message, unpack(packed, bytes));
    }
  }

  @Test
  void onlyTheSliceIsCompressed() throws Exception {
    byte[] bytes = {9, 1, 2, 3, 9};
    assertArrayEquals(new byte[] {1, 2, 3}, unpack(zstd.compress(bytes, 1, 3), LIMIT_BYTES));
  }

  @Test
  void aBombStopsAtTheBound() {
    byte[] packed = zstd.compress(new byte[64 << 20], 0, 64 << 20);
    assertTrue(packed.length < 10_000);
    RpcException refused = assertThrows(RpcException.class, () -> unpack(packed, LIMIT_BYTES));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.status().code());
  }

  @Test
  void oneByteTooManyIsTooMany() {
    byte[] packed = zstd.compress(new byte[1001], 0, 1001);
    assertThrows(RpcException.class, () -> unpack(packed, 1000));
  }

  @Test
  void truncatedAndForeignBytesAreMalformed() {
    byte[] packed = zstd.compress(new byte[1000], 0, 1000);
    byte[] half = Arrays.copyOf(packed, packed.length - 1);
    assertThrows(MalformedMessageException.class, () -> unpack(half, LIMIT_BYTES));
    byte[] gzip = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0};
    assertThrows(MalformedMessageException.class, () -> unpack(gzip, LIMIT_BYTES));
  }

  @Test
  void levelsAreBounded() {
    assertThrows(IllegalArgumentException.class, () -> new Zstandard(0));
    assertThrows(IllegalArgumentException.class, () -> new Zstandard(20));
  }

  @FuzzTest(maxDuration = "30s")
  void anyBytesAreAMessageOrRefused(byte[] bytes) {
    try {
      assertTrue(zstd.decompress(bytes, 0, bytes.length, 10_000).length <= 10_000);
    } catch (MalformedMessageException e) {
      assertEquals("a message does not decompress as zstd", e.getMessage());
    } catch (RpcException e) {
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.status().code());
    }
  }
}

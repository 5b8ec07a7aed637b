package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arbitrary bytes instead of a header. */
class ProxyProtocolFuzzTest {

  @FuzzTest
  void everythingIsAHeaderOrRefusedOrTooShort(byte[] bytes) {
    check(bytes);
  }

  // The traces are seeds, too, each with every bit of its first bytes turned.
  @ParameterizedTest
  @MethodSource("dev.peregrine.server.ProxyProtocolTest#traces")
  void changedHeadersAreSafe(ProxyProtocolTest.Trace trace) {
    for (int bit = 0; bit < Math.min(trace.bytes().length, 64) * 8; bit++) {
      byte[] changed = trace.bytes().clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      check(changed);
    }
  }

  private static void check(byte[] bytes) {
    ProxyHeader header;
    try {
      header = ProxyProtocol.parse(bytes, bytes.length);
    } catch (ProxyHeaderException e) {
      assertTrue(e.getMessage().length() < 100);
      return;
    }
    if (header == null) {
      assertTrue(bytes.length < 16 + ProxyHeaderV2.MAX_VARIABLE_BYTES);
      return;
    }
    assertTrue(header.length() <= bytes.length);
    assertEquals(header.source() == null, header.destination() == null);
    try {
      // What is behind it does not count, and nothing before its end is enough.
      assertEquals(
          header, ProxyProtocol.parse(Arrays.copyOf(bytes, header.length()), header.length()));
      assertNull(ProxyProtocol.parse(bytes, header.length() - 1));
    } catch (ProxyHeaderException e) {
      throw new AssertionError(e);
    }
  }
}

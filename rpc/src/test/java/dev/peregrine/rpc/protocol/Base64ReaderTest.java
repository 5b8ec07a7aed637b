package dev.peregrine.rpc.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Base64 in slices, padded where it was flushed. */
class Base64ReaderTest {

  private static int read(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    return new Base64Reader().read(bytes, 0, bytes.length, new byte[bytes.length + 3]);
  }

  @Test
  void paddingInTheMiddleBeginsAnew() {
    byte[] text = "aA==aGVsbG8=aGU=".getBytes(ISO_8859_1);
    byte[] plain = new byte[Base64Reader.maxBytes(text.length)];
    int length = new Base64Reader().read(text, 0, text.length, plain);
    assertEquals("hhellohe", new String(plain, 0, length, ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"=", "A===", "AA=A", "AAAA=", "AA-_", "AA A", "AAA\n", "\u00ff"})
  void otherTextIsMalformed(String text) {
    assertEquals(Base64Reader.MALFORMED, read(text));
  }

  @Test
  void aGroupThatIsNotCompleteIsPending() {
    Base64Reader reader = new Base64Reader();
    assertEquals(0, reader.read("aGV".getBytes(ISO_8859_1), 0, 3, new byte[3]));
    assertEquals(3, reader.pending());
    byte[] plain = new byte[3];
    assertEquals(3, reader.read("s".getBytes(ISO_8859_1), 0, 1, plain));
    assertEquals("hel", new String(plain, ISO_8859_1));
    assertEquals(0, reader.pending());
  }

  /** Whatever is written, flushed anywhere and cut anywhere, is read. */
  @FuzzTest
  void readsWhatWasWritten(FuzzedDataProvider data) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int flushes = data.consumeInt(0, 6);
    for (int i = 0; i < flushes; i++) {
      byte[] bytes = data.consumeBytes(data.consumeInt(0, 20));
      plain.writeBytes(bytes);
      text.writeBytes(Base64.getEncoder().encode(bytes));
    }
    Base64Reader reader = new Base64Reader();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] all = text.toByteArray();
    int at = 0;
    while (at < all.length) {
      int step = Math.min(all.length - at, data.consumeInt(1, 9));
      byte[] slice = new byte[Base64Reader.maxBytes(step)];
      read.write(slice, 0, reader.read(all, at, step, slice));
      at += step;
    }
    assertArrayEquals(plain.toByteArray(), read.toByteArray());
    byte[] any = data.consumeRemainingAsBytes();
    new Base64Reader().read(any, 0, any.length, new byte[Base64Reader.maxBytes(any.length)]);
  }
}

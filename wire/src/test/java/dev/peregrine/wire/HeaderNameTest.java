package dev.peregrine.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HeaderNameTest {

  @Test
  void everyConstantIsFoundFromTextAndFromBytes() throws IllegalAccessException {
    int constants = 0;
    for (Field field : HeaderName.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == HeaderName.class) {
        HeaderName name = (HeaderName) field.get(null);
        assertTrue(name.isKnown());
        assertSame(name, HeaderName.of(name.toString()));
        assertSame(name, fromBytes(name.toString()));
        constants++;
      }
    }
    assertTrue(
        constants > 20 && constants < 64, "the look-up table is made for fewer: " + constants);
  }

  @Test
  void otherNamesAreEqualByText() {
    HeaderName name = fromBytes("x-custom");
    assertFalse(name.isKnown());
    assertEquals(HeaderName.of("x-custom"), name);
    assertEquals(HeaderName.of("x-custom").hashCode(), name.hashCode());
    assertNotEquals(HeaderName.of("x-custon"), name);
    assertEquals("", fromBytes("").toString());
  }

  @Test
  void bytesAreKeptAsTheyAre() {
    assertEquals("Grpc-Status\u00ff", fromBytes("Grpc-Status\u00ff").toString());
    assertFalse(fromBytes("Grpc-Status").isKnown());
  }

  @Test
  void nameWithTheHashOfAConstantIsNotThatConstant() {
    String sameHash = "s" + (char) ('e' + 31);
    assertEquals("te".hashCode(), sameHash.hashCode());
    assertNotEquals(HeaderName.TE, fromBytes(sameHash));
  }

  private static HeaderName fromBytes(String text) {
    byte[] bytes = (" " + text + " ").getBytes(StandardCharsets.ISO_8859_1);
    return HeaderName.of(bytes, 1, bytes.length - 2);
  }
}

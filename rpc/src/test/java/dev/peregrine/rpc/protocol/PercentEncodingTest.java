package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The encoding of grpc-message: what decodes again, and what is cut without damage. */
class PercentEncodingTest {

  private static final String LONG = "a%\u00e9\u20ac\ud83d\ude80 \ud83d|\n";

  @Test
  void textWithoutSpecialCharactersIsTheSameObject() {
    String text = " !\"#$&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~";
    assertSame(text, PercentEncoding.encode(text));
    assertSame("", PercentEncoding.encode(""));
  }

  @ParameterizedTest
  @CsvSource({"%, %25", "%41, %2541", "\u007f, %7F", "\u00ff, %C3%BF", "\u20ac, %E2%82%AC"})
  void everythingElseIsEscapedInUpperCase(String text, String encoded) {
    assertEquals(encoded, PercentEncoding.encode(text));
  }

  @Test
  void decodesToTheTextWithLoneSurrogatesReplaced() {
    Random random = new Random(5);
    for (int round = 0; round < 5_000; round++) {
      String text = PercentTexts.random(random);
      assertEquals(
          PercentTexts.wellFormed(text), PercentTexts.decode(PercentEncoding.encode(text)));
    }
  }

  @Test
  void isCutAtEveryLengthToAPrefixOfTheText() {
    String whole = PercentTexts.wellFormed(LONG);
    String encoded = PercentEncoding.encode(LONG);
    String longest = "";
    for (int max = -3; max <= encoded.length() + 3; max++) {
      String cut = PercentEncoding.cut(encoded, max);
      assertTrue(cut.length() <= Math.max(0, max), cut);
      String decoded = PercentTexts.decode(cut);
      assertTrue(whole.startsWith(decoded), cut);
      assertTrue(cut.length() >= longest.length(), "more room, less text");
      // No room is wasted: what is missing is less than one more character.
      assertTrue(cut.length() > max - 12 || cut.length() == encoded.length(), cut);
      longest = cut;
    }
    assertEquals(encoded, longest);
  }

  @Test
  void textThatFitsIsNotCopied() {
    String encoded = PercentEncoding.encode(LONG);
    assertSame(encoded, PercentEncoding.cut(encoded, encoded.length()));
  }
}

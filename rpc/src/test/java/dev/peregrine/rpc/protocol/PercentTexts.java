package dev.peregrine.rpc.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Texts for {@link PercentEncoding}, and the way back, strictly. Any thread. */
final class PercentTexts {

  private static final String[] PIECES = {
    "a",
    " ",
    "%",
    "%41",
    "\n",
    "\0",
    "~",
    "\u007f",
    "\u0080",
    "\u00e9",
    "\u07ff",
    "\u0800",
    "\u20ac",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\ud83d\ude80",
    "\udbff\udfff",
    "\ud83d",
    "\ude80",
  };

  private PercentTexts() {}

  /** A few pieces, some of them surrogates which may or may not find each other. */
  static String random(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  /** The text with lone surrogates replaced by U+FFFD. */
  static String wellFormed(String text) {
    StringBuilder fixed = new StringBuilder();
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
        .forEach(fixed::appendCodePoint);
    return fixed.toString();
  }

  /** Undoes the encoding; fails for what it cannot have written. */
  static String decode(String encoded) {
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c < 0x20 || c > 0x7e) {
        throw new AssertionError("not printable: " + encoded);
      }
      if (c == '%') {
        String digits = encoded.substring(i + 1, i + 3);
        if (!digits.matches("[0-9A-F]{2}")) {
          throw new AssertionError("not an escape: " + encoded);
        }
        utf8.write(Integer.parseInt(digits, 16));
        i += 2;
      } else {
        utf8.write(c);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(utf8.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("not UTF-8: " + encoded, e);
    }
  }
}

package dev.peregrine.wire.hpack;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import java.util.HexFormat;

/** How the tests of this package write field blocks and field lists. */
final class Blocks {

  static final int TABLE_BYTES = 4096;
  static final int SOFT_LIST_BYTES = 8 * 1024;
  static final int HARD_LIST_BYTES = 64 * 1024;

  private Blocks() {}

  static HpackDecoder decoder() {
    return new HpackDecoder(TABLE_BYTES, SOFT_LIST_BYTES, HARD_LIST_BYTES);
  }

  /** Bytes from hexadecimal digits; blanks are ignored. */
  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replaceAll("\\s", ""));
  }

  /** Decodes a block that stands somewhere inside a larger array. */
  static Headers decode(HpackDecoder decoder, byte[] block) throws HpackException {
    byte[] around = new byte[block.length + 2];
    System.arraycopy(block, 0, around, 1, block.length);
    return decoder.decode(around, 1, block.length);
  }

  static Headers decode(HpackDecoder decoder, String hex) throws HpackException {
    return decode(decoder, hex(hex));
  }

  static byte[] encode(HpackEncoder encoder, ResponseHead head, Headers extra) {
    Output out = new Output();
    encoder.encode(head, extra, out);
    return java.util.Arrays.copyOf(out.array(), out.size());
  }

  static String encodeHex(HpackEncoder encoder, ResponseHead head, Headers extra) {
    return HexFormat.of().formatHex(encode(encoder, head, extra));
  }

  /** The entries of a table, newest first, in the form of {@link Headers#toString()}. */
  static String text(DynamicTable table) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < table.entries(); i++) {
      text.append(table.name(i)).append(": ").append(table.value(i)).append('\n');
    }
    return text.toString();
  }
}

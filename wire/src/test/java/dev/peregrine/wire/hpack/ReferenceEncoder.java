package dev.peregrine.wire.hpack;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A client's encoder that does everything RFC 7541 allows, chosen at random: indexed fields,
 * literals of all three kinds with and without a name index, size updates, evictions. Its table is
 * a plain list, written independently of {@link DynamicTable}.
 */
final class ReferenceEncoder {

  private final Random random;
  private final List<String[]> table = new ArrayList<>(); // newest first
  private int maxBytes = 4096;

  ReferenceEncoder(Random random) {
    this.random = random;
  }

  /** The entries, newest first, in the form of {@link Headers#toString()}. */
  String tableText() {
    StringBuilder text = new StringBuilder();
    for (String[] entry : table) {
      text.append(entry[0]).append(": ").append(entry[1]).append('\n');
    }
    return text.toString();
  }

  byte[] encode(Headers fields, boolean mayIndex) {
    Output out = new Output();
    if (mayIndex && random.nextInt(20) == 0) {
      resize(random.nextInt(4) == 0 ? 0 : random.nextInt(400), out);
      resize(random.nextInt(4097), out);
    }
    for (int i = 0; i < fields.size(); i++) {
      writeField(fields.name(i).toString(), fields.value(i), mayIndex, out);
    }
    return java.util.Arrays.copyOf(out.array(), out.size());
  }

  private void resize(int bytes, Output out) {
    FieldWriter.integer(out, 0x20, 0x1f, bytes);
    maxBytes = bytes;
    evict(0);
  }

  private void writeField(String name, String value, boolean mayIndex, Output out) {
    List<Integer> whole = new ArrayList<>();
    ArrayDeque<Integer> named = new ArrayDeque<>();
    for (int index = 1; index <= StaticTable.SIZE + table.size(); index++) {
      if (name.equals(text(index, 0))) {
        named.add(index);
        if (value.equals(text(index, 1))) {
          whole.add(index);
        }
      }
    }
    if (!whole.isEmpty() && random.nextInt(8) > 0) {
      int index = whole.get(random.nextInt(whole.size()));
      FieldWriter.integer(out, 0x80, 0x7f, index);
      return;
    }
    int nameIndex = named.isEmpty() || random.nextInt(4) == 0 ? 0 : named.getLast();
    boolean index = mayIndex && random.nextBoolean();
    if (index) {
      FieldWriter.integer(out, 0x40, 0x3f, nameIndex);
    } else {
      FieldWriter.integer(out, random.nextBoolean() ? 0x10 : 0, 0x0f, nameIndex);
    }
    if (nameIndex == 0) {
      writeString(name, out);
    }
    writeString(value, out);
    if (index) {
      add(name, value);
    }
  }

  private void writeString(String text, Output out) {
    if (random.nextBoolean()) {
      FieldWriter.string(out, text);
      return;
    }
    boolean huffman = random.nextBoolean();
    int length = huffman ? Huffman.encodedBytes(text) : text.length();
    FieldWriter.integer(out, huffman ? 0x80 : 0, 0x7f, length);
    int at = out.claim(length);
    if (huffman) {
      Huffman.encode(text, out.array(), at);
    } else {
      for (int i = 0; i < length; i++) {
        out.array()[at + i] = (byte) text.charAt(i);
      }
    }
  }

  private String text(int index, int part) {
    if (index <= StaticTable.SIZE) {
      return part == 0 ? StaticTable.name(index).toString() : StaticTable.value(index);
    }
    return table.get(index - StaticTable.SIZE - 1)[part];
  }

  private void add(String name, String value) {
    int bytes = name.length() + value.length() + 32;
    evict(bytes);
    if (bytes <= maxBytes) {
      table.add(0, new String[] {name, value});
    }
  }

  private void evict(int roomBytes) {
    while (!table.isEmpty() && tableBytes() + roomBytes > maxBytes) {
      table.remove(table.size() - 1);
    }
  }

  private int tableBytes() {
    int bytes = 0;
    for (String[] entry : table) {
      bytes += entry[0].length() + entry[1].length() + 32;
    }
    return bytes;
  }
}

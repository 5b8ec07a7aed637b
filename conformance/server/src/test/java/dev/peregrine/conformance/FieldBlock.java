package dev.peregrine.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A request's field block, written field by field and without any check, so that it may be wrong in
 * every way (RFC 7541, 6). Single-threaded.
 */
final class FieldBlock {

  private static final int NEVER_IN_TABLE = 0x00;
  private static final int INTO_TABLE = 0x40;
  private static final int HUFFMAN = 0x80;

  private final List<Field> fields = new ArrayList<>();

  /** A field with a name, or bytes that stand for themselves where the name is {@code null}. */
  @SuppressWarnings("ArrayRecordComponent") // fields are never compared
  private record Field(String name, byte[] encoded) {}

  private FieldBlock() {}

  static FieldBlock empty() {
    return new FieldBlock();
  }

  /** What a gRPC client sends, to a path of the form {@code /Service/Method}. */
  static FieldBlock call(String path) {
    return empty()
        .with(":method", "POST")
        .with(":scheme", "http")
        .with(":authority", "localhost")
        .with(":path", path)
        .with("content-type", "application/grpc")
        .with("te", "trailers");
  }

  /** Appends a field. */
  FieldBlock with(String name, String value) {
    return with(name, value.getBytes(UTF_8));
  }

  /** Appends a field with any bytes as its value. */
  FieldBlock with(String name, byte[] value) {
    return add(name, literal(NEVER_IN_TABLE, name.getBytes(UTF_8), value));
  }

  /** Appends a field that goes into the dynamic table. */
  FieldBlock withIndexing(String name, String value) {
    return add(name, literal(INTO_TABLE, name.getBytes(UTF_8), value.getBytes(UTF_8)));
  }

  /** Appends a field whose name is given as bytes. */
  FieldBlock withName(byte[] name, String value) {
    return add(null, literal(NEVER_IN_TABLE, name, value.getBytes(UTF_8)));
  }

  /** Appends a field whose name is already in Huffman code. */
  FieldBlock withHuffmanName(byte[] code, String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(NEVER_IN_TABLE);
    string(out, HUFFMAN, code);
    string(out, 0, value.getBytes(UTF_8));
    return add(null, out.toByteArray());
  }

  /** Appends bytes as they are. */
  FieldBlock raw(int... bytes) {
    byte[] encoded = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      encoded[i] = (byte) bytes[i];
    }
    return add(null, encoded);
  }

  /** Appends all fields of another block. */
  FieldBlock then(FieldBlock other) {
    fields.addAll(other.fields);
    return this;
  }

  /** Removes every field of a name. */
  FieldBlock without(String name) {
    fields.removeIf(field -> name.equals(field.name));
    return this;
  }

  /** Gives a field that is there another value, in the same place. */
  FieldBlock set(String name, String value) {
    byte[] encoded = literal(NEVER_IN_TABLE, name.getBytes(UTF_8), value.getBytes(UTF_8));
    fields.replaceAll(field -> name.equals(field.name) ? new Field(name, encoded) : field);
    return this;
  }

  byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Field field : fields) {
      out.writeBytes(field.encoded);
    }
    return out.toByteArray();
  }

  private FieldBlock add(String name, byte[] encoded) {
    fields.add(new Field(name, encoded));
    return this;
  }

  private static byte[] literal(int representation, byte[] name, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(representation);
    string(out, 0, name);
    string(out, 0, value);
    return out.toByteArray();
  }

  private static void string(ByteArrayOutputStream out, int huffman, byte[] text) {
    // RFC 7541, 5.1: a length in a prefix of 7 bits.
    int length = text.length;
    if (length < 127) {
      out.write(huffman | length);
    } else {
      out.write(huffman | 127);
      for (length -= 127; length >= 128; length >>= 7) {
        out.write((length & 0x7f) | 0x80);
      }
      out.write(length);
    }
    out.writeBytes(text);
  }
}

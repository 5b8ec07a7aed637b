package dev.peregrine.wire.hpack;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;

/**
 * Turns field blocks into fields (RFC 7541, 3). Loop-confined, one per connection. Owns next to no
 * memory before the first block.
 *
 * <p>Judges the compression alone. Whether names and values are legal is the business of HTTP/2:
 * they arrive as they were sent, one character for each byte.
 */
public final class HpackDecoder {

  /**
   * RFC 7541, 4.2: an update of the table's size stands at the beginning of a block, and there are
   * at most two: the smallest size since the last block, and the final one.
   */
  private static final int MAX_SIZE_UPDATES = 2;

  private final int maxTableBytes;
  private final int softListBytes;
  private final int hardListBytes;
  private final DynamicTable table = new DynamicTable(DynamicTable.DEFAULT_BYTES);
  private BlockReader reader;
  private HeaderBlockCache cache;
  private Headers headers;
  private int listBytes;
  private boolean truncated;

  /**
   * A decoder whose table is at first 4096 bytes large, as HTTP/2 says.
   *
   * @param maxTableBytes our SETTINGS_HEADER_TABLE_SIZE, the most a peer may set; ≥ 0
   * @param softListBytes fields beyond this many bytes (RFC 9113, 6.5.2) are not stored
   * @param hardListBytes a block that decodes to more is refused, ≥ softListBytes
   */
  public HpackDecoder(int maxTableBytes, int softListBytes, int hardListBytes) {
    if (maxTableBytes < 0 || softListBytes < 0 || hardListBytes < softListBytes) {
      throw new IllegalArgumentException(
          "limits must be 0 <= table and 0 <= soft <= hard, but are "
              + maxTableBytes
              + ", "
              + softListBytes
              + ", "
              + hardListBytes);
    }
    this.maxTableBytes = maxTableBytes;
    this.softListBytes = softListBytes;
    this.hardListBytes = hardListBytes;
  }

  /**
   * Decodes one whole field block, always to its end so that the table stays in step with the
   * peer's. Fields beyond the soft limit are counted but left out.
   *
   * @param bytes holds the block, CONTINUATION frames already joined; only lent
   * @return the fields; the same object again when the peer repeats a block, so not to be changed
   * @throws HpackException if the block is malformed or decodes to more than the hard limit; the
   *     decoder is of no use afterwards
   */
  public Headers decode(byte[] bytes, int offset, int length) throws HpackException {
    if (cache != null) {
      Headers hit = cache.find(bytes, offset, length);
      if (hit != null) {
        listBytes = hit.listBytes();
        truncated = false;
        return hit;
      }
    }
    int version = table.version();
    Headers fields = decodeFields(bytes, offset, length);
    if (table.version() != version) {
      if (cache != null) {
        cache.clear();
      }
    } else if (!truncated && HeaderBlockCache.accepts(length, listBytes)) {
      if (cache == null) {
        cache = new HeaderBlockCache();
      }
      cache.add(bytes, offset, length, fields);
    }
    return fields;
  }

  /**
   * The size of the last block's fields in bytes as RFC 9113, 6.5.2 counts them, including those
   * left out.
   */
  public int listBytes() {
    return listBytes;
  }

  /** Whether fields of the last block were left out because of the soft limit. */
  public boolean truncated() {
    return truncated;
  }

  /** The dynamic table, for tests that compare it with RFC 7541, appendix C. */
  DynamicTable table() {
    return table;
  }

  private Headers decodeFields(byte[] bytes, int offset, int length) throws HpackException {
    if (reader == null) {
      reader = new BlockReader();
    }
    Headers fields = new Headers();
    headers = fields;
    listBytes = 0;
    truncated = false;
    reader.start(bytes, offset, length);
    try {
      readSizeUpdates();
      while (reader.more()) {
        readField();
      }
    } finally {
      reader.stop();
      headers = null;
    }
    return fields;
  }

  /** RFC 7541, 6.3: {@code 001} and the size in 5 bits. */
  private void readSizeUpdates() throws HpackException {
    int updates = 0;
    while (reader.more() && (reader.peek() & 0xe0) == 0x20) {
      if (++updates > MAX_SIZE_UPDATES) {
        throw new HpackException("more than two table size updates in a field block");
      }
      int size = reader.integer(0x1f);
      if (size > maxTableBytes) {
        throw new HpackException("table size update is above SETTINGS_HEADER_TABLE_SIZE");
      }
      table.resize(size);
    }
  }

  private void readField() throws HpackException {
    int first = reader.peek();
    if (first >= 0x80) { // RFC 7541, 6.1: 1, and the index in 7 bits
      int index = reader.integer(0x7f);
      append(name(index), value(index));
    } else if (first >= 0x40) { // RFC 7541, 6.2.1: 01, and the name's index in 6 bits
      HeaderName name = readName(0x3f);
      String value = reader.string();
      table.add(name, value);
      append(name, value);
    } else if (first < 0x20) { // RFC 7541, 6.2.2 and 6.2.3: 0000 or 0001, and the index in 4 bits
      HeaderName name = readName(0x0f);
      append(name, reader.string());
    } else {
      throw new HpackException("table size update after a field");
    }
  }

  private HeaderName readName(int prefixMask) throws HpackException {
    int index = reader.integer(prefixMask);
    return index == 0 ? reader.name() : name(index);
  }

  private HeaderName name(int index) throws HpackException {
    if (index > StaticTable.SIZE) {
      return table.name(dynamicIndex(index));
    }
    if (index == 0) {
      throw new HpackException("index 0 in a field block");
    }
    return StaticTable.name(index);
  }

  private String value(int index) throws HpackException {
    return index > StaticTable.SIZE ? table.value(dynamicIndex(index)) : StaticTable.value(index);
  }

  private int dynamicIndex(int index) throws HpackException {
    int dynamic = index - StaticTable.SIZE - 1;
    if (dynamic >= table.entries()) {
      throw new HpackException("index in a field block is beyond both tables");
    }
    return dynamic;
  }

  private void append(HeaderName name, String value) throws HpackException {
    long total = (long) listBytes + DynamicTable.entryBytes(name, value);
    if (total > hardListBytes) {
      throw new HpackException(
          "header section above the hard limit of "
              + hardListBytes
              + " bytes (soft limit is "
              + softListBytes
              + ")");
    }
    listBytes = (int) total;
    if (total <= softListBytes) {
      headers.add(name, value);
    } else {
      truncated = true;
    }
  }
}

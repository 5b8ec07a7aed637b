package dev.peregrine.wire.hpack;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;

/**
 * Turns response heads and trailers into field blocks (RFC 7541, 6). Loop-confined, one per
 * connection.
 *
 * <p>A server says the same few things again and again, so the fields of prebuilt heads enter the
 * dynamic table with their first use, as long as nothing has to be evicted for them. From then on
 * the table is frozen and such a field is one byte: {@code :status: 200} with {@code content-type:
 * application/grpc} takes two bytes, {@code grpc-status: 0} one. Fields of a single response are
 * never indexed: they would push out what repeats. Nothing is evicted but by a smaller limit of the
 * peer.
 */
public final class HpackEncoder {

  /**
   * What we use at most, whatever the peer allows: our own heads need a few hundred bytes, and the
   * peer's memory is not ours to fill.
   */
  static final int MAX_TABLE_BYTES = DynamicTable.DEFAULT_BYTES;

  private static final int INDEXED = 0x80;
  private static final int INDEXED_MASK = 0x7f;
  private static final int INCREMENTAL = 0x40;
  private static final int INCREMENTAL_MASK = 0x3f;
  private static final int SIZE_UPDATE = 0x20;
  private static final int SIZE_UPDATE_MASK = 0x1f;
  private static final int NEVER_INDEXED = 0x10;
  private static final int NOT_INDEXED = 0x00;
  private static final int NOT_INDEXED_MASK = 0x0f;

  private static final int AUTHORIZATION = 23;
  private static final int COOKIE = 32;
  private static final int PROXY_AUTHORIZATION = 49;
  private static final int SET_COOKIE = 55;

  private final DynamicTable table = new DynamicTable(MAX_TABLE_BYTES);
  private EncodedHeads encoded;
  private int nextTableBytes = MAX_TABLE_BYTES;
  private int smallestTableBytes = MAX_TABLE_BYTES; // since the last block

  /** An encoder whose table may be 4096 bytes large, as HTTP/2 says. */
  public HpackEncoder() {}

  /**
   * Takes over a SETTINGS_HEADER_TABLE_SIZE of the peer. The next block begins with the size
   * updates that follow from it.
   *
   * @param peerSetting bytes, as an unsigned 32-bit number
   */
  public void maxTableBytes(int peerSetting) {
    boolean large = Integer.compareUnsigned(peerSetting, MAX_TABLE_BYTES) > 0;
    nextTableBytes = large ? MAX_TABLE_BYTES : peerSetting;
    smallestTableBytes = Math.min(smallestTableBytes, nextTableBytes);
  }

  /**
   * Appends the block of a header or trailer section: the status, unless it is 0, the head's fields
   * and then the extra ones.
   *
   * @param extra fields of this response alone, or {@code null}
   */
  public void encode(ResponseHead head, Headers extra, Output out) {
    if (nextTableBytes != table.maxBytes() || smallestTableBytes != nextTableBytes) {
      writeSizeUpdates(out);
    }
    if (encoded == null || !encoded.write(head, out)) {
      writeHead(head, out);
    }
    if (extra != null) {
      for (int i = 0; i < extra.size(); i++) {
        writeLiteral(extra.name(i), extra.value(i), out);
      }
    }
  }

  /** The dynamic table, for tests. */
  DynamicTable table() {
    return table;
  }

  /**
   * RFC 7541, 4.2: of several changes between two blocks, the smallest size and the last one are
   * told, so that both tables evict the same entries.
   */
  private void writeSizeUpdates(Output out) {
    if (smallestTableBytes < nextTableBytes) {
      FieldWriter.integer(out, SIZE_UPDATE, SIZE_UPDATE_MASK, smallestTableBytes);
      table.resize(smallestTableBytes);
    }
    FieldWriter.integer(out, SIZE_UPDATE, SIZE_UPDATE_MASK, nextTableBytes);
    table.resize(nextTableBytes);
    smallestTableBytes = nextTableBytes;
    forgetEncoded();
  }

  private void writeHead(ResponseHead head, Output out) {
    int start = out.size();
    int version = table.version();
    if (head.status() != 0) {
      writeIndexing(HeaderName.STATUS, Integer.toString(head.status()), out);
    }
    Headers fields = head.headers();
    for (int i = 0; i < fields.size(); i++) {
      writeIndexing(fields.name(i), fields.value(i), out);
    }
    if (table.version() != version) {
      forgetEncoded();
    } else if (out.size() - start <= EncodedHeads.MAX_BLOCK_BYTES) {
      if (encoded == null) {
        encoded = new EncodedHeads();
      }
      encoded.add(head, out.array(), start, out.size());
    }
  }

  private void forgetEncoded() {
    if (encoded != null) {
      encoded.clear();
    }
  }

  /** Writes a field that will be sent again. */
  private void writeIndexing(HeaderName name, String value, Output out) {
    int index = StaticTable.indexOf(name, value);
    if (index == 0) {
      index = wireIndex(table.indexOf(name, value));
    }
    if (index > 0) {
      FieldWriter.integer(out, INDEXED, INDEXED_MASK, index);
    } else if (!isSensitive(name) && table.fits(DynamicTable.entryBytes(name, value))) {
      writeNameAndValue(INCREMENTAL, INCREMENTAL_MASK, name, value, out);
      table.add(name, value);
    } else {
      writeLiteral(name, value, out);
    }
  }

  /** Writes a field and leaves the table as it is. */
  private void writeLiteral(HeaderName name, String value, Output out) {
    int flags = isSensitive(name) ? NEVER_INDEXED : NOT_INDEXED;
    writeNameAndValue(flags, NOT_INDEXED_MASK, name, value, out);
  }

  private void writeNameAndValue(
      int flags, int prefixMask, HeaderName name, String value, Output out) {
    int index = StaticTable.indexOf(name);
    if (index == 0) {
      index = wireIndex(table.indexOf(name));
    }
    FieldWriter.integer(out, flags, prefixMask, index);
    if (index == 0) {
      FieldWriter.string(out, name.toString());
    }
    FieldWriter.string(out, value);
  }

  /** RFC 7541, 2.3.3: entries of the dynamic table are counted on from the static table. */
  private static int wireIndex(int dynamicIndex) {
    return dynamicIndex < 0 ? 0 : StaticTable.SIZE + 1 + dynamicIndex;
  }

  /** RFC 7541, 7.1.3: short secrets must not be found out by guessing against the compression. */
  private static boolean isSensitive(HeaderName name) {
    return switch (StaticTable.indexOf(name)) {
      case AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION, SET_COOKIE -> true;
      default -> false;
    };
  }
}

package dev.peregrine.wire.hpack;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;

/**
 * The dynamic table of one direction (RFC 7541, 2.3.2): a ring of the fields sent last.
 * Loop-confined. Owns no memory before the first entry.
 */
final class DynamicTable {

  /** RFC 9113, 6.5.2: the initial value of SETTINGS_HEADER_TABLE_SIZE. */
  static final int DEFAULT_BYTES = 4096;

  private static final int INITIAL_ENTRIES = 8; // a power of two, as is every later capacity

  private HeaderName[] names;
  private String[] values;
  private int newest = -1;
  private int entries;
  private int bytes;
  private int maxBytes;
  private int version;

  DynamicTable(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** RFC 7541, 4.1: the size of an entry. */
  static int entryBytes(HeaderName name, String value) {
    return name.toString().length() + value.length() + Headers.FIELD_OVERHEAD_BYTES;
  }

  int entries() {
    return entries;
  }

  /** The sum of the sizes of the entries. */
  int bytes() {
    return bytes;
  }

  int maxBytes() {
    return maxBytes;
  }

  /** Changes whenever an index may have got another meaning, and with every size update. */
  int version() {
    return version;
  }

  /** The name of an entry; 0 is the newest, {@code index} &lt; {@link #entries()}. */
  HeaderName name(int index) {
    return names[slot(index)];
  }

  /** The value of an entry; 0 is the newest, {@code index} &lt; {@link #entries()}. */
  String value(int index) {
    return values[slot(index)];
  }

  /** The newest entry with this name and value, or −1. */
  int indexOf(HeaderName name, String value) {
    for (int index = 0; index < entries; index++) {
      int slot = slot(index);
      if (name.equals(names[slot]) && value.equals(values[slot])) {
        return index;
      }
    }
    return -1;
  }

  /** The newest entry with this name, or −1. */
  int indexOf(HeaderName name) {
    for (int index = 0; index < entries; index++) {
      if (name.equals(names[slot(index)])) {
        return index;
      }
    }
    return -1;
  }

  /** Whether an entry of this size can be added without evicting another. */
  boolean fits(int entryBytes) {
    return entryBytes <= maxBytes - bytes;
  }

  /** Adds an entry, evicting the oldest ones as needed. */
  void add(HeaderName name, String value) {
    int entryBytes = entryBytes(name, value);
    // RFC 7541, 4.4: an entry larger than the table empties it, which is not an error.
    boolean oversized = entryBytes > maxBytes;
    if (oversized && entries == 0) {
      return;
    }
    version++;
    evictTo(oversized ? 0 : maxBytes - entryBytes);
    if (oversized) {
      return;
    }
    ensureRoom();
    newest = (newest + 1) & (names.length - 1);
    names[newest] = name;
    values[newest] = value;
    entries++;
    bytes += entryBytes;
  }

  /** RFC 7541, 4.3: a new maximum size, evicting the oldest entries as needed. */
  void resize(int newMaxBytes) {
    version++;
    maxBytes = newMaxBytes;
    evictTo(newMaxBytes);
  }

  private void evictTo(int limitBytes) {
    while (bytes > limitBytes) {
      int oldest = slot(entries - 1);
      bytes -= entryBytes(names[oldest], values[oldest]);
      names[oldest] = null;
      values[oldest] = null;
      entries--;
    }
  }

  private int slot(int index) {
    return (newest - index) & (names.length - 1);
  }

  private void ensureRoom() {
    if (names == null) {
      names = new HeaderName[INITIAL_ENTRIES];
      values = new String[INITIAL_ENTRIES];
    } else if (entries == names.length) {
      grow();
    }
  }

  private void grow() {
    HeaderName[] largerNames = new HeaderName[names.length * 2];
    String[] largerValues = new String[names.length * 2];
    for (int index = 0; index < entries; index++) {
      largerNames[entries - 1 - index] = names[slot(index)];
      largerValues[entries - 1 - index] = values[slot(index)];
    }
    names = largerNames;
    values = largerValues;
    newest = entries - 1;
  }
}

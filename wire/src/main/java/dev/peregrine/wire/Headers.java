package dev.peregrine.wire;

import java.util.Arrays;

/**
 * An ordered list of header or trailer fields in parallel arrays; duplicates keep their order.
 * Built by one thread, then read by any. Values hold one byte per character (ISO 8859-1).
 */
public final class Headers {

  /** RFC 9113, 6.5.2 and RFC 7541, 4.1: what a field counts beyond its name and value. */
  public static final int FIELD_OVERHEAD_BYTES = 32;

  /** {@link #contentLength()} of a list without a content-length field. */
  public static final long NO_CONTENT_LENGTH = -1;

  private static final int INITIAL_FIELDS = 12;

  private HeaderName[] names = new HeaderName[INITIAL_FIELDS];
  private String[] values = new String[INITIAL_FIELDS];
  private int size;
  private int listBytes;
  private long contentLength = NO_CONTENT_LENGTH;
  private boolean checked;
  private boolean truncated;
  private Object attachment;

  /** Appends a field. */
  public Headers add(HeaderName name, String value) {
    if (size == names.length) {
      names = Arrays.copyOf(names, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    names[size] = name;
    values[size] = value;
    size++;
    listBytes += name.toString().length() + value.length() + FIELD_OVERHEAD_BYTES;
    return this;
  }

  /** Appends a field whose name is in lower case. */
  public Headers add(String name, String value) {
    return add(HeaderName.of(name), value);
  }

  /** The number of fields. */
  public int size() {
    return size;
  }

  /** The name of field {@code index}, 0 ≤ index &lt; size. */
  public HeaderName name(int index) {
    return names[index];
  }

  /** The value of field {@code index}, 0 ≤ index &lt; size. */
  public String value(int index) {
    return values[index];
  }

  /** The first value of a name, or {@code null}. */
  public String get(HeaderName name) {
    for (int i = 0; i < size; i++) {
      if (name.equals(names[i])) {
        return values[i];
      }
    }
    return null;
  }

  /** The first value of a name in lower case, or {@code null}. */
  public String get(String name) {
    return get(HeaderName.of(name));
  }

  /** The size of the list as RFC 9113, 6.5.2 counts it. */
  public int listBytes() {
    return listBytes;
  }

  /**
   * Whether an engine has found these fields to follow the rules of its HTTP version. A peer that
   * repeats a header block gets the same object again, so the check is paid for once.
   */
  public boolean checked() {
    return checked;
  }

  /**
   * Sets {@link #checked()}, together with what the check found out.
   *
   * @param contentLengthBytes the value of content-length, or {@link #NO_CONTENT_LENGTH}
   */
  public void setChecked(long contentLengthBytes) {
    contentLength = contentLengthBytes;
    checked = true;
  }

  /** The content-length in bytes once {@link #checked()}, or {@link #NO_CONTENT_LENGTH}. */
  public long contentLength() {
    return contentLength;
  }

  /**
   * Whether fields beyond the engine's soft limit were left out. Such a request must be refused
   * with 431 (RFC 6585, 5): what is missing may be what forbids it.
   */
  public boolean truncated() {
    return truncated;
  }

  /** Sets {@link #truncated()}. */
  public void setTruncated() {
    truncated = true;
  }

  /**
   * What the call layer has derived from these fields. Engines deliver the same object again when a
   * peer repeats a header block, so that this is worked out once. Loop-confined.
   */
  public Object attachment() {
    return attachment;
  }

  /** Sets {@link #attachment()}. */
  public void attachment(Object value) {
    this.attachment = value;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < size; i++) {
      text.append(names[i]).append(": ").append(values[i]).append('\n');
    }
    return text.toString();
  }
}

package dev.peregrine.wire;

import java.util.Arrays;

/**
 * A growable {@code byte[]} which a loop lends to engines for a burst. Loop-confined.
 *
 * <p>Writers that know their length {@link #claim} room and encode in place.
 */
public final class Output {

  /**
   * What one burst usually produces; a loop owns one of these, so it may be generous. After a
   * larger burst the array is given back.
   */
  private static final int INITIAL_BYTES = 128 * 1024;

  private byte[] array = new byte[INITIAL_BYTES];
  private int size;

  /** The bytes; valid up to {@link #size()}. Replaced by another array when room runs out. */
  public byte[] array() {
    return array;
  }

  /** The number of bytes appended since {@link #clear()}. */
  public int size() {
    return size;
  }

  /**
   * Reserves room at the end.
   *
   * @param length the number of bytes, ≥ 0; the caller must fill all of them
   * @return the offset of the first byte in {@link #array()}, which must be read after this call
   */
  public int claim(int length) {
    int offset = size;
    int end = Math.addExact(offset, length);
    if (end > array.length) {
      array = Arrays.copyOf(array, Math.max(end, array.length * 2));
    }
    size = end;
    return offset;
  }

  /** Appends a copy of a slice. */
  public void write(byte[] bytes, int offset, int length) {
    int at = claim(length);
    System.arraycopy(bytes, offset, array, at, length);
  }

  /** Appends one byte. */
  public void write(int value) {
    int at = claim(1);
    array[at] = (byte) value;
  }

  /**
   * Takes bytes at the end back.
   *
   * @param size how many bytes remain, 0 to {@link #size()}
   */
  public void truncate(int size) {
    this.size = size;
  }

  /** Empties the buffer, and returns the memory of an unusually large burst. */
  public void clear() {
    size = 0;
    if (array.length > INITIAL_BYTES * 8) {
      array = new byte[INITIAL_BYTES];
    }
  }
}

package dev.peregrine.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a loop lends to engines for a burst: a growable {@code byte[]}, and between its bytes others
 * by reference. Loop-confined.
 *
 * <p>Writers that know their length {@link #claim} room and encode in place. Large content that is
 * in an array already is {@link #refer}red to, so that only the way to the socket copies it.
 */
public final class Output {

  /**
   * What one burst usually produces; a loop owns one of these, so it may be generous. After a
   * larger burst the array is given back.
   */
  private static final int INITIAL_BYTES = 128 * 1024;

  /** Room for the references of one burst: engines flush at 240 KiB, mostly frames of 16. */
  private static final int INITIAL_REFERENCES = 32;

  private byte[] array = new byte[INITIAL_BYTES];
  private int size;

  // Slices by reference, in their order: each stands before the byte of the array at its place.
  private int references;
  private int referredBytes;
  private byte[][] referredArrays = new byte[INITIAL_REFERENCES][];
  private int[] referredOffsets = new int[INITIAL_REFERENCES];
  private int[] referredLengths = new int[INITIAL_REFERENCES];
  private int[] places = new int[INITIAL_REFERENCES];

  /** The bytes; valid up to {@link #size()}. Replaced by another array when room runs out. */
  public byte[] array() {
    return array;
  }

  /** The number of bytes in {@link #array()} since {@link #clear()}. */
  public int size() {
    return size;
  }

  /** The number of bytes appended since {@link #clear()}, those by reference included. */
  public int totalBytes() {
    return size + referredBytes;
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

  /** Appends a slice by reference: it must not change until {@link #clear()}. */
  public void refer(byte[] bytes, int offset, int length) {
    if (references == places.length) {
      referredArrays = Arrays.copyOf(referredArrays, references * 2);
      referredOffsets = Arrays.copyOf(referredOffsets, references * 2);
      referredLengths = Arrays.copyOf(referredLengths, references * 2);
      places = Arrays.copyOf(places, references * 2);
    }
    referredArrays[references] = bytes;
    referredOffsets[references] = offset;
    referredLengths[references] = length;
    places[references] = size;
    references++;
    referredBytes = Math.addExact(referredBytes, length);
  }

  /**
   * Copies what was appended, in its order, as far as there is room for it.
   *
   * @param from how many bytes to pass over, 0 to {@link #totalBytes()}
   */
  public void copyTo(ByteBuffer target, int from) {
    int skip = from;
    int at = 0;
    for (int i = 0; i < references; i++) {
      skip = copySlice(array, at, places[i] - at, skip, target);
      skip = copySlice(referredArrays[i], referredOffsets[i], referredLengths[i], skip, target);
      at = places[i];
    }
    copySlice(array, at, size - at, skip, target);
  }

  /** Copies a slice but for its first bytes, and returns how many are still to be passed over. */
  private static int copySlice(byte[] bytes, int offset, int length, int skip, ByteBuffer target) {
    if (skip >= length) {
      return skip - length;
    }
    target.put(bytes, offset + skip, Math.min(length - skip, target.remaining()));
    return 0;
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
    if (references > 0) {
      Arrays.fill(referredArrays, 0, references, null);
      references = 0;
      referredBytes = 0;
    }
    if (array.length > INITIAL_BYTES * 8) {
      array = new byte[INITIAL_BYTES];
    }
  }
}

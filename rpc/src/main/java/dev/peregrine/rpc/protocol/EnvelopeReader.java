package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import java.util.Arrays;

/**
 * Finds messages in request content by their 5-byte prefix: flags, then an unsigned 32-bit length.
 * Loop-confined.
 *
 * <p>The borders of the slices it is given mean nothing. A message inside one slice is handed on in
 * place; one that spans slices is assembled in an array which is there already, or grows as data
 * arrives, so that an announced length alone costs no memory. Either way the array is lent.
 */
final class EnvelopeReader {

  static final int PREFIX_BYTES = 5;

  /** The first step of an assembly; a message longer than this earns its room by arriving. */
  private static final int FIRST_STEP_BYTES = 16 * 1024;

  /** A message may have as much room as this times what has arrived of it. */
  private static final int GROWTH = 4;

  private final int maxMessageBytes;
  private final SpareArrays spares;
  private final byte[] prefix = new byte[PREFIX_BYTES];
  private int prefixFilled;
  private byte[] assembly;
  private int assembled;
  private int messageBytes;

  EnvelopeReader(int maxMessageBytes) {
    this(maxMessageBytes, new SpareArrays());
  }

  /**
   * A reader at the beginning of a request.
   *
   * @param spares the loop's, where arrays come from and go to
   */
  EnvelopeReader(int maxMessageBytes, SpareArrays spares) {
    this.maxMessageBytes = maxMessageBytes;
    this.spares = spares;
  }

  /** The length in a prefix, as an unsigned number. */
  static long length(byte[] bytes, int offset) {
    return ((bytes[offset + 1] & 0xffL) << 24)
        | ((bytes[offset + 2] & 0xff) << 16)
        | ((bytes[offset + 3] & 0xff) << 8)
        | (bytes[offset + 4] & 0xff);
  }

  /** Whether the content so far ends inside a prefix or a message. */
  boolean incomplete() {
    return prefixFilled > 0;
  }

  /** Takes more content and hands on every message that is complete. */
  void read(byte[] bytes, int offset, int length, MessageSink sink) {
    int at = offset;
    int end = offset + length;
    while (true) {
      if (prefixFilled < PREFIX_BYTES) {
        int step = Math.min(PREFIX_BYTES - prefixFilled, end - at);
        System.arraycopy(bytes, at, prefix, prefixFilled, step);
        prefixFilled += step;
        at += step;
        if (prefixFilled < PREFIX_BYTES || !acceptPrefix(sink)) {
          return;
        }
      }
      int step = Math.min(messageBytes - assembled, end - at);
      boolean whole = assembled == 0 && step == messageBytes;
      if (!whole) {
        assemble(bytes, at, step, sink);
        if (assembled < messageBytes) {
          return;
        }
      }
      byte[] source = whole ? bytes : assembly;
      int start = whole ? at : 0;
      at += step;
      prefixFilled = 0;
      assembled = 0;
      if (!whole) {
        sink.onHeld(-assembly.length);
        assembly = null;
      }
      boolean more = sink.onMessage(prefix[0], source, start, messageBytes);
      if (!whole) {
        spares.give(source);
      }
      if (!more) {
        return;
      }
    }
  }

  /** Limits are enforced here, before a byte of the message is stored. */
  private boolean acceptPrefix(MessageSink sink) {
    long announced = length(prefix, 0);
    if ((prefix[0] & ~1) != 0) {
      sink.onBroken(Status.INTERNAL.withMessage("a message's flags are " + (prefix[0] & 0xff)));
      return false;
    }
    if (announced > maxMessageBytes) {
      sink.onBroken(
          Status.RESOURCE_EXHAUSTED.withMessage(
              "a message of " + announced + " bytes is over the limit of " + maxMessageBytes));
      return false;
    }
    messageBytes = (int) announced;
    return true;
  }

  private void assemble(byte[] bytes, int at, int step, MessageSink sink) {
    int needed = assembled + step;
    if (assembly == null) {
      assembly = firstArray(needed);
      sink.onHeld(assembly.length);
    }
    if (needed > assembly.length) {
      byte[] outgrown = assembly;
      long room = Math.max(needed, (long) outgrown.length * GROWTH);
      assembly = Arrays.copyOf(outgrown, (int) Math.min(messageBytes, room));
      sink.onHeld(assembly.length - outgrown.length);
      spares.give(outgrown);
    }
    System.arraycopy(bytes, at, assembly, assembled, step);
    assembled = needed;
  }

  private byte[] firstArray(int needed) {
    byte[] spare = messageBytes > FIRST_STEP_BYTES ? spares.take(messageBytes) : null;
    return spare != null
        ? spare
        : new byte[Math.min(messageBytes, Math.max(needed, FIRST_STEP_BYTES))];
  }
}

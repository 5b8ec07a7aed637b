package dev.peregrine.rpc;

/**
 * Turns messages into bytes and back. Stateless, any thread.
 *
 * @param <T> the message
 */
public interface Codec<T> {

  /** The content sub-type it stands for, e.g. {@code proto} or {@code json}. */
  String name();

  /** {@link #size} of an encoding whose size is known only once it is made. */
  int UNKNOWN_SIZE = -1;

  /**
   * The number of bytes {@link #encode} will write for this message; or {@link #UNKNOWN_SIZE},
   * always, and then {@link #toBytes} is called in its place.
   */
  int size(T message);

  /**
   * Writes exactly {@link #size} bytes. The message is not changed between the two calls.
   *
   * @param offset where to begin
   */
  void encode(T message, byte[] target, int offset);

  /**
   * Reads a message from a slice, which is only lent.
   *
   * @throws MalformedMessageException if the bytes are not such a message
   */
  T decode(byte[] source, int offset, int length) throws MalformedMessageException;

  /** The message in an array of its own. */
  default byte[] toBytes(T message) {
    byte[] bytes = new byte[size(message)];
    encode(message, bytes, 0);
    return bytes;
  }
}

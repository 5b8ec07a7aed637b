package dev.peregrine.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The PROXY protocol of HAProxy (proxy-protocol.txt), versions 1 and 2: a header before the first
 * byte of a connection, by which a proxy says for whom it has made it. Pure functions; any thread.
 */
final class ProxyProtocol {

  private static final byte[] V1_SIGNATURE = "PROXY ".getBytes(StandardCharsets.US_ASCII);

  /** Section 2.2: no other protocol begins like this. */
  private static final byte[] V2_SIGNATURE =
      "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

  /** What begins a header. */
  enum Start {
    /** More bytes are needed. */
    UNDECIDED,
    /** A text. */
    V1,
    /** The binary form. */
    V2,
    /** Something else. */
    NONE
  }

  private ProxyProtocol() {}

  /** Whether bytes begin a header. */
  static Start start(byte[] bytes, int length) {
    if (begins(bytes, length, V1_SIGNATURE)) {
      return length < V1_SIGNATURE.length ? Start.UNDECIDED : Start.V1;
    }
    if (begins(bytes, length, V2_SIGNATURE)) {
      return length < V2_SIGNATURE.length ? Start.UNDECIDED : Start.V2;
    }
    return Start.NONE;
  }

  /** Whether bytes, which may be some of many, are a whole signature of version 2. */
  static boolean beginsV2(byte[] bytes, int offset, int length) {
    int end = offset + Math.min(length, V2_SIGNATURE.length);
    return Arrays.equals(bytes, offset, end, V2_SIGNATURE, 0, V2_SIGNATURE.length);
  }

  private static boolean begins(byte[] bytes, int length, byte[] signature) {
    for (int i = 0; i < Math.min(length, signature.length); i++) {
      if (bytes[i] != signature[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads a header.
   *
   * @param bytes from the connection's first one on
   * @return the header, or {@code null} if more bytes are needed
   * @throws ProxyHeaderException if the bytes are no header
   */
  static ProxyHeader parse(byte[] bytes, int length) throws ProxyHeaderException {
    return switch (start(bytes, length)) {
      case UNDECIDED -> null;
      case V1 -> ProxyHeaderV1.parse(bytes, length);
      case V2 -> ProxyHeaderV2.parse(bytes, length);
      case NONE -> throw new ProxyHeaderException("it sent no PROXY header");
    };
  }
}

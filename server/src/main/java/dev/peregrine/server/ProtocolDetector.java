package dev.peregrine.server;

/** Tells by its first bytes what a peer speaks. A pure function; any thread. */
final class ProtocolDetector {

  /**
   * Bytes after which every protocol can be told: {@code PRI} against {@code PUT}, {@code POST}.
   */
  static final int DECISIVE_BYTES = 3;

  /** TLS 1.0 to 1.3 records: type handshake, major version 3 (RFC 8446, 5.1). */
  private static final int TLS_HANDSHAKE = 0x16;

  private static final int TLS_MAJOR_VERSION = 3;

  /** What a peer speaks. */
  enum Protocol {
    /** More bytes are needed. */
    UNDECIDED,
    /**
     * The preface of RFC 9113, 3.4 begins like this; whether it goes on so is the engine's matter.
     */
    HTTP2,
    /** A method in upper case, as all registered ones are. */
    HTTP1,
    /** A ClientHello. */
    TLS,
    /** Nothing we know. */
    UNKNOWN
  }

  private ProtocolDetector() {}

  /** Looks at the bytes a peer has sent so far. */
  static Protocol detect(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return Protocol.UNDECIDED;
    }
    if (bytes[offset] == TLS_HANDSHAKE) {
      if (length == 1) {
        return Protocol.UNDECIDED;
      }
      return bytes[offset + 1] == TLS_MAJOR_VERSION ? Protocol.TLS : Protocol.UNKNOWN;
    }
    for (int i = 0; i < Math.min(length, DECISIVE_BYTES); i++) {
      if (!inMethod(bytes[offset + i], i)) {
        return Protocol.UNKNOWN;
      }
    }
    if (length < DECISIVE_BYTES) {
      return Protocol.UNDECIDED;
    }
    boolean preface = bytes[offset] == 'P' && bytes[offset + 1] == 'R' && bytes[offset + 2] == 'I';
    return preface ? Protocol.HTTP2 : Protocol.HTTP1;
  }

  private static boolean inMethod(byte b, int index) {
    return (b >= 'A' && b <= 'Z') || (index > 0 && b == '-');
  }
}

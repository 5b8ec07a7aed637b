package dev.peregrine.wire;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A field name in lower case. Names that engines and protocols look for are constants with a small
 * id, so that finding them compares references. Immutable, any thread.
 */
public final class HeaderName {

  /** More than twice the number of constants, a power of two. */
  private static final int SLOTS = 128;

  private static final Map<String, HeaderName> KNOWN = new HashMap<>();

  /** The constants by the hash of their text, with linear probing: found from bytes, no garbage. */
  private static final HeaderName[] KNOWN_BY_HASH = new HeaderName[SLOTS];

  public static final HeaderName METHOD = known(":method");
  public static final HeaderName SCHEME = known(":scheme");
  public static final HeaderName AUTHORITY = known(":authority");
  public static final HeaderName PATH = known(":path");
  public static final HeaderName STATUS = known(":status");
  public static final HeaderName HOST = known("host");
  public static final HeaderName CONTENT_TYPE = known("content-type");
  public static final HeaderName CONTENT_LENGTH = known("content-length");
  public static final HeaderName CONTENT_ENCODING = known("content-encoding");
  public static final HeaderName ACCEPT_ENCODING = known("accept-encoding");
  public static final HeaderName USER_AGENT = known("user-agent");
  public static final HeaderName TE = known("te");
  public static final HeaderName CONNECTION = known("connection");
  public static final HeaderName KEEP_ALIVE = known("keep-alive");
  public static final HeaderName PROXY_CONNECTION = known("proxy-connection");
  public static final HeaderName TRANSFER_ENCODING = known("transfer-encoding");
  public static final HeaderName UPGRADE = known("upgrade");
  public static final HeaderName ALLOW = known("allow");
  public static final HeaderName COOKIE = known("cookie");
  public static final HeaderName GRPC_TIMEOUT = known("grpc-timeout");
  public static final HeaderName GRPC_ENCODING = known("grpc-encoding");
  public static final HeaderName GRPC_ACCEPT_ENCODING = known("grpc-accept-encoding");
  public static final HeaderName GRPC_STATUS = known("grpc-status");
  public static final HeaderName GRPC_MESSAGE = known("grpc-message");
  public static final HeaderName GRPC_STATUS_DETAILS_BIN = known("grpc-status-details-bin");
  public static final HeaderName CONNECT_PROTOCOL_VERSION = known("connect-protocol-version");
  public static final HeaderName CONNECT_TIMEOUT_MS = known("connect-timeout-ms");
  public static final HeaderName CONNECT_CONTENT_ENCODING = known("connect-content-encoding");
  public static final HeaderName CONNECT_ACCEPT_ENCODING = known("connect-accept-encoding");
  public static final HeaderName ACCEPT = known("accept");
  public static final HeaderName ACCEPT_POST = known("accept-post");
  public static final HeaderName ORIGIN = known("origin");
  public static final HeaderName VARY = known("vary");

  private final String text;
  private final boolean known;

  private HeaderName(String text, boolean known) {
    this.text = text;
    this.known = known;
  }

  private static HeaderName known(String text) {
    HeaderName name = new HeaderName(text, true);
    KNOWN.put(text, name);
    int slot = text.hashCode() & (SLOTS - 1);
    while (KNOWN_BY_HASH[slot] != null) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    KNOWN_BY_HASH[slot] = name;
    return name;
  }

  /** The name for a text that is already in lower case; the same object for every known name. */
  public static HeaderName of(String lowerCase) {
    HeaderName name = KNOWN.get(lowerCase);
    return name != null ? name : new HeaderName(lowerCase, false);
  }

  /**
   * The name for bytes as they came from the peer, one character for each byte, which should be in
   * lower case but are not checked. Allocates nothing for known names.
   */
  public static HeaderName of(byte[] bytes, int offset, int length) {
    int hash = 0; // as String.hashCode computes it
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + (bytes[offset + i] & 0xff);
    }
    for (int slot = hash & (SLOTS - 1);
        KNOWN_BY_HASH[slot] != null;
        slot = (slot + 1) & (SLOTS - 1)) {
      if (KNOWN_BY_HASH[slot].isText(bytes, offset, length)) {
        return KNOWN_BY_HASH[slot];
      }
    }
    return new HeaderName(new String(bytes, offset, length, StandardCharsets.ISO_8859_1), false);
  }

  private boolean isText(byte[] bytes, int offset, int length) {
    if (text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) != (bytes[offset + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /** Whether this is one of the constants, which may be compared by reference. */
  public boolean isKnown() {
    return known;
  }

  /** Whether this is a pseudo-header field name (RFC 9113, 8.3). */
  public boolean isPseudo() {
    return !text.isEmpty() && text.charAt(0) == ':';
  }

  /** Whether a field speaks of one connection only, and not of its message (RFC 9110, 7.6.1). */
  public boolean isConnectionSpecific() {
    return equals(CONNECTION)
        || equals(KEEP_ALIVE)
        || equals(PROXY_CONNECTION)
        || equals(TRANSFER_ENCODING)
        || equals(UPGRADE);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof HeaderName name && !known && !name.known && text.equals(name.text));
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}

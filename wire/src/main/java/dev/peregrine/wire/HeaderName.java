package dev.peregrine.wire;

import java.util.HashMap;
import java.util.Map;

/**
 * A field name in lower case. Names that engines and protocols look for are constants with a small
 * id, so that finding them compares references. Immutable, any thread.
 */
public final class HeaderName {

  private static final Map<String, HeaderName> KNOWN = new HashMap<>();

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

  private final String text;
  private final boolean known;

  private HeaderName(String text, boolean known) {
    this.text = text;
    this.known = known;
  }

  private static HeaderName known(String text) {
    HeaderName name = new HeaderName(text, true);
    KNOWN.put(text, name);
    return name;
  }

  /** The name for a text that is already in lower case; the same object for every known name. */
  public static HeaderName of(String lowerCase) {
    HeaderName name = KNOWN.get(lowerCase);
    return name != null ? name : new HeaderName(lowerCase, false);
  }

  /** Whether this is one of the constants, which may be compared by reference. */
  public boolean isKnown() {
    return known;
  }

  /** Whether this is a pseudo-header field name (RFC 9113, 8.3). */
  public boolean isPseudo() {
    return !text.isEmpty() && text.charAt(0) == ':';
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

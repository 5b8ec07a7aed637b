package dev.peregrine.wire.hpack;

import dev.peregrine.wire.HeaderName;
import java.util.HashMap;
import java.util.Map;

/** The static table (RFC 7541, appendix A). Immutable, any thread. */
final class StaticTable {

  /** The number of entries; they have the indices 1 to 61. */
  static final int SIZE = 61;

  /** One entry a line, in the order of appendix A: name, then value after a blank if it has one. */
  private static final String[] ENTRIES = {
    ":authority",
    ":method GET",
    ":method POST",
    ":path /",
    ":path /index.html",
    ":scheme http",
    ":scheme https",
    ":status 200",
    ":status 204",
    ":status 206",
    ":status 304",
    ":status 400",
    ":status 404",
    ":status 500",
    "accept-charset",
    "accept-encoding gzip, deflate",
    "accept-language",
    "accept-ranges",
    "accept",
    "access-control-allow-origin",
    "age",
    "allow",
    "authorization",
    "cache-control",
    "content-disposition",
    "content-encoding",
    "content-language",
    "content-length",
    "content-location",
    "content-range",
    "content-type",
    "cookie",
    "date",
    "etag",
    "expect",
    "expires",
    "from",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "last-modified",
    "link",
    "location",
    "max-forwards",
    "proxy-authenticate",
    "proxy-authorization",
    "range",
    "referer",
    "refresh",
    "retry-after",
    "server",
    "set-cookie",
    "strict-transport-security",
    "transfer-encoding",
    "user-agent",
    "vary",
    "via",
    "www-authenticate",
  };

  private static final HeaderName[] NAMES = new HeaderName[SIZE + 1];
  private static final String[] VALUES = new String[SIZE + 1];

  /** The first index of each name; entries of one name are neighbours. */
  private static final Map<HeaderName, Integer> FIRST_INDEX = new HashMap<>();

  static {
    for (int index = 1; index <= SIZE; index++) {
      String entry = ENTRIES[index - 1];
      int blank = entry.indexOf(' ');
      String text = blank < 0 ? entry : entry.substring(0, blank);
      boolean repeated = index > 1 && NAMES[index - 1].toString().equals(text);
      NAMES[index] = repeated ? NAMES[index - 1] : HeaderName.of(text);
      VALUES[index] = blank < 0 ? "" : entry.substring(blank + 1);
      FIRST_INDEX.putIfAbsent(NAMES[index], index);
    }
  }

  private StaticTable() {}

  /** The name of entry {@code index}, 1 ≤ index ≤ {@link #SIZE}. */
  static HeaderName name(int index) {
    return NAMES[index];
  }

  /** The value of entry {@code index}, 1 ≤ index ≤ {@link #SIZE}. */
  static String value(int index) {
    return VALUES[index];
  }

  /** The index of the first entry with this name, or 0. */
  static int indexOf(HeaderName name) {
    return FIRST_INDEX.getOrDefault(name, 0);
  }

  /** The index of the entry with this name and value, or 0. */
  static int indexOf(HeaderName name, String value) {
    int first = indexOf(name);
    if (first > 0) {
      for (int index = first; index <= SIZE && NAMES[index].equals(name); index++) {
        if (VALUES[index].equals(value)) {
          return index;
        }
      }
    }
    return 0;
  }
}

package dev.peregrine.accesslog;

import dev.peregrine.rpc.WireRequest;

/** How an entry is written. Stateless, any thread. */
enum LineFormat {
  /** One line of Apache's combined format, and what it has no place for behind it. */
  COMMON {
    @Override
    byte[] line(Entry entry, boolean query) {
      WireRequest request = entry.request();
      Line line = new Line().quoted(entry.host(), MAX_HOST_CHARS).raw(" - - [");
      Timestamp.common(line, entry.startMillis());
      line.raw("] \"").quoted(request.method(), MAX_METHOD_CHARS).raw(" ");
      line.quoted(target(request, query), MAX_TARGET_CHARS);
      line.raw(" HTTP/").raw(request.httpVersion()).raw("\" ");
      line.number(entry.httpStatus() == 0 ? CLIENT_CLOSED_REQUEST : entry.httpStatus());
      line.raw(" ").number(entry.responseBytes()).raw(" \"");
      // The address of a page has secrets in its query as often as that of a request.
      String referer = withoutQuery(request.field("referer"), query);
      line.quoted(orDash(referer), MAX_FIELD_CHARS).raw("\" \"");
      line.quoted(orDash(request.field("user-agent")), MAX_FIELD_CHARS).raw("\" ");
      line.raw(entry.protocol()).raw(" ").raw(orDash(entry.code())).raw(" ");
      line.number(entry.requestBytes()).raw(" ").number(entry.durationMicros()).raw(" ");
      return line.raw(orDash(entry.tls())).end();
    }
  },

  /** One JSON object; members that are not known are left out. */
  JSON {
    @Override
    byte[] line(Entry entry, boolean query) {
      WireRequest request = entry.request();
      Line line = new Line().raw("{\"time\":\"");
      Timestamp.iso(line, entry.startMillis());
      line.raw("\",\"peer\":\"").json(entry.host(), MAX_HOST_CHARS).raw("\"");
      if (entry.port() >= 0) {
        line.raw(",\"port\":").number(entry.port());
      }
      line.raw(",\"method\":\"").json(request.method(), MAX_METHOD_CHARS).raw("\",\"path\":\"");
      line.json(target(request, query), MAX_TARGET_CHARS).raw("\",\"http\":\"");
      line.raw(request.httpVersion()).raw("\",\"protocol\":\"").raw(entry.protocol()).raw("\"");
      member(line, "rpc", entry.rpc());
      member(line, "code", entry.code());
      if (entry.httpStatus() != 0) {
        line.raw(",\"status\":").number(entry.httpStatus());
      }
      line.raw(",\"bytesIn\":").number(entry.requestBytes());
      line.raw(",\"bytesOut\":").number(entry.responseBytes());
      line.raw(",\"micros\":").number(entry.durationMicros());
      member(line, "tls", entry.tls());
      member(line, "userAgent", request.field("user-agent"));
      return line.raw("}").end();
    }
  };

  /** An address of IPv6 with a zone. */
  static final int MAX_HOST_CHARS = 64;

  /** The longest method registered is 17 characters (IANA HTTP Method Registry). */
  static final int MAX_METHOD_CHARS = 32;

  /** Enough for the names of most methods; beyond it clients write what they like. */
  static final int MAX_TARGET_CHARS = 512;

  /** Enough for the names of most browsers. */
  static final int MAX_FIELD_CHARS = 256;

  /** What nginx logs where the client went away before any response. */
  private static final int CLIENT_CLOSED_REQUEST = 499;

  /**
   * The line of an entry, with its end.
   *
   * @param query whether queries are written
   */
  abstract byte[] line(Entry entry, boolean query);

  private static void member(Line line, String name, String value) {
    if (value != null) {
      line.raw(",\"").raw(name).raw("\":\"").json(value, MAX_FIELD_CHARS).raw("\"");
    }
  }

  private static String target(WireRequest request, boolean query) {
    return withoutQuery(request.target(), query);
  }

  private static String withoutQuery(String address, boolean query) {
    int mark = query || address == null ? -1 : address.indexOf('?');
    return mark < 0 ? address : address.substring(0, mark);
  }

  private static String orDash(String value) {
    return value == null || value.isEmpty() ? "-" : value;
  }
}

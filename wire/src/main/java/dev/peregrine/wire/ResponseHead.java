package dev.peregrine.wire;

/**
 * A response's status and fixed header fields, or its fixed trailer fields, made once and sent many
 * times. Engines recognise the object and reuse its encoding. Immutable but for that, any thread.
 */
public final class ResponseHead {

  private final int status;
  private final Headers headers;
  private Object encoding;

  private ResponseHead(int status, Headers headers) {
    this.status = status;
    this.headers = headers;
  }

  /**
   * A header section.
   *
   * @param status 100 to 999
   * @param headers the other fields, not changed afterwards
   */
  public static ResponseHead of(int status, Headers headers) {
    if (status < 100 || status > 999) {
      throw new IllegalArgumentException("status " + status + " is not in 100..999");
    }
    return new ResponseHead(status, headers);
  }

  /** A trailer section: fields without a status. */
  public static ResponseHead trailers(Headers headers) {
    return new ResponseHead(0, headers);
  }

  /** The status code, or 0 for a trailer section. */
  public int status() {
    return status;
  }

  /** The fields beside the status; not to be changed. */
  public Headers headers() {
    return headers;
  }

  /**
   * What an engine whose encoding is the same for all connections has kept here, or {@code null}.
   */
  public Object encoding() {
    return encoding;
  }

  /**
   * Keeps an encoding.
   *
   * @param value immutable, with final fields only, so that threads that race for it at worst make
   *     it twice
   */
  public void encoding(Object value) {
    this.encoding = value;
  }
}

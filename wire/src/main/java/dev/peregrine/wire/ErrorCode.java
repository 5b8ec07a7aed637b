package dev.peregrine.wire;

/** RFC 9113, section 7: reasons for RST_STREAM and GOAWAY. */
public enum ErrorCode {
  NO_ERROR(0x0),
  PROTOCOL_ERROR(0x1),
  INTERNAL_ERROR(0x2),
  FLOW_CONTROL_ERROR(0x3),
  SETTINGS_TIMEOUT(0x4),
  STREAM_CLOSED(0x5),
  FRAME_SIZE_ERROR(0x6),
  REFUSED_STREAM(0x7),
  CANCEL(0x8),
  COMPRESSION_ERROR(0x9),
  CONNECT_ERROR(0xa),
  ENHANCE_YOUR_CALM(0xb),
  INADEQUATE_SECURITY(0xc),
  HTTP_1_1_REQUIRED(0xd);

  private static final ErrorCode[] BY_CODE = values();

  private final int code;

  ErrorCode(int code) {
    this.code = code;
  }

  /** The code as 32 bits on the wire. */
  public int code() {
    return code;
  }

  /**
   * The error for a code on the wire. Unknown codes are treated as INTERNAL_ERROR (RFC 9113,
   * section 7).
   */
  public static ErrorCode of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : INTERNAL_ERROR;
  }
}

package dev.peregrine.conformance.soak;

/** RFC 9113, 6: the frames the client knows. */
final class Frame {

  static final int HEADER_BYTES = 9;
  static final int MAX_PAYLOAD_BYTES = 16_384;

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;

  static final int ACK = 1;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  /** RFC 9113, 6.5.2: SETTINGS_INITIAL_WINDOW_SIZE. */
  static final int INITIAL_WINDOW_SIZE = 4;

  private Frame() {}
}

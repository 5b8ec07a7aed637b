package dev.peregrine.server;

import dev.peregrine.wire.Output;

/**
 * The memory a loop lends to the connection whose records it reads or writes; there once the loop
 * has a TLS connection. Loop-confined.
 */
final class TlsBuffers {

  /** What a record holds (RFC 8446, 5.1). */
  private static final int MAX_CONTENT_BYTES = 16 * 1024;

  private final byte[] records = new byte[LoopBuffers.INPUT_BYTES + TlsChannel.MAX_RECORD_BYTES];
  private final byte[] plain = new byte[records.length + 2 * TlsChannel.MAX_RECORD_BYTES];
  private final byte[] content = new byte[MAX_CONTENT_BYTES];
  private final Output output = new Output();

  /** What came from a socket, behind what was left of its last read. */
  byte[] records() {
    return records;
  }

  /** What was in the records. */
  byte[] plain() {
    return plain;
  }

  /** Room for the content of one record. */
  byte[] content() {
    return content;
  }

  /** Records to send; empty, and to be emptied by whoever fills it. */
  Output output() {
    return output;
  }
}

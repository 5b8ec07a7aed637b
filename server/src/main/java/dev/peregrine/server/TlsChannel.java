package dev.peregrine.server;

import dev.peregrine.wire.Output;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;

/**
 * The TLS of one connection: records of the socket in, plain bytes out, and the reverse. Does no
 * I/O. Loop-confined.
 *
 * <p>Every whole record is decrypted as it comes, so nothing but a part of one record is kept
 * between two reads. The handshake's arithmetic runs here, too: some 100 µs to a millisecond once
 * for a connection, less than handing it to another thread and back would delay the others.
 */
final class TlsChannel {

  /**
   * The longest record that a peer may send, header included: 2^14 bytes of content, and 2048 of
   * expansion in TLS 1.2 (RFC 5246, 6.2.3).
   */
  static final int MAX_RECORD_BYTES = 5 + 16 * 1024 + 2048;

  /** Type of the record that a ClientHello is in (RFC 8446, 5.1). */
  private static final int HANDSHAKE_RECORD = 22;

  private static final byte[] NONE = {};

  private final SSLEngine engine;
  private byte[] held = NONE;
  private boolean begun;
  private boolean established;

  /** Whether the peer has asked for protocols that are not spoken here. */
  private boolean foreign;

  private boolean inboundEnded;

  TlsChannel(SSLEngine engine) {
    this.engine = engine;
    engine.setHandshakeApplicationProtocolSelector((asking, offered) -> select(offered));
  }

  private String select(List<String> offered) {
    String selected = TlsContext.selected(offered);
    foreign = selected == null;
    return selected;
  }

  /** How many bytes of an unfinished record come before those that are read next. */
  int heldBytes() {
    return held.length;
  }

  /** Puts the unfinished record before what will be read. */
  void restoreHeld(byte[] target) {
    System.arraycopy(held, 0, target, 0, held.length);
    held = NONE;
  }

  /** Whether the peer's first byte says that it does not speak TLS at all. */
  boolean isPlaintext(byte[] records) {
    return !begun && records[0] != HANDSHAKE_RECORD;
  }

  /**
   * Decrypts.
   *
   * @param records what the peer sent, from {@link #restoreHeld} on
   * @param plain as long as the records and two of the longest more
   * @param answer gets what the handshake has to say
   * @return how many plain bytes there are now
   * @throws SSLException if the peer breaks the rules; {@code answer} has an alert for it then
   */
  int receive(byte[] records, int length, byte[] plain, Output answer) throws SSLException {
    begun = true;
    ByteBuffer source = ByteBuffer.wrap(records, 0, length);
    ByteBuffer target = ByteBuffer.wrap(plain);
    try {
      boolean more = true;
      while (more && !inboundEnded) {
        more = step(source, target, answer);
      }
    } catch (SSLException e) {
      flushAlert(answer);
      throw e;
    }
    if (source.hasRemaining() && !inboundEnded) {
      held = Arrays.copyOfRange(records, source.position(), length);
    }
    return target.position();
  }

  /** One step of the engine's; false when it needs more from the peer. */
  private boolean step(ByteBuffer source, ByteBuffer target, Output answer) throws SSLException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
          task.run();
          task = engine.getDelegatedTask();
        }
        return true;
      }
      case NEED_WRAP -> {
        return wrap(ByteBuffer.wrap(NONE), answer);
      }
      default -> {
        if (!source.hasRemaining()
            && engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP_AGAIN) {
          return false;
        }
        SSLEngineResult result = engine.unwrap(source, target);
        note(result);
        return result.getStatus() == SSLEngineResult.Status.OK;
      }
    }
  }

  private void note(SSLEngineResult result) throws SSLException {
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      inboundEnded = true;
    }
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      if (foreign) {
        // Conscrypt 2.5 goes on without a protocol rather than with an alert.
        throw new SSLHandshakeException("the peer asks for other protocols (ALPN)");
      }
      established = true;
    } else if (established
        && result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
        && !inboundEnded
        && !engine.getSession().getProtocol().equals("TLSv1.3")) {
      // RFC 9113, 9.2.1: a second handshake could change who the peer is in the middle of calls.
      throw new SSLHandshakeException("the peer asks for a renegotiation");
    }
  }

  /** Encrypts all of an output to the end of the loop's output for records. */
  void encrypt(Output plain, TlsBuffers memory) throws SSLException {
    if (plain.size() == plain.totalBytes()) {
      encrypt(ByteBuffer.wrap(plain.array(), 0, plain.size()), memory.output());
      return;
    }
    // Content by reference is between the bytes: put together, a record at a time.
    int total = plain.totalBytes();
    int done = 0;
    while (done < total) {
      ByteBuffer content = ByteBuffer.wrap(memory.content());
      plain.copyTo(content, done);
      done += content.flip().remaining();
      encrypt(content, memory.output());
    }
  }

  private void encrypt(ByteBuffer source, Output records) throws SSLException {
    while (source.hasRemaining()) {
      if (!wrap(source, records)) {
        throw new SSLException("nothing may be sent after the end");
      }
    }
  }

  /** One record to the end of the output; false if the engine has ended. */
  private boolean wrap(ByteBuffer source, Output records) throws SSLException {
    int room = engine.getSession().getPacketBufferSize();
    int before = records.size();
    int at = records.claim(room);
    ByteBuffer target = ByteBuffer.wrap(records.array(), at, room);
    int produced = 0;
    try {
      SSLEngineResult result = engine.wrap(source, target);
      produced = result.bytesProduced();
      note(result);
      return result.getStatus() == SSLEngineResult.Status.OK;
    } finally {
      records.truncate(before + produced);
    }
  }

  private void flushAlert(Output answer) {
    try {
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
          && wrap(ByteBuffer.wrap(NONE), answer)) {
        // an alert is one record
      }
    } catch (SSLException e) {
      Log.debug("an alert could not be sent", e);
    }
  }

  /** Says that nothing follows (close_notify), unless it was said. */
  void end(Output records) throws SSLException {
    engine.closeOutbound();
    while (!engine.isOutboundDone() && wrap(ByteBuffer.wrap(NONE), records)) {
      // until the alert is there
    }
  }

  /**
   * Gives back what an engine holds outside the heap: each of Conscrypt's has memory and two file
   * descriptors, and keeps them until it was closed both ways or is collected. Nothing is sent.
   */
  void release(Output scratch) {
    try {
      end(scratch);
    } catch (SSLException | RuntimeException e) {
      Log.debug("TLS could not be ended", e);
    }
    scratch.clear();
    try {
      engine.closeInbound();
    } catch (SSLException | RuntimeException e) {
      // Usual: the peer went without close_notify.
      Log.debug("TLS was not ended by the peer", e);
    }
  }

  /** Whether the peer has said that nothing follows. */
  boolean inboundEnded() {
    return inboundEnded;
  }

  /** Whether the handshake is done. */
  boolean established() {
    return established;
  }

  /** The protocol agreed upon (ALPN), or the empty string. */
  String protocol() {
    String protocol = engine.getApplicationProtocol();
    return protocol == null ? "" : protocol;
  }

  SSLSession session() {
    return engine.getSession();
  }
}

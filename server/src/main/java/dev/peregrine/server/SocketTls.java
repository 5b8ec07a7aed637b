package dev.peregrine.server;

import dev.peregrine.wire.Output;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * The TLS side of one socket: reads and writes its records in the loop's buffers, and tells the
 * socket's handler of what was in them. Loop-confined; made for sockets that may speak TLS only.
 */
final class SocketTls {

  private final SocketHandler socket;
  private final TlsContext context;
  private TlsChannel channel;
  private boolean ended;

  /** The TLS of a socket, begun already unless plaintext is allowed there, too. */
  SocketTls(SocketHandler socket, TlsContext context) {
    this.socket = socket;
    this.context = context;
    if (!context.plaintextAllowed()) {
      channel = new TlsChannel(context.newEngine());
    }
  }

  TlsContext context() {
    return context;
  }

  /** Whether TLS is spoken, rather than plaintext where that is allowed. */
  boolean active() {
    return channel != null;
  }

  /** Whether the handshake is under way. */
  boolean handshaking() {
    return channel != null && !channel.established();
  }

  /** The peer has begun a handshake on a port where it may. */
  void begin(LoopBuffers buffers, byte[] first) throws IOException {
    channel = new TlsChannel(context.newEngine());
    receive(buffers, first, 0);
  }

  /** Takes the first records, which were read as plaintext, from an offset on. */
  void receive(LoopBuffers buffers, byte[] first, int offset) throws IOException {
    TlsBuffers memory = buffers.tls();
    int length = first.length - offset;
    System.arraycopy(first, offset, memory.records(), 0, length);
    takeRecords(memory, length);
  }

  /** Reads once, and returns how much the socket had, or −1 at its end. */
  int read(SocketChannel from, LoopBuffers buffers) throws IOException {
    TlsBuffers memory = buffers.tls();
    int held = channel.heldBytes();
    int length = buffers.read(from, memory.records(), held);
    if (length > 0) {
      socket.received(length);
      channel.restoreHeld(memory.records());
      takeRecords(memory, held + length);
    }
    return length;
  }

  private void takeRecords(TlsBuffers memory, int length) throws IOException {
    if (channel.isPlaintext(memory.records())) {
      ended = true;
      socket.onPlaintext(memory.records(), length);
      return;
    }
    boolean established = channel.established();
    int plain = 0;
    try {
      plain = channel.receive(memory.records(), length, memory.plain(), memory.output());
    } catch (SSLException e) {
      ended = true;
      socket.onTlsFault(e);
    } finally {
      sendRecords(memory.output());
    }
    if (!established && channel.established()) {
      socket.onSecured(channel.protocol());
    }
    socket.onPlain(memory.plain(), plain, channel.inboundEnded());
  }

  /** Writes records, behind those that wait, and empties the output. */
  private void sendRecords(Output records) throws IOException {
    try {
      socket.write(records);
    } finally {
      records.clear();
    }
  }

  /** Encrypts bytes and writes them. */
  void send(Output plain, LoopBuffers buffers) throws IOException {
    TlsBuffers memory = buffers.tls();
    channel.encrypt(plain, memory);
    sendRecords(memory.output());
  }

  /** Encrypts bytes and keeps them behind those that wait. */
  void keep(Output plain, LoopBuffers buffers, SocketOutput output) throws IOException {
    TlsBuffers memory = buffers.tls();
    try {
      channel.encrypt(plain, memory);
      output.keep(memory.output());
    } finally {
      memory.output().clear();
    }
  }

  /** Says that nothing follows, unless that was said. */
  void end(LoopBuffers buffers) throws IOException {
    if (!ended) {
      ended = true;
      TlsBuffers memory = buffers.tls();
      channel.end(memory.output());
      sendRecords(memory.output());
    }
  }

  /** The socket is closed: frees what is not freed by being forgotten. */
  void release(LoopBuffers buffers) {
    if (channel != null && context.outsideTheHeap()) {
      channel.release(buffers.tls().output());
    }
  }

  /** What was agreed upon, or {@code null} in plaintext. */
  SSLSession session() {
    return channel == null ? null : channel.session();
  }
}

/**
 * HTTP/1.1, HTTP/2, HPACK and the vocabulary shared by protocol engines: bytes into streams,
 * streams into bytes. Holds no socket, no thread and no clock, and depends on the JDK alone.
 * Internal: exported only to Peregrine's own modules.
 */
@SuppressWarnings("module") // some friends are separate artifacts, absent when this one is compiled
module dev.peregrine.wire {
  exports dev.peregrine.wire to
      dev.peregrine.rpc,
      dev.peregrine.server,
      dev.peregrine.http3;
  exports dev.peregrine.wire.http1 to
      dev.peregrine.server;
  exports dev.peregrine.wire.http2 to
      dev.peregrine.rpc,
      dev.peregrine.server;
}

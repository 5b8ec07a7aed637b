/**
 * Sockets into bytes: event loops on the JDK's selector, listeners, protocol detection, and {@link
 * dev.peregrine.server.Server}, which is what users start.
 */
module dev.peregrine.server {
  requires static jdk.jfr; // the server runs without it, see FlightRecording
  requires static java.management; // only ServerBean, for those who call it
  requires jdk.net; // peer credentials of Unix domain sockets
  requires dev.peregrine.wire;
  requires transitive dev.peregrine.rpc;

  exports dev.peregrine.server;

  uses dev.peregrine.server.TlsProvider;
}

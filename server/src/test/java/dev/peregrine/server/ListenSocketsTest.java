package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenSocketsTest {

  private static InetSocketAddress address(int port, int... ip) throws UnknownHostException {
    byte[] bytes = new byte[ip.length];
    for (int i = 0; i < ip.length; i++) {
      bytes[i] = (byte) ip[i];
    }
    return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
  }

  @Test
  void everyFaultOfTheSystemIsOneSentence() throws Exception {
    assertEquals(
        "port 7000 is taken by another process",
        ListenSockets.sentence(
            new InetSocketAddress(7000), new BindException("Address already in use")));
    assertEquals(
        "port 7000 on 127.0.0.1 is taken by another process",
        ListenSockets.sentence(
            address(7000, 127, 0, 0, 1), new BindException("Address already in use")));
    assertEquals(
        "no permission to listen on port 80",
        ListenSockets.sentence(
            new InetSocketAddress(80), new SocketException("Permission denied")));
    assertEquals(
        "no interface of this machine has the address 192.0.2.1",
        ListenSockets.sentence(
            address(80, 192, 0, 2, 1), new BindException("Cannot assign requested address")));
    assertEquals(
        "cannot listen on port 80: Protocol family unavailable",
        ListenSockets.sentence(
            new InetSocketAddress(80), new IOException("Protocol family unavailable")));
  }

  @Test
  void socketsOfOneAddressShareThePortThatTheSystemChose() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<ServerSocketChannel> sockets =
        ListenSockets.bind(any, SiteSettings.PLAIN.options(), 3, 10, false);
    try {
      assertEquals(3, sockets.size());
      for (ServerSocketChannel socket : sockets) {
        assertEquals(sockets.get(0).getLocalAddress(), socket.getLocalAddress());
      }
    } finally {
      sockets.forEach(ListenSockets::closeQuietly);
    }
  }
}

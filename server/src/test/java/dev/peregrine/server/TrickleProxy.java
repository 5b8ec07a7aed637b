package dev.peregrine.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes the bytes of one client on, each in a packet of its own. Any thread. */
final class TrickleProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;

  TrickleProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    start(this::serve);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void serve() {
    try {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      start(() -> pass(client, server));
      start(() -> pass(server, client));
    } catch (IOException e) {
      // closed: the test is over
    }
  }

  private static void pass(Socket from, Socket to) {
    try (to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int value = in.read(); value >= 0; value = in.read()) {
        out.write(value);
      }
    } catch (IOException e) {
      // closed by one of them
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "trickle");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}

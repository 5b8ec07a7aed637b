package dev.peregrine.server;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * A listening socket in the file system. Any thread.
 *
 * @param fileKey tells the file from another one that took its place, or {@code null}
 */
record UnixSocket(Path path, ServerSocketChannel channel, Object fileKey) {

  /**
   * Binds a path. A file that a server has left behind is replaced, one that a server listens at is
   * not.
   *
   * @param permissions who may connect, by the right to write; {@code null} for what the process
   *     gives to new files, commonly its own user
   * @throws ServerStartException in one sentence, if the path cannot be had
   */
  static UnixSocket bind(Path path, Set<PosixFilePermission> permissions, int backlog) {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    ServerSocketChannel channel = null;
    boolean bound = false;
    try {
      removeStale(path, address);
      channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      channel.bind(address, backlog);
      if (permissions != null) {
        // The file begins without the right to write for others, so nobody is early.
        Files.setPosixFilePermissions(path, permissions);
      }
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      bound = true;
      return new UnixSocket(path, channel, key);
    } catch (IOException | UnsupportedOperationException e) {
      throw new ServerStartException("cannot listen at " + path + ": " + e.getMessage(), e);
    } finally {
      if (!bound && channel != null) {
        ListenSockets.closeQuietly(channel);
      }
    }
  }

  private static void removeStale(Path path, UnixDomainSocketAddress address) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    if (Files.isRegularFile(path) || Files.isDirectory(path)) {
      throw new IOException("there is a file that is no socket");
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.connect(address);
    } catch (IOException e) {
      Files.delete(path); // nobody listens there any more
      return;
    }
    throw new IOException("another process listens there");
  }

  /** Removes the file, unless another server has put its own in its place. */
  void remove() {
    try {
      Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      if (fileKey == null || fileKey.equals(now)) {
        Files.delete(path);
      }
    } catch (IOException e) {
      Log.debug("the socket " + path + " was gone already", e);
    }
  }
}

package dev.peregrine.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A listening socket in the file system. Any thread.
 *
 * @param fileKey tells the file from another one that took its place, or {@code null}
 */
record UnixSocket(Path path, ServerSocketChannel channel, Object fileKey) {

  /**
   * The owner alone. New files have what the umask of the process says, which may be everybody, and
   * who connects needs no password.
   */
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.copyOf(PosixFilePermissions.fromString("rw-------"));

  /** Of {@code st_mode}: the bits that tell kinds of files, and what they are of a socket. */
  private static final int FILE_TYPE = 0170000;

  private static final int SOCKET = 0140000;

  /**
   * Binds a path. A file that a server has left behind is replaced, one that a server listens at is
   * not, nor anything that is no socket.
   *
   * @param permissions who may connect, by the right to write; {@code null} for the owner alone
   * @throws ServerStartException in one sentence, if the path cannot be had
   */
  static UnixSocket bind(Path path, Set<PosixFilePermission> permissions, int backlog) {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    ServerSocketChannel channel = null;
    UnixSocket made = null;
    try {
      removeStale(path, address);
      channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      channel.bind(address, backlog);
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      made = new UnixSocket(path, channel, key);
      made.permit(permissions);
      made.turnAwayEarly();
      return made;
    } catch (IOException | UnsupportedOperationException e) {
      if (made != null) {
        made.remove();
      }
      if (channel != null) {
        ListenSockets.closeQuietly(channel);
      }
      throw new ServerStartException("cannot listen at " + path + ": " + e.getMessage(), e);
    }
  }

  private void permit(Set<PosixFilePermission> permissions) throws IOException {
    if (permissions != null) {
      Files.setPosixFilePermissions(path, permissions);
    } else if (Files.getFileAttributeView(path, PosixFileAttributeView.class) != null) {
      Files.setPosixFilePermissions(path, OWNER_ONLY);
    }
  }

  /**
   * Closes connections of those who came before the file had its permissions: Java binds and
   * listens in one step, and cannot set the umask. Package-private for tests.
   */
  void turnAwayEarly() throws IOException {
    channel.configureBlocking(false);
    SocketChannel early = channel.accept();
    while (early != null) {
      early.close();
      early = channel.accept();
    }
  }

  private static void removeStale(Path path, UnixDomainSocketAddress address) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!isSocket(path)) {
      throw new IOException("there is a file that is no socket");
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      // A server with a full backlog would have us wait.
      probe.configureBlocking(false);
      probe.connect(address);
    } catch (ConnectException e) {
      Files.delete(path); // nobody listens there any more
      return;
    } catch (IOException e) {
      // Somebody does: no permission, no room in the backlog, datagrams only.
      throw new IOException("another process listens there: " + e.getMessage(), e);
    }
    throw new IOException("another process listens there");
  }

  /** By the type of the file itself: a pipe, a device or a link must not be taken for a socket. */
  private static boolean isSocket(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther();
    }
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & FILE_TYPE) == SOCKET;
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

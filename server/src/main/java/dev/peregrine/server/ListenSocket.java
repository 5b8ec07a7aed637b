package dev.peregrine.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/**
 * Where a server listens, with what is particular to this place. Immutable, any thread.
 *
 * <pre>{@code
 * Server.builder()
 *     .listen(ListenSocket.port(8443).withTls(tls).withProxyProtocol("10.0.0.0/8"))
 *     .listen(ListenSocket.unix(Path.of("/run/greeter.sock")).withPermissions("rw-rw----"))
 * }</pre>
 */
public final class ListenSocket {

  /** Of a socket: smaller ones hold no packet, larger ones no kernel gives. */
  private static final int MIN_BUFFER_BYTES = 2048;

  private static final int MAX_BUFFER_BYTES = 1 << 30;

  private final InetSocketAddress address;
  private final Path path;
  private final Options options;

  private ListenSocket(InetSocketAddress address, Path path, Options options) {
    this.address = address;
    this.path = path;
    this.options = options;
  }

  /** What an object says. Changed only until the object is made. */
  private static final class Options {
    private Tls tls;
    private boolean plaintext;
    private Set<PosixFilePermission> permissions;
    private Networks proxies;
    private int backlog;
    private ServedNames served = ServedNames.ALL;
    private ConnectionOptions connections = ConnectionOptions.STANDARD;

    Options() {}

    Options(Options other) {
      tls = other.tls;
      plaintext = other.plaintext;
      permissions = other.permissions;
      proxies = other.proxies;
      backlog = other.backlog;
      served = other.served;
      connections = other.connections;
    }
  }

  /**
   * A port of all interfaces, IPv4 and IPv6.
   *
   * @param port 0 lets the system choose; {@link Server#port} tells
   */
  public static ListenSocket port(int port) {
    return address(new InetSocketAddress(port));
  }

  /** An address. */
  public static ListenSocket address(InetSocketAddress address) {
    return new ListenSocket(Objects.requireNonNull(address, "address"), null, new Options());
  }

  /**
   * A path of the file system (a Unix domain socket), in plaintext, for the process's own user
   * ({@code rw-------}, whatever its umask). A socket that a server which died has left there is
   * replaced.
   */
  public static ListenSocket unix(Path path) {
    return new ListenSocket(null, Objects.requireNonNull(path, "path"), new Options());
  }

  /**
   * The socket that the process was given as its standard input: by systemd with {@code
   * StandardInput=socket}, by inetd with {@code wait}. Sockets by other numbers, those of {@code
   * LISTEN_FDS}, cannot be had in Java.
   *
   * <p>It stays open with whoever gave it, so connections wait for a successor while this server
   * ends and another one starts.
   */
  public static ListenSocket inherited() {
    return new ListenSocket(null, null, new Options());
  }

  /** Encrypts its connections, whatever {@link ServerBuilder#tls} says for others. */
  public ListenSocket withTls(Tls tls) {
    Options made = new Options(options);
    made.tls = Objects.requireNonNull(tls, "tls");
    made.plaintext = false;
    return with(made);
  }

  /** Does not encrypt its connections, whatever {@link ServerBuilder#tls} says for others. */
  public ListenSocket withPlaintext() {
    Options made = new Options(options);
    made.tls = null;
    made.plaintext = true;
    return with(made);
  }

  /**
   * Of the file of a Unix domain socket, e.g. {@code rw-rw----}: who may write may connect. By
   * default {@code rw-------}.
   *
   * @throws IllegalArgumentException if they are not of this form
   * @throws IllegalStateException if this is no {@link #unix} socket
   */
  public ListenSocket withPermissions(String permissions) {
    if (path == null) {
      throw new IllegalStateException("permissions are of Unix domain sockets only");
    }
    Options made = new Options(options);
    made.permissions = Set.copyOf(PosixFilePermissions.fromString(permissions));
    return with(made);
  }

  /**
   * Expects the header of the PROXY protocol, version 1 or 2, before all else from trusted proxies:
   * {@link dev.peregrine.rpc.Context#peer}, limits and logs then have the address of the client. A
   * proxy that sends none is turned away. Others are served as they are, but turned away when they
   * send one.
   *
   * @param trusted addresses or networks of the proxies, e.g. {@code 10.0.0.0/8}; for a {@link
   *     #unix} socket none are needed: who may connect is trusted
   * @throws IllegalArgumentException if one of them is neither, or if there is none
   */
  public ListenSocket withProxyProtocol(String... trusted) {
    if (trusted.length == 0 && path == null) {
      throw new IllegalArgumentException("withProxyProtocol() needs the networks of the proxies");
    }
    Options made = new Options(options);
    made.proxies = Networks.of(Arrays.asList(trusted));
    return with(made);
  }

  /**
   * Serves nothing but this, e.g. on a port for operators: {@code withOnly("/metrics",
   * "grpc.health.v1.Health")}. Whatever else the server has is not there, as if it had not been
   * added.
   *
   * @param names full names of services, paths of endpoints, {@code "/*"} for the fallback; when
   *     the server starts, one that it does not serve is refused
   */
  public ListenSocket withOnly(String... names) {
    Options made = new Options(options);
    made.served = new ServedNames(Set.of(names), true);
    return with(made);
  }

  /** Serves all but this, see {@link #withOnly}, which it takes the place of. */
  public ListenSocket without(String... names) {
    Options made = new Options(options);
    made.served = new ServedNames(Set.of(names), false);
    return with(made);
  }

  /** How many connections the kernel may hold, instead of {@link ServerBuilder#backlog}. */
  public ListenSocket withBacklog(int connections) {
    if (connections < 1) {
      throw new IllegalArgumentException("withBacklog(" + connections + "): at least 1 is needed");
    }
    Options made = new Options(options);
    made.backlog = connections;
    return with(made);
  }

  /**
   * Sizes of the kernel's buffers for each connection (SO_RCVBUF, SO_SNDBUF). By default the kernel
   * chooses and adapts them, which is better nearly everywhere; smaller ones save memory with very
   * many connections.
   *
   * @param receive in bytes, 2 KiB to 1 GiB
   * @param send the same
   */
  public ListenSocket withBufferBytes(int receive, int send) {
    Options made = new Options(options);
    made.connections =
        new ConnectionOptions(inRange(receive), inRange(send), options.connections.keepsAlive());
    return with(made);
  }

  private static int inRange(int bytes) {
    if (bytes < MIN_BUFFER_BYTES || bytes > MAX_BUFFER_BYTES) {
      throw new IllegalArgumentException(
          bytes + " is not in " + MIN_BUFFER_BYTES + ".." + MAX_BUFFER_BYTES);
    }
    return bytes;
  }

  /**
   * Has the kernel probe silent connections (SO_KEEPALIVE), by its own settings, which is after two
   * hours on most systems. {@link ConnectionLifetime} has better means for HTTP/2.
   */
  public ListenSocket withTcpKeepAlive() {
    Options made = new Options(options);
    made.connections =
        new ConnectionOptions(
            options.connections.receiveBytes(), options.connections.sendBytes(), true);
    return with(made);
  }

  private ListenSocket with(Options made) {
    return new ListenSocket(address, path, made);
  }

  // ---- for those who bind it

  /** The address, or {@code null} for other kinds. */
  InetSocketAddress inet() {
    return address;
  }

  /** The path of a Unix domain socket, or {@code null} for other kinds. */
  Path path() {
    return path;
  }

  Set<PosixFilePermission> permissions() {
    return options.permissions;
  }

  /** What is spoken if a server has this TLS for all; {@code null} for plaintext. */
  Tls tls(Tls ofServer) {
    if (options.tls != null || options.plaintext || path != null) {
      return options.tls;
    }
    return ofServer;
  }

  ServedNames served() {
    return options.served;
  }

  Networks proxies() {
    return options.proxies;
  }

  int backlog(int ofServer) {
    return options.backlog == 0 ? ofServer : options.backlog;
  }

  ConnectionOptions connectionOptions() {
    return options.connections;
  }
}

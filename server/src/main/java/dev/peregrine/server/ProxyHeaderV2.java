package dev.peregrine.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Arrays;

/**
 * Version 2 of the PROXY protocol (section 2.2). Pure functions; any thread.
 *
 * <pre>
 *   12 bytes  signature
 *    1        version 2 | command
 *    1        address family | transport
 *    2        length of what follows
 *             addresses, then TLVs, which are skipped
 * </pre>
 */
final class ProxyHeaderV2 {

  private static final int FIXED_BYTES = 16;

  /**
   * What may follow the fixed part. Addresses take 216 bytes at most, and the largest TLV in use, a
   * client's certificate, some kilobytes; 65,535 could be announced.
   */
  static final int MAX_VARIABLE_BYTES = 8 * 1024;

  private static final int LOCAL = 0x20;
  private static final int PROXY = 0x21;
  private static final int TCP_OVER_IPV4 = 0x11;
  private static final int TCP_OVER_IPV6 = 0x21;
  private static final int UNIX_STREAM = 0x31;

  /** Families and transports: 0 to 3, and 0 to 2. */
  private static final int MAX_FAMILY = 3;

  private static final int MAX_TRANSPORT = 2;
  private static final int UNIX_PATH_BYTES = 108;

  private ProxyHeaderV2() {}

  /** Reads a header which begins as it must; {@code null} if more bytes are needed. */
  static ProxyHeader parse(byte[] bytes, int length) throws ProxyHeaderException {
    if (length < FIXED_BYTES) {
      return null;
    }
    int command = bytes[12] & 0xff;
    int family = bytes[13] & 0xff;
    int variable = (bytes[14] & 0xff) << 8 | (bytes[15] & 0xff);
    // Section 2.2: unexpected values are to be refused.
    if (command != LOCAL && command != PROXY) {
      throw new ProxyHeaderException("its PROXY header has the version and command " + command);
    }
    if (variable > MAX_VARIABLE_BYTES) {
      throw new ProxyHeaderException("its PROXY header announces " + variable + " bytes");
    }
    int end = FIXED_BYTES + variable;
    if (length < end) {
      return null;
    }
    // Section 2.2: LOCAL is the proxy's own connection, whatever else the header says.
    if (command == LOCAL) {
      return ProxyHeader.own(end);
    }
    if (family >> 4 > MAX_FAMILY || (family & 0xf) > MAX_TRANSPORT) {
      throw new ProxyHeaderException("its PROXY header has the unknown family " + family);
    }
    return switch (family) {
      case TCP_OVER_IPV4 -> inet(bytes, 4, end);
      case TCP_OVER_IPV6 -> inet(bytes, 16, end);
      case UNIX_STREAM -> unix(bytes, end);
      // Section 2.2: combinations that are valid, but not supported, are as if unspecified.
      default -> ProxyHeader.withoutAddresses(end);
    };
  }

  private static ProxyHeader inet(byte[] bytes, int addressBytes, int end)
      throws ProxyHeaderException {
    int ports = FIXED_BYTES + 2 * addressBytes;
    requireRoom(ports + 4, end);
    return ProxyHeader.of(
        inetAddress(bytes, FIXED_BYTES, addressBytes, ports),
        inetAddress(bytes, FIXED_BYTES + addressBytes, addressBytes, ports + 2),
        end);
  }

  private static SocketAddress inetAddress(byte[] bytes, int at, int addressBytes, int port)
      throws ProxyHeaderException {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + addressBytes)),
          (bytes[port] & 0xff) << 8 | (bytes[port + 1] & 0xff));
    } catch (UnknownHostException e) {
      throw new ProxyHeaderException("its PROXY header has an address of a wrong length");
    }
  }

  private static ProxyHeader unix(byte[] bytes, int end) throws ProxyHeaderException {
    requireRoom(FIXED_BYTES + 2 * UNIX_PATH_BYTES, end);
    return ProxyHeader.of(
        unixAddress(bytes, FIXED_BYTES), unixAddress(bytes, FIXED_BYTES + UNIX_PATH_BYTES), end);
  }

  /** A path ends at its first zero; names outside of the file system begin with one. */
  private static SocketAddress unixAddress(byte[] bytes, int at) throws ProxyHeaderException {
    int length = 0;
    while (length < UNIX_PATH_BYTES && bytes[at + length] != 0) {
      length++;
    }
    try {
      return UnixDomainSocketAddress.of(new String(bytes, at, length, StandardCharsets.UTF_8));
    } catch (InvalidPathException e) {
      throw new ProxyHeaderException("its PROXY header has a malformed path");
    }
  }

  private static void requireRoom(int needed, int end) throws ProxyHeaderException {
    if (needed > end) {
      throw new ProxyHeaderException("its PROXY header is too short for its addresses");
    }
  }
}
